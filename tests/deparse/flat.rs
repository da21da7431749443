//! pgq writes one-line SQL to a single buffer. libpg_query's deparser joins separately written
//! parts. Both must write the same bytes, for nested queries and for SQL of any length.

use pgq::{DeparseOptions, ParseOptions, reference};

/// Queries that end with various clauses. If the last clause is a single keyword, libpg_query's deparser joins the
/// parts of the query differently.
const QUERIES: &[&str] = &[
    "SELECT a, b FROM t WHERE a = 1",
    "SELECT a FROM t FOR UPDATE",
    "SELECT a FROM t ORDER BY b LIMIT 1 FOR NO KEY UPDATE OF t SKIP LOCKED",
    "SELECT DISTINCT ON (a) a, b AS c FROM t GROUP BY a, b HAVING a > 1 WINDOW w AS (ORDER BY a)",
    "SELECT",
    "SELECT FROM t",
    "VALUES (1, 2), (3, 4)",
    "SELECT 1 UNION SELECT 2 UNION ALL (SELECT 3 ORDER BY 1)",
    "(SELECT 1 FOR UPDATE) EXCEPT SELECT 2 INTERSECT SELECT 3",
    "WITH w AS (SELECT 1), v AS (SELECT 2) SELECT * FROM w, v",
    "SELECT CASE WHEN a THEN b ELSE CASE c WHEN 1 THEN 2 END END, d FROM t",
    "SELECT a FROM t JOIN u ON a = b LEFT JOIN v USING (c) WHERE EXISTS (SELECT 1)",
    "SELECT a FROM t ORDER BY a DESC NULLS LAST, b FETCH FIRST 5 ROWS WITH TIES",
    "SELECT count(*) OVER (PARTITION BY a ORDER BY b), \"Q\", 'it''s', E'a\\\\b' FROM \"T\"",
];

/// SQL with `?` at the position of a query.
const AROUND: &[&str] = &[
    "SELECT a, (?), b FROM t",
    "SELECT (?)",
    "SELECT a FROM (?) AS s, u",
    "SELECT a FROM t WHERE a IN (?) AND b",
    "SELECT ARRAY(?), CASE WHEN EXISTS (?) THEN 1 END",
    "WITH w AS (?), v AS (?) SELECT 1 FROM w",
    "(?) UNION (?)",
    "INSERT INTO t (a) (?) ON CONFLICT DO NOTHING RETURNING a, b",
    "UPDATE t SET a = (?), b = 1 WHERE c",
    "DELETE FROM t WHERE a = ANY (?)",
    "CREATE VIEW v AS (?)",
    "CREATE TABLE t AS (?) WITH NO DATA",
    "COPY (?) TO STDOUT",
    "EXPLAIN (?)",
    "PREPARE p AS (?)",
    "CREATE RULE r AS ON INSERT TO t DO ALSO (?)",
    "DECLARE c CURSOR FOR (?)",
];

fn assert_same(sql: &str) -> bool {
    let Ok(tree) = reference::parse(sql, &ParseOptions::default()) else { return false };
    let expected = reference::deparse(&tree, &DeparseOptions::default());
    assert_eq!(pgq::deparse(&tree).ok(), expected.ok(), "{sql}");
    true
}

#[test]
fn queries_in_queries() {
    let mut compared = 0;
    for query in QUERIES {
        compared += usize::from(assert_same(query));
        for inner in AROUND {
            let one = inner.replace('?', query);
            compared += usize::from(assert_same(&one));
            for outer in AROUND {
                compared += usize::from(assert_same(&outer.replace('?', &one)));
            }
        }
    }
    println!("{compared} queries are the same");
    assert!(compared > 1500, "{compared}");
}

#[test]
fn texts_longer_than_the_buffer() {
    const BUFFER: usize = 16 << 10;
    for length in (BUFFER - 80..BUFFER + 8).chain([2 * BUFFER - 40, 100_000]) {
        let filler = "x".repeat(length);
        for sql in [
            format!("SELECT '{filler}', abc, 12345, 'd''e' FROM t, u WHERE f = $1"),
            format!("SELECT f('{filler}'), (SELECT 'a\\b'), \"Q\"::numeric(10, 2) FROM t FOR UPDATE"),
            format!("SELECT '{}' FROM t", "'".repeat(2 * (length / 2))),
        ] {
            assert!(assert_same(&sql), "{}", &sql[sql.len() - 80..]);
        }
        let long_list = vec!["ab"; length / 4].join(", ");
        assert!(assert_same(&format!("SELECT {long_list}")));
    }
}

#[test]
fn comments_and_other_layouts_still_go_by_parts() {
    let tree = pgq::Tree::parse("SELECT a, b FROM t", &ParseOptions::default()).unwrap();
    let with = |change: fn(&mut DeparseOptions)| {
        let mut options = DeparseOptions::default();
        change(&mut options);
        tree.deparse(&options).unwrap()
    };
    assert_eq!(with(|_| {}), "SELECT a, b FROM t");
    assert_eq!(with(|options| options.pretty = true), "SELECT a, b\nFROM t");
    assert_eq!(with(|options| options.commas_first = true), "SELECT a , b FROM t");
}
