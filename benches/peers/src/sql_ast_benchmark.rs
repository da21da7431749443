//! pgq for the public benchmark `sql_ast_benchmark`. Copy this file to the benchmark's `src` as pgq_adapter.rs, and
//! declare `mod pgq_adapter;`. Add `pgq = { version = "0.1", default-features = false }` to its dependencies, and a
//! variant to `BenchParser`. The variant models only PostgreSQL. Add a match arm for it to each of these functions:
//!
//! - `parse_outcome`: `parse(sql).map(|_| ())`, inside `catch_outcome`.
//! - `parse_once`: `parse(sql).is_ok()`.
//! - `parse_batch`: `batch(sql)`, and `can_batch` is true.
//! - `reprint`: `reprint(sql)`, and `can_reprint` is true.
//! - `measure_mem`: the same steps as for the other parsers in Rust, with `parse(sql)`. Rust allocates the trees of
//!   `parse`. `pgq::Tree::parse` is faster, but its trees are in C's memory and meant to be short-lived.
//!
//! pgq and pg_query can be in one program, because pgq's C symbols have a prefix.

use std::sync::Arc;

use pgq::{DeparseOptions, Tree};

/// Parses SQL to a tree that can be kept.
pub fn parse(sql: &str) -> Result<Arc<Tree>, String> {
    Tree::parse_shared(sql).map_err(|error| error.to_string())
}

/// Returns the number of statements of a script; 0 if one of them is refused.
pub fn batch(sql: &str) -> usize {
    parse(sql).map_or(0, |tree| tree.len())
}

/// Parses SQL and writes it again.
pub fn reprint(sql: &str) -> Option<String> {
    parse(sql).ok()?.deparse(&DeparseOptions::default()).ok()
}

#[test]
fn a_script_counts_its_statements() {
    assert_eq!(batch("SELECT 1\n;\nSELECT 2 -- two\n;\nSELECT 3"), 3);
    assert_eq!(batch("SELECT 1\n;\nSELECT FROM WHERE"), 0);
}

#[test]
fn reprinted_sql_is_stable() {
    let sql = reprint("select  a from t where b=1").expect("it parses");
    assert_eq!(sql, "SELECT a FROM t WHERE b = 1");
    assert_eq!(reprint(&sql), Some(sql));
    assert!(parse("SELECT FROM WHERE").is_err());
}
