//! Tests the packing of the grammar's tables (build/grammar_packing.rs): each row keeps exactly its
//! own entries.

#[path = "../../build/grammar_packing.rs"]
mod packing;

use std::collections::BTreeMap;

use packing::{Packing, Row};

const KEYS: usize = 100;

/// Returns rows of all lengths; some are equal, some are empty.
fn rows() -> Vec<BTreeMap<usize, i32>> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut rows = Vec::new();
    for number in 0..2_000 {
        let row = match number % 10 {
            9 => rows.last().cloned().unwrap_or_default(),
            8 => BTreeMap::new(),
            _ => (0..random.usize(1..=KEYS)).map(|_| (random.usize(0..KEYS), random.i32(-3..3))).collect(),
        };
        rows.push(row);
    }
    rows
}

#[test]
fn a_row_has_its_own_entries_and_no_others() {
    let rows = rows();
    let ranked = rows.iter().enumerate();
    let to_pack: Vec<Row> = ranked.map(|(i, row)| Row::new(row.clone().into_iter().collect(), i * 7 % 2_000)).collect();
    let packing = Packing::of(&to_pack, KEYS);
    for ((row, packed), place) in rows.iter().zip(&to_pack).zip(&packing.places) {
        assert_eq!(packed.is_empty(), row.is_empty());
        let found = (0..KEYS).filter_map(|key| {
            let (owner, action) = packing.entries[place + key];
            (owner == key as i32).then_some((key, action))
        });
        assert_eq!(found.collect::<BTreeMap<_, _>>(), *row);
    }
}
