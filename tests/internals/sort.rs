//! PostgreSQL's sort function.

use pgq::internals::{NumberedConstant, sort_by_location};

#[test]
fn sorts() {
    let mut constants: Vec<_> = (0..100).map(|i| NumberedConstant { location: i * 37 % 101, param: i }).collect();
    let mut expected = constants.clone();
    sort_by_location(&mut constants);
    expected.sort_by_key(|c| c.location);
    assert_eq!(constants, expected);
}
