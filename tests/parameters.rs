//! Replaces constants by parameters and puts the constants back. Afterwards, the tree must deparse to the same SQL as
//! the original tree.

mod common;

use common::counts::Counts;
use pgq::nodes::AConst;
use pgq::{DeparseOptions, EditTree, LiteralValue, Parameter, Tree};
use pgq_corpus::sets;

fn edited(sql: &str) -> EditTree {
    EditTree::parse(sql, &Default::default()).expect(sql)
}

fn deparsed(tree: &EditTree) -> String {
    let mut options = DeparseOptions::default();
    options.verify = true;
    tree.deparse(&options).unwrap()
}

/// Returns the SQL with parameters, and the values.
fn parameterized(sql: &str) -> (String, Vec<LiteralValue>) {
    let tree = edited(sql);
    let parameters = tree.parameterize().unwrap();
    (deparsed(&tree), parameters.into_iter().map(|parameter| parameter.value).collect())
}

#[test]
fn constants_of_the_corpus_come_back() {
    let mut counts = Counts::new("parameters");
    for set in sets() {
        let (mut trees, mut with, mut replaced, mut refused) = (0, 0, 0, 0);
        for sql in &set.statements {
            let Ok(tree) = Tree::parse(sql, &Default::default()) else { continue };
            let Ok(original) = tree.deparse(&Default::default()) else {
                refused += 1;
                continue;
            };
            let copy = tree.edit().unwrap();
            let parameters = copy.parameterize().unwrap();
            trees += 1;
            if !parameters.is_empty() {
                with += 1;
                // Verify that the SQL parses to this tree.
                let mut options = DeparseOptions::default();
                options.verify = true;
                let sql = copy.deparse(&options).unwrap_or_else(|error| panic!("{sql}: {error}"));
                assert_ne!(sql, original);
            }
            let put = copy.put_back(&parameters).unwrap();
            assert!(put >= parameters.len(), "{sql}");
            replaced += put;
            assert_eq!(copy.deparse(&Default::default()).unwrap(), original, "{sql}");
        }
        counts.add(format!(
            "{}: {trees} come back, {with} of them with {replaced} constants replaced, {refused} do not deparse",
            set.name
        ));
    }
    counts.check();
}

#[test]
fn constants_that_mean_something_else_stay() {
    for sql in [
        "SELECT a FROM t ORDER BY 1",
        "SELECT a FROM t GROUP BY 1, ROLLUP (1)",
        "SELECT DISTINCT ON (1) a FROM t",
        "SELECT a::numeric(10, 2) FROM t",
        "SELECT EXTRACT(year FROM a), NORMALIZE(b, NFC) FROM t",
        "SELECT a FROM t LIMIT ALL",
        "PREPARE p AS SELECT 1",
        "CREATE TABLE t (a int DEFAULT 5)",
        "CREATE VIEW v AS SELECT 1",
        "CREATE MATERIALIZED VIEW v AS SELECT 1",
        "EXPLAIN CREATE MATERIALIZED VIEW v AS SELECT 1",
        "SELECT '1'::interval year, interval(3) '1.2345'",
        "SELECT JSON_VALUE(a, b DEFAULT 5 ON EMPTY) FROM t",
        "INSERT INTO t SELECT a ON CONFLICT (lower(b || 'x')) WHERE c > 3 DO NOTHING",
    ] {
        let (with, values) = parameterized(sql);
        assert_eq!((with, values), (deparsed(&edited(sql)), vec![]), "{sql}");
    }
}

#[test]
fn compared_expressions_share_parameters() {
    for (sql, expected) in [
        (
            "SELECT a + 1, 1 FROM t WHERE b = 1 GROUP BY a + 1 HAVING a + 1 > 7 ORDER BY a + 1, a + 2",
            "SELECT a + $1, $1 FROM t WHERE b = $2 GROUP BY a + $1 HAVING a + $1 > $3 ORDER BY a + $1, a + $4",
        ),
        ("SELECT DISTINCT a || 'x' FROM t ORDER BY a || 'x'", "SELECT DISTINCT a || $1 FROM t ORDER BY a || $1"),
        ("SELECT a + 1 FROM t ORDER BY a + 1", "SELECT a + $1 FROM t ORDER BY a + $2"),
        ("UPDATE t SET (a, b) = (SELECT 1, 2), c = 3", "UPDATE t SET (a, b) = (SELECT $1, $2), c = $3"),
        ("UPDATE t SET (a, b) = ROW(1, 2)", "UPDATE t SET (a, b) = ROW($1, $2)"),
        ("UPDATE t SET (a) = 1", "UPDATE t SET (a) = $1"),
        ("UPDATE t SET (a, b) = 1", "UPDATE t SET (a, b) = $1"),
        ("SELECT 1, 1 WHERE a = 1", "SELECT $1, $2 WHERE a = $3"),
    ] {
        assert_eq!(parameterized(sql).0, expected);
    }
}

