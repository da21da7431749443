//! Compares trees of nested SQL with the trees of the C library. Tests every depth close to the depths at which the
//! parser's stack grows, and close to the maximum depth. Beyond the maximum, the errors must be equal.

use pgq::{ParseOptions, Tree, reference};

use crate::common::counts::Counts;
use crate::outcomes::Outcomes;

/// Nested constructs: the text before each level, the innermost text, and the text after each level.
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

/// Returns all small depths, because the stack grows there first. Also returns some larger depths, and all depths
/// close to the limit.
fn depths() -> impl Iterator<Item = usize> {
    (1..=420).chain((421..11_000).step_by(211)).chain(9_900..=10_010)
}

#[test]
fn nesting_of_any_depth_equals_the_c_library() {
    let options = ParseOptions::default();
    let mut counts = Counts::new("equality/depth");
    let (mut native, mut refused) = (0, 0);
    for (open, inside, close) in SHAPES {
        let mut outcomes = Outcomes::default();
        for depth in depths() {
            let sql = format!("SELECT {}{inside}{}", open.repeat(depth), close.repeat(depth));
            native += usize::from(Tree::parse(&sql, &options).is_ok_and(|tree| tree.used_native_lexer()));
            outcomes.compare(&sql, pgq::parse_to_json(&sql), reference::parse_to_json(&sql, &options));
        }
        counts.add(format!("{open:?}: {} equal, {} refused by both", outcomes.equal, outcomes.refused));
        let first = outcomes.differences.first().map(|difference| difference.chars().take(300).collect::<String>());
        assert!(first.is_none(), "{open:?}: {} differences, the first: {first:?}", outcomes.differences.len());
        refused += outcomes.refused;
    }
    assert!(native > 0 && refused > 0, "the depths must lie on both sides of the limit");
    counts.check();
}
