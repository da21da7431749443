//! Tests that statements of any depth and length are summarized on a thread with a small stack, within a time limit.

use std::fmt::Write;
use std::thread;
use std::time::{Duration, Instant};

use pgq::{ParseOptions, Summary, Tree};

/// Runs `f` on a thread with a 2 MB stack, Rust's default.
fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(2 << 20).spawn(f).unwrap().join().unwrap();
}

fn summary(sql: &str) -> Summary {
    Tree::parse(sql, &ParseOptions::default()).unwrap().statement(0).summary().unwrap()
}

#[test]
fn deep_statements_are_summarized_on_a_small_stack() {
    const LINKS: usize = 100_000;
    on_a_small_stack(|| {
        let sums = format!("SELECT f(1){} FROM t WHERE a{}", " + g(1)".repeat(LINKS), " + b".repeat(LINKS));
        let found = summary(&sums);
        assert_eq!((found.functions.len(), found.filter_columns.len()), (LINKS + 1, LINKS + 1));
        let joins = summary(&format!("SELECT * FROM t{}", " JOIN t ON f(x)".repeat(LINKS)));
        assert_eq!((joins.tables.len(), joins.functions.len()), (LINKS + 1, LINKS));
        let unions = summary(&format!("TABLE t{}", " UNION TABLE t".repeat(LINKS)));
        assert_eq!(unions.tables.len(), LINKS + 1);
        let casts = summary(&format!("SELECT f(1){}", "::int".repeat(LINKS)));
        assert_eq!(casts.functions.len(), 1);
    });
}

#[test]
fn nested_queries_take_time_in_proportion() {
    on_a_small_stack(|| {
        let levels = 1000;
        let inside = "SELECT * FROM t WHERE a IN (".repeat(levels);
        let nested = summary(&format!("{inside}SELECT 1{}", ")".repeat(levels)));
        assert_eq!((nested.tables.len(), nested.filter_columns.len()), (levels, levels));
    });
}

#[test]
fn many_with_queries_take_time_in_proportion() {
    const COUNT: usize = 20_000;
    let mut sql = "WITH c AS (SELECT 1)".to_string();
    (0..COUNT).for_each(|i| write!(sql, ", c{i} AS (SELECT * FROM c{i}, c)").unwrap());
    sql += " SELECT 1";
    (0..COUNT).for_each(|i| write!(sql, "{} c{i}", if i == 0 { " FROM" } else { "," }).unwrap());
    let tree = Tree::parse(&sql, &ParseOptions::default()).unwrap();
    let start = Instant::now();
    let summary = tree.statement(0).summary().unwrap();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // Inside the definition of a WITH query c{i}, the name c{i} is a table, because the WITH query is not in scope
    // there.
    assert_eq!((summary.tables.len(), summary.ctes.len()), (COUNT, COUNT + 1));
}
