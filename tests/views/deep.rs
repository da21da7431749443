//! Trees of 100,000 levels on a thread of 2 MB: an answer or an error, never a signal.

use pgq::nodes::AConst;
use pgq::{ErrorKind, ParseOptions, Tree};

const LEVELS: usize = 100_000;

/// Deep statements by what nests.
fn statements() -> [(&'static str, String); 4] {
    let joins = " JOIN u ON true".repeat(LEVELS);
    [
        ("operators", format!("SELECT 1{}", " + 1".repeat(LEVELS))),
        ("casts", format!("SELECT 1{}", "::int".repeat(LEVELS))),
        ("joins", format!("SELECT 1 FROM t{joins}")),
        ("subselects", format!("SELECT {}1{}", "(SELECT ".repeat(LEVELS), ")".repeat(LEVELS))),
    ]
}

#[test]
fn deep_trees_are_walked_printed_and_refused_on_a_small_thread() {
    for (what, sql) in statements() {
        let checked = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
            match Tree::parse(&sql, &ParseOptions::default()) {
                Ok(tree) => {
                    let node = tree.statement(0).node().unwrap();
                    let deepest = node.walk().map(|visit| visit.depth).max().unwrap();
                    assert!(deepest >= LEVELS, "{deepest}");
                    assert!(node.find::<AConst>().count() > 0);
                    assert!(format!("{node:?}").len() > LEVELS);
                    format!("{deepest} levels walked")
                }
                // The grammar's own limit, of 10,000 levels.
                Err(error) => {
                    assert!(error.message.contains("memory exhausted") || error.kind == ErrorKind::TooDeep, "{error}");
                    error.message
                }
            }
        });
        println!("{what}: {}", checked.unwrap().join().unwrap());
    }
}
