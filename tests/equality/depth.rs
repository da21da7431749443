//! Nesting of every depth around the points where the grammar's stack grows and where it may
//! grow no further: the same trees as the C library's, and then the same words.

use pgq::{ParseOptions, Tree, reference};

use crate::Count;

/// What is opened again and again, what stands inside, and what closes it.
const SHAPES: [(&str, &str, &str); 9] = [
    ("(", "1", ")"),
    ("(SELECT ", "1", ")"),
    ("ARRAY[", "a", "]"),
    ("f(", "", ")"),
    ("CASE WHEN a THEN 1 ELSE ", "2", " END"),
    ("NOT ", "b", ""),
    ("- ", "c", ""),
    ("a[", "1", "]"),
    ("1 IN (2, ", "3", ")"),
];

/// Every depth at which the first growths happen, then some up to beyond the last.
fn depths() -> impl Iterator<Item = usize> {
    (1..=420).chain((421..11_000).step_by(211)).chain(9_900..=10_010)
}

#[test]
fn nesting_of_any_depth_equals_the_c_library() {
    let options = ParseOptions::default();
    let (mut own, mut refused) = (0, 0);
    for (open, inside, close) in SHAPES {
        let mut count = Count::default();
        for depth in depths() {
            let sql = format!("SELECT {}{inside}{}", open.repeat(depth), close.repeat(depth));
            own += usize::from(Tree::parse(&sql, &options).is_ok_and(|tree| tree.used_native_lexer()));
            count.compare(&sql, pgq::parse_to_json(&sql), reference::parse_to_json(&sql, &options));
        }
        println!("depth: {open:?}: {} equal, {} refused alike", count.equal, count.refused);
        let first = count.differences.first().map(|difference| difference.chars().take(300).collect::<String>());
        assert!(first.is_none(), "{open:?}: {} differences, the first: {first:?}", count.differences.len());
        refused += count.refused;
    }
    assert!(own > 0 && refused > 0, "the depths must lie on both sides of the limit");
}