#[test]
fn every_kind_of_value_comes_and_goes() {
    let sql = "INSERT INTO t VALUES (1, -2.5, 'x''y', true, NULL, B'01', X'1f', 9999999999)";
    let (with, values) = parameterized(sql);
    assert_eq!(with, "INSERT INTO t VALUES ($1, $2, $3, $4, $5, $6, $7, $8)");
    use LiteralValue::{BitString, Boolean, Float, Integer, Null, String};
    let expected = [
        Integer(1),
        Float("-2.5".into()),
        String("x'y".into()),
        Boolean(true),
        Null,
        BitString("b01".into()),
        BitString("x1f".into()),
        Float("9999999999".into()),
    ];
    assert_eq!(values, expected);
    // Put back only one of the parameters, with a different value.
    let tree = edited("SELECT * FROM t WHERE a = $1 AND b = 2 AND c = 3");
    assert_eq!(tree.parameterize().unwrap().iter().map(|p| p.number).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(tree.put_back(&[Parameter::new(3, String("three".into()))]).unwrap(), 1);
    assert_eq!(deparsed(&tree), "SELECT * FROM t WHERE a = $1 AND b = $2 AND c = 'three'");
    assert_eq!(tree.find::<AConst>().count(), 1);
}

#[test]
fn a_hundred_thousand_constants_take_no_time_to_speak_of() {
    let list = vec!["1"; 100_000].join(", ");
    let tree = edited(&format!("SELECT a FROM t WHERE a IN ({list}) GROUP BY a, b + 1"));
    let parameters = tree.parameterize().unwrap();
    assert_eq!(parameters.len(), 100_001);
    assert_eq!(tree.put_back(&parameters).unwrap(), 100_001);
}

/// Each line of the test's file contains SQL, a tab and, if the SQL is invalid, a real server's syntax error.
#[test]
fn parameters_are_refused_where_a_server_refuses_them() {
    let (mut valid, mut refused) = (0, 0);
    let lines = include_str!("parameters/syntax_of_postgresql_18.tsv").lines().filter(|line| !line.starts_with('#'));
    for (sql, expected) in lines.filter_map(|line| line.split_once('\t')) {
        let parsed = pgq::Tree::parse(sql, &pgq::ParseOptions::default());
        if expected.is_empty() {
            assert!(parsed.is_ok(), "{sql}: {:?}", parsed.err());
            valid += 1;
            continue;
        }
        let Err(error) = parsed else { panic!("{sql}: is accepted, but not by a server: {expected}") };
        // These statements have two errors. pgq and the server may report different errors, because the parser reports
        // the error of the rule that it reduces first.
        let is_other = ["SELECT extract($1 FROM x $2)", "SELECT f(1, 2 ORDER BY 3) $1"].contains(&sql);
        assert!(error.message == expected || is_other, "{sql}: {} in place of {expected}", error.message);
        refused += 1;
    }
    assert!(valid > 10 && refused > 50, "{valid} valid, {refused} refused");
}

#[test]
fn normalized_text_is_read_where_it_is_asked_for() {
    for sql in [
        "SELECT a FROM t WHERE id $1",
        "SET ROLE $1",
        "SELECT interval $1 year",
        "SELECT $1OR",
        "ALTER ROLE a PASSWORD $1",
    ] {
        assert!(pgq::Tree::parse(sql, &pgq::ParseOptions::default()).is_err(), "{sql}");
        assert!(pgq::Tree::parse(sql, &pgq::ParseOptions::normalized()).is_ok(), "{sql}");
        assert!(pgq::fingerprint(sql).is_ok() && pgq::normalize(sql).is_ok(), "{sql}");
    }
}

#[test]
fn texts_of_pg_stat_statements_are_read() {
    for (sql, written) in [
        ("SAVEPOINT $1", "SAVEPOINT \"$1\""),
        ("PREPARE TRANSACTION $1", "PREPARE TRANSACTION '$1'"),
        ("FETCH $1 IN c", "FETCH c"),
        ("SELECT * FROM json_table($1, $2 COLUMNS (a int PATH '$'))", ""),
        ("ROLLBACK TO SAVEPOINT $12 /* é */", "ROLLBACK TO SAVEPOINT \"$12\""),
    ] {
        let tree = pgq::Tree::parse(sql, &pgq::ParseOptions::normalized()).unwrap_or_else(|e| panic!("{sql}: {e}"));
        let deparsed = tree.deparse(&DeparseOptions::default()).unwrap();
        assert!(written.is_empty() || deparsed == written, "{sql}: {deparsed}");
        assert_eq!(tree.sql(), sql);
        assert!(pgq::Tree::parse(sql, &pgq::ParseOptions::default()).is_err(), "{sql}");
    }
    assert!(pgq::fingerprint("SELECT FROM WHERE $1").is_err());
}
