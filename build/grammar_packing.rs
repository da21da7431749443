//! Rows of a sparse table in one array: an entry stands at its row's place plus its key, and says its key. Rows lie in
//! each other's gaps; no two have the same place, so that an entry with the right key is the row's own.

use std::collections::{HashMap, HashSet};

/// Entries by their keys, and how hot they are: 0 is the hottest.
pub struct Row {
    entries: Vec<(usize, i32)>,
    rank: usize,
}

/// That many of the hottest rows are packed as tightly as they can be, which takes time.
const HOT: usize = 1024;

pub struct Packing {
    /// The place of each row.
    pub places: Vec<usize>,
    /// Keys and actions; nobody's have the key -1. There are enough behind any place for every key.
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
    /// Packs rows with keys below `keys`: the hottest first, then the longest.
    pub fn of(rows: &[Row], keys: usize) -> Self {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|row| (rows[*row].rank, usize::MAX - rows[*row].entries.len()));
        let mut packing = Self { places: vec![0; rows.len()], entries: Vec::new() };
        let mut taken = HashSet::new();
        let mut same: HashMap<&[(usize, i32)], usize> = HashMap::new();
        // Where to begin for rows of a length, by the number of its digits in base 2: none fitted before.
        let mut from = [0usize; usize::BITS as usize];
        for row in order {
            let entries = rows[row].entries.as_slice();
            let Some((first, _)) = entries.first() else {
                continue; // has its place below
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
        // Behind all others nobody has an entry.
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
