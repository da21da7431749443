//! Tests that long chains (`1 + a + a + …`) and deep nesting are deparsed to SQL that parses back to the same tree.
//! Times are printed but not asserted; they should grow linearly with the number of links, which `PGQ_LINKS` sets.

use std::time::Instant;

use crate::common::setting::setting;
use pgq::{DeparseOptions, ErrorKind, JsonTree, ParseOptions, Tree};

/// A name, and a function that returns a statement with `n` links.
type Form = (&'static str, fn(usize) -> String);

fn repeated(first: &str, each: &str, last: &str, n: usize) -> String {
    format!("{first}{}{last}", each.repeat(n))
}

/// Constructs that repeat a part, such as `1 + a + a`. The parser accepts any number of repetitions, because it reads
/// them without nesting.
const CHAINS: &[Form] = &[
    ("operators", |n| repeated("SELECT 1", " + a", "", n)),
    ("operators that bind differently", |n| repeated("SELECT 1", " + a * b", "", n)),
    ("casts", |n| repeated("SELECT 1", "::int", "", n)),
    ("COLLATE", |n| repeated("SELECT a", " COLLATE b", "", n)),
    ("AT TIME ZONE", |n| repeated("SELECT a", " AT TIME ZONE b", "", n)),
    ("IS NULL", |n| repeated("SELECT a", " IS NULL", "", n)),
    ("IN", |n| repeated("SELECT a", " IN (1)", "", n)),
    ("= ANY", |n| repeated("SELECT a", " = ANY (b)", "", n)),
    ("AND and OR", |n| repeated("SELECT a", " OR b AND c", "", n)),
    ("joins", |n| repeated("SELECT * FROM t", " JOIN t ON x", "", n)),
    ("UNION", |n| repeated("SELECT 1", " UNION SELECT 1", "", n)),
    ("EXCEPT and INTERSECT", |n| repeated("SELECT 1", " EXCEPT SELECT 1 INTERSECT SELECT 2", "", n)),
    ("columns", |n| repeated("SELECT 1", ", a", "", n)),
    ("rows of VALUES", |n| repeated("VALUES (0, 0)", ", (1, 2)", "", n)),
    ("IN list", |n| repeated("SELECT a IN (0", ", 1", ")", n)),
    ("FROM list", |n| repeated("SELECT 1 FROM t", ", t", "", n)),
    ("GROUP BY", |n| repeated("SELECT 1 GROUP BY a", ", a", "", n)),
    ("ORDER BY", |n| repeated("SELECT 1 ORDER BY a", ", a", "", n)),
    ("CASE", |n| repeated("SELECT CASE", " WHEN a THEN b", " END", n + 1)),
    ("CTEs", |n| repeated("WITH a AS (SELECT 1)", ", a AS (SELECT 1)", " SELECT 1", n)),
    ("subscripts", |n| repeated("SELECT a", "[1]", "", n)),
    ("SET list", |n| repeated("UPDATE t SET a = 1", ", a = 1", "", n)),
    ("columns of a table", |n| repeated("CREATE TABLE t (a int", ", a int", ")", n)),
    ("parts of a setting's name", |n| repeated("SET a", ".a", " TO 1", n)),
    ("statements of a body", |n| repeated("CREATE FUNCTION f() RETURNS int BEGIN ATOMIC", " SELECT 1;", " END", n)),
    ("lines with comments", |n| repeated("SELECT 1", ", a -- x\n", "", n)),
];

/// Nested constructs, whose depth the parser limits.
const NESTS: &[Form] = &[
    ("NOT", |n| repeated("SELECT ", "NOT ", "a", n)),
    ("signs", |n| repeated("SELECT ", "- ", "a", n)),
    ("prefix operators", |n| repeated("SELECT ", "@ ", "a", n)),
    ("subselects", |n| format!("SELECT {}1{}", "(SELECT ".repeat(n), ")".repeat(n))),
    ("subselects in FROM", |n| format!("SELECT * FROM {}t{}", "(SELECT * FROM ".repeat(n), ") a".repeat(n))),
    ("calls", |n| format!("SELECT {}a{}", "f(".repeat(n), ")".repeat(n))),
    ("CASE in CASE", |n| format!("SELECT {}a{}", "CASE WHEN a THEN ".repeat(n), " END".repeat(n))),
    ("operands in parentheses", |n| format!("SELECT {}a{}", "a + (".repeat(n), ")".repeat(n))),
    ("UNION on the right", |n| format!("{}SELECT 1{}", "SELECT 1 UNION (".repeat(n), ")".repeat(n))),
    ("joins on the right", |n| format!("SELECT * FROM {}t{}", "t JOIN (".repeat(n), " JOIN u ON b) ON a".repeat(n))),
    ("ARRAY in ARRAY", |n| format!("SELECT {}1{}", "ARRAY[".repeat(n), "]".repeat(n))),
    ("WITH in WITH", |n| format!("{}SELECT 1{}", "WITH a AS (".repeat(n), ") SELECT 1".repeat(n))),
];

/// Deparses the statement in three ways: from its parse tree, from JSON, and to indented SQL with comments. Prints the
/// times.
fn deparse(name: &str, n: usize, sql: &str) {
    let tree = Tree::parse(sql, &ParseOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut options = DeparseOptions::default();
    options.verify = true;
    let start = Instant::now();
    let plain = tree.deparse(&options).unwrap_or_else(|e| panic!("{name}: {e}"));
    let plain_took = start.elapsed();
    let start = Instant::now();
    let json = tree.to_json().unwrap_or_else(|e| panic!("{name}: {e}"));
    let read = JsonTree::read(&json).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(read.deparse(&options).unwrap_or_else(|e| panic!("{name}: {e}")) == plain, "{name}: JSON gives other SQL");
    let json_took = start.elapsed();
    options.pretty = true;
    options.comments = pgq::comments(sql).unwrap();
    let start = Instant::now();
    tree.deparse(&options).unwrap_or_else(|e| panic!("{name}: {e}"));
    println!("{n} {name}: {plain_took:.1?}, from JSON {json_took:.1?}, pretty {:.1?}", start.elapsed());
}

#[test]
fn long_chains_are_deparsed() {
    let n = setting("PGQ_LINKS", 30_000);
    for (name, form) in CHAINS {
        deparse(name, n, &form(n));
    }
}

#[test]
fn deep_nesting_is_deparsed() {
    for (name, form) in NESTS {
        deparse(name, 1600, &form(1600));
    }
}

#[test]
fn sql_that_would_nest_too_deeply_for_the_parser_is_an_error() {
    let sql = repeated("SELECT a", " NOT IN (SELECT 1)", "", 20_000);
    let mut options = DeparseOptions::default();
    options.verify = true;
    let error = Tree::parse(&sql, &ParseOptions::default()).unwrap().deparse(&options).unwrap_err();
    assert_eq!(error.kind, ErrorKind::RoundTripMismatch);
    assert!(error.message.contains("does not parse: memory exhausted"), "{error}");
}
