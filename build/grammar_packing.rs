//! Packs the rows of a sparse table into one array. The index of an entry is its row's offset plus
//! its key, and the entry stores the key. Rows may fill the gaps of other rows. Rows with different
//! entries have different offsets. Therefore the entry at a row's offset plus a key belongs to the
//! row if and only if the entry stores this key.

use std::collections::{HashMap, HashSet};

/// The entries of a row by key, and the row's rank. Rank 0 is the most frequent.
pub struct Row {
    entries: Vec<(usize, i32)>,
    rank: usize,
}

/// Number of rows that are packed as tightly as possible. These are the most frequent rows. Packing all rows in this
/// way would take too long.
const HOT: usize = 1024;

pub struct Packing {
    /// The offset of each row.
    pub places: Vec<usize>,
    /// Keys and actions. Unused entries have the key -1. The sum of any offset and any key is an index within the
    /// array.
    pub entries: Vec<(i32, i32)>,
}

impl Row {
    pub fn new(mut entries: Vec<(usize, i32)>, rank: usize) -> Self {
        entries.sort_unstable();
        Self { entries, rank }
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Packing {
    /// Packs the rows in the order of their ranks. Rows of equal rank are packed longest first. All keys of the rows
    /// must be less than `keys`.
    pub fn of(rows: &[Row], keys: usize) -> Self {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|row| (rows[*row].rank, usize::MAX - rows[*row].entries.len()));
        let mut packing = Self { places: vec![0; rows.len()], entries: Vec::new() };
        let mut taken = HashSet::new();
        let mut same: HashMap<&[(usize, i32)], usize> = HashMap::new();
        // Offsets at which the search for a free position starts, by ⌊log₂(row length)⌋. The search skips smaller
        // offsets, because an earlier row of similar length did not fit there.
        let mut from = [0usize; usize::BITS as usize];
        for row in order {
            let entries = rows[row].entries.as_slice();
            let Some((first, _)) = entries.first() else {
                continue; // rows without entries get an offset after this loop
            };
            let from = &mut from[entries.len().ilog2() as usize];
            packing.places[row] = *same.entry(entries).or_insert_with(|| {
                let mut place = if rows[row].rank < HOT { 0 } else { from.saturating_sub(*first) };
                while taken.contains(&place) || !packing.is_free(place, entries) {
                    place += 1;
                }
                *from = place + first;
                taken.insert(place);
                packing.put(place, entries);
                place
            });
        }
        // Empty rows get an offset after all entries.
        let end = packing.entries.len();
        for (row, place) in rows.iter().zip(&mut packing.places) {
            if row.entries.is_empty() {
                *place = end;
            }
        }
        packing.entries.resize(end + keys, (-1, 0));
        packing
    }

    fn is_free(&self, place: usize, entries: &[(usize, i32)]) -> bool {
        entries.iter().all(|(key, _)| self.entries.get(place + key).is_none_or(|(key, _)| *key < 0))
    }

    fn put(&mut self, place: usize, entries: &[(usize, i32)]) {
        for (key, action) in entries {
            let at = place + key;
            if at >= self.entries.len() {
                self.entries.resize(at + 1, (-1, 0));
            }
            self.entries[at] = (*key as i32, *action);
        }
    }
}
