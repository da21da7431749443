//! Examples of the summary for each kind of statement. The corpus test compares the same statements with
//! `pg_query_summary`.

use std::fmt::Write;

use pgq::{Context, ParseOptions, Relation, RelationKind, Summary, Tree};

/// SQL with its summary in [`describe`]'s format.
#[rustfmt::skip]
pub const CASES: &[(&str, &str)] = &[
    // Queries.
    ("SELECT 1", ""),
    ("SELECT * FROM a, s.b AS x JOIN c y ON x.i = y.i", "tables: select a, select s.b, select c; aliases: x = s.b, y = c"),
    ("SELECT * FROM a, (SELECT * FROM b) x WHERE i IN (SELECT j FROM c WHERE k = 1)", "tables: select a, select b, select c; where: i, k"),
    ("SELECT * FROM t TABLESAMPLE system (5), f(1) g, LATERAL h(2)", "tables: select t; functions: call f, call h"),
    ("SELECT * FROM a UNION SELECT * FROM b EXCEPT TABLE c", "tables: select a, select b, select c"),
    ("SELECT * FROM t x, t y", "tables: select t, select t; aliases: x = t, y = t"),
    (r#"SELECT * FROM "T" AS "X", "user", "name", "a""b", s."é""#, r#"tables: select "T", select "user", select name, select "a""b", select s."é"; aliases: X = "T""#),
    ("SELECT * FROM d.s.t", "tables: select s.t"),
    ("SELECT a INTO n FROM t FOR UPDATE OF t", "tables: select t, ddl n"),
    ("SELECT * FROM t AS x FOR SHARE OF x", "tables: select t; aliases: x = t"),
    // Names of WITH queries.
    ("WITH a AS (SELECT * FROM b) SELECT * FROM a, c x", "tables: select c, select b; aliases: x = c; with: a"),
    ("WITH a AS (SELECT * FROM a) SELECT * FROM a", "tables: select a; with: a"),
    ("WITH RECURSIVE a AS (SELECT 1 UNION SELECT * FROM a) SELECT * FROM a AS x", "aliases: x = a; with: a"),
    ("WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a", "tables: select b; with: a, b"),
    ("WITH RECURSIVE a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a", "with: a, b"),
    ("SELECT * FROM a, (WITH a AS (SELECT 1) SELECT * FROM a) x", "tables: select a; with: a"),
    ("WITH a AS (SELECT 1) SELECT * FROM (WITH a AS (SELECT * FROM a) SELECT * FROM a) x", "with: a, a"),
    ("WITH a AS (SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) x) SELECT * FROM a", "with: a, a"),
    ("WITH a AS (SELECT 1) SELECT * FROM s.a, (SELECT * FROM a) x", "tables: select s.a; with: a"),
    ("WITH a AS (SELECT 1) INSERT INTO a SELECT * FROM a", "tables: dml a; with: a"),
    ("WITH a AS (DELETE FROM t WHERE i = 1 RETURNING *) SELECT * FROM a", "tables: dml t; with: a; where: i"),
    ("CREATE RECURSIVE VIEW v (i) AS SELECT 1 UNION SELECT i + 1 FROM v", "tables: ddl v; with: v"),
    // Statements that change tables.
    ("INSERT INTO t SELECT * FROM n", "tables: dml t, select n"),
    ("INSERT INTO t VALUES (1) ON CONFLICT (a) WHERE b DO UPDATE SET c = 1 WHERE t.d = 2", "tables: dml t; where: t.d"),
    ("UPDATE t AS x SET a = (SELECT 1 FROM m) FROM n WHERE x.b = n.b", "tables: dml t, select n, select m; aliases: x = t; where: x.b, n.b"),
    ("UPDATE t SET (a, b) = (SELECT f(1), 2 FROM m WHERE c = 3)", "tables: dml t, select m; functions: call f; where: c"),
    ("DELETE FROM t USING n, m JOIN o ON true WHERE t.a = n.a", "tables: dml t, select n, select m, select o; where: t.a, n.a"),
    ("MERGE INTO t USING n ON t.a = n.a WHEN MATCHED AND n.b THEN DELETE", "tables: dml t, select n"),
    ("WITH n AS (SELECT 1) MERGE INTO t USING n x ON t.a = x.a WHEN MATCHED THEN DELETE", "tables: dml t; aliases: x = n; with: n"),
    ("MERGE INTO t USING (SELECT * FROM n) x ON true WHEN NOT MATCHED THEN INSERT VALUES ((SELECT 1 FROM m))", "tables: dml t, select n, select m"),
    ("INSERT INTO t VALUES (1) RETURNING (SELECT f(a) FROM n WHERE b = 1)", "tables: dml t, select n; functions: call f; where: b"),
    ("COPY t FROM STDIN WHERE a > 1", "tables: select t; where: a"),
    ("COPY (SELECT * FROM t) TO STDOUT", "tables: select t"),
    ("TRUNCATE a, s.b", "tables: ddl a, ddl s.b"),
    // Columns of WHERE.
    ("SELECT a FROM t WHERE b = 1 AND t.c IN (SELECT d FROM u WHERE e) AND s.t.f > 2 AND d.s.t.g GROUP BY h HAVING i", "tables: select t, select u; where: b, t.c, s.t.f, s.t.g, e"),
    ("SELECT 1 FROM t JOIN u ON t.a = u.a WHERE f(t.b) AND t.* IS NULL", "tables: select t, select u; functions: call f; where: t.b"),
    // Functions.
    ("SELECT f(g(1)), s.h(2), count(*) FILTER (WHERE i()) OVER (PARTITION BY j()), a COLLATE c AT TIME ZONE 'x'", "functions: call f, call g, call s.h, call count, call i, call j, call pg_catalog.timezone"),
    ("CALL p(f(1))", "functions: call p, call f"),
    ("CREATE FUNCTION s.f(a int DEFAULT g(1)) RETURNS int BEGIN ATOMIC SELECT h(2) FROM t; END", "tables: select t; functions: ddl s.f, call g, call h"),
    ("DROP FUNCTION f(int), s.g", "functions: ddl f, ddl s.g"),
    ("DROP PROCEDURE p", "functions: ddl p"),
    ("ALTER FUNCTION s.f(int) RENAME TO g", "functions: ddl s.f, ddl s.g"),
    ("ALTER FUNCTION f(int) COST 5", "functions: ddl f"),
    ("COMMENT ON FUNCTION f(int) IS 'x'", "functions: ddl f"),
    ("GRANT EXECUTE ON FUNCTION f(int), g TO r", "functions: ddl f, ddl g"),
    ("CREATE AGGREGATE a (int) (sfunc = f, stype = int)", "functions: ddl a"),
    ("CREATE CAST (a AS b) WITH FUNCTION f(a)", "functions: ddl f"),
    ("DROP OPERATOR + (int, int)", ""),
    // Statements that contain a query.
    ("EXPLAIN ANALYZE DELETE FROM t", "tables: dml t"),
    ("PREPARE p AS SELECT * FROM t WHERE a = $1", "tables: select t; where: a"),
    ("EXECUTE p ((SELECT f(1) FROM t))", "tables: select t; functions: call f"),
    ("DECLARE c CURSOR FOR SELECT * FROM t x WHERE a = 1", "tables: select t; aliases: x = t; where: a"),
    ("CREATE VIEW v AS SELECT * FROM t", "tables: ddl v, select t"),
    ("CREATE TABLE n AS SELECT * FROM t", "tables: ddl n, select t"),
    ("CREATE MATERIALIZED VIEW v AS SELECT * FROM t", "tables: ddl v, select t"),
    ("CREATE TABLE n AS EXECUTE p ((SELECT 1 FROM t))", "tables: ddl n, select t"),
    // Definitions of tables.
    ("CREATE TABLE t (LIKE l, a int DEFAULT f(1) REFERENCES n, FOREIGN KEY (a) REFERENCES m) INHERITS (p)", "tables: ddl t, ddl l, ddl n, ddl m, ddl p; functions: call f"),
    ("CREATE TABLE t PARTITION OF p FOR VALUES FROM (1) TO (2)", "tables: ddl t, ddl p"),
    ("CREATE FOREIGN TABLE t (a int) SERVER s", "tables: ddl t"),
    ("ALTER TABLE t ATTACH PARTITION p DEFAULT", "tables: ddl t, ddl p"),
    ("ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES n, ADD CHECK (f(a)), INHERIT p", "tables: ddl t, ddl n, ddl p; functions: call f"),
    ("ALTER TABLE s.t RENAME TO n", "tables: ddl s.t, ddl s.n"),
    ("ALTER TABLE t RENAME COLUMN a TO b", "tables: ddl t"),
    ("ALTER VIEW v RENAME TO w", "tables: ddl v, ddl w"),
    ("ALTER TABLE t SET SCHEMA s", "tables: ddl t"),
    ("CREATE INDEX i ON t (f(a)) WHERE g(b)", "tables: ddl t; functions: call f, call g"),
    ("CREATE STATISTICS s ON a, b FROM t", "tables: ddl t"),
    ("CREATE STATISTICS s ON a, b FROM t JOIN u ON true", "tables: ddl t, ddl u"),
    ("CREATE SCHEMA s CREATE SEQUENCE q CREATE TABLE t (a int)", "tables: ddl t; others: sequence q"),
    ("IMPORT FOREIGN SCHEMA s LIMIT TO (a, b) FROM SERVER x INTO y", "tables: ddl a, ddl b"),
    // Definitions of objects that belong to a table.
    ("CREATE TRIGGER g AFTER INSERT ON t WHEN (f(NEW.a)) EXECUTE FUNCTION s.h()", "tables: ddl t; functions: ddl s.h, call f"),
    ("CREATE EVENT TRIGGER g ON sql_drop EXECUTE FUNCTION f()", "functions: ddl f"),
    ("CREATE RULE r AS ON INSERT TO t DO ALSO (INSERT INTO n SELECT * FROM m; DELETE FROM o WHERE a = 1)", "tables: ddl t, dml n, select m, dml o; where: a"),
    ("CREATE POLICY p ON t USING (a IN (SELECT b FROM n WHERE c = 1))", "tables: ddl t, select n; where: c"),
    ("DROP TRIGGER g ON s.t", "tables: ddl s.t"),
    ("DROP POLICY p ON t", "tables: ddl t"),
    ("COMMENT ON COLUMN s.t.a IS 'x'", "tables: ddl s.t"),
    ("COMMENT ON CONSTRAINT c ON t IS 'x'", "tables: ddl t"),
    ("ALTER TRIGGER g ON t DEPENDS ON EXTENSION e", "tables: ddl t"),
    ("SET CONSTRAINTS s.c DEFERRED", ""),
    // Other statements that name tables.
    ("DROP TABLE a, s.b", "tables: ddl a, ddl s.b"),
    ("DROP TABLE a.b.c.d", "tables: ddl c.d"),
    ("DROP VIEW v, w", "tables: ddl v, ddl w"),
    ("COMMENT ON TABLE t IS 'x'", "tables: ddl t"),
    ("GRANT SELECT ON t TO r", "tables: ddl t"),
    ("GRANT SELECT ON ALL TABLES IN SCHEMA s TO r", ""),
    ("VACUUM t, s.u (a)", "tables: ddl t, ddl s.u"),
    ("LOCK t", "tables: ddl t"),
    ("CLUSTER t USING i", "tables: ddl t"),
    ("REINDEX TABLE t", "tables: ddl t"),
    ("REFRESH MATERIALIZED VIEW v", "tables: ddl v"),
    ("CREATE PUBLICATION p FOR TABLE t WHERE (f(a)), s.u", "tables: ddl t, ddl s.u; functions: call f"),
    ("ALTER EXTENSION e ADD TABLE t", "tables: ddl t"),
    // Relations that are not tables, and other names.
    ("REINDEX INDEX i", "others: index i"),
    ("ALTER INDEX i ATTACH PARTITION j", "others: index i, index j"),
    ("DROP INDEX s.i", "others: index s.i"),
    ("CREATE SEQUENCE q", "others: sequence q"),
    ("CREATE SEQUENCE q INCREMENT 2 OWNED BY s.t.a", "tables: ddl s.t; others: sequence q"),
    ("CREATE SEQUENCE q OWNED BY NONE", "others: sequence q"),
    ("ALTER SEQUENCE q OWNED BY t.a", "tables: ddl t; others: sequence q"),
    ("ALTER TABLE q OWNER TO r", "tables: ddl q"),
    ("ALTER SEQUENCE q OWNER TO r", "others: sequence q"),
    ("GRANT USAGE ON SEQUENCE q TO r", "others: sequence q"),
    ("CREATE TYPE c AS (a int)", "others: type c"),
    ("ALTER TYPE c ADD ATTRIBUTE b int", "others: type c"),
    ("DROP TYPE c", ""),
    ("ALTER TYPE c RENAME TO d", ""),
    ("CREATE DOMAIN d AS int CHECK (f(VALUE))", "functions: call f"),
    ("NOTIFY t; LISTEN t; SET search_path = s; BEGIN", ""),
];

/// Formats the summaries of a script's statements: `tables: select t; functions: call f`. Leaves out empty lists.
fn describe(sql: &str) -> String {
    let tree = Tree::parse(sql, &ParseOptions::default()).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let texts = tree.statements().map(|statement| describe_one(&statement.summary().unwrap()));
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" | ")
}

fn describe_one(summary: &Summary) -> String {
    let mut text = String::new();
    let mut list = |name: &str, items: Vec<String>| {
        if !items.is_empty() {
            let separator = if text.is_empty() { "" } else { "; " };
            write!(text, "{separator}{name}: {}", items.join(", ")).unwrap();
        }
    };
    list("tables", summary.tables.iter().map(|t| format!("{} {}", context(t.context), t.name)).collect());
    list("others", summary.other_relations.iter().map(|r| format!("{} {}", kind(r), r.name)).collect());
    list("aliases", summary.aliases.iter().map(|a| format!("{} = {}", a.alias, a.name)).collect());
    list("with", summary.ctes.clone());
    list("functions", summary.functions.iter().map(|f| format!("{} {}", context(f.context), f.name)).collect());
    let columns = summary.filter_columns.iter();
    let parts = columns.map(|c| [c.schema.clone(), c.table.clone(), Some(c.column.clone())]);
    list("where", parts.map(|parts| parts.into_iter().flatten().collect::<Vec<_>>().join(".")).collect());
    text
}

fn context(context: Context) -> &'static str {
    match context {
        Context::Select => "select",
        Context::Dml => "dml",
        Context::Ddl => "ddl",
        Context::Call => "call",
        _ => unreachable!("no other context"),
    }
}

fn kind(relation: &Relation) -> &'static str {
    match relation.kind {
        RelationKind::Index => "index",
        RelationKind::Sequence => "sequence",
        RelationKind::Type => "type",
        _ => unreachable!("tables have a list of their own"),
    }
}

#[test]
fn statements_refer_to_these() {
    let wrong = CASES.iter().filter_map(|(sql, expected)| {
        let found = describe(sql);
        (found != *expected).then(|| format!("{sql}\n  expected: {expected}\n  found:    {found}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn kinds_of_statements_are_those_of_the_nodes() {
    for (sql, expected) in [
        ("SELECT (SELECT 1)", vec!["SelectStmt"]),
        ("EXPLAIN INSERT INTO t SELECT 1", vec!["ExplainStmt", "InsertStmt", "SelectStmt"]),
        ("COPY (SELECT 1) TO STDOUT", vec!["CopyStmt", "SelectStmt"]),
        ("CREATE FOREIGN TABLE t () SERVER s", vec!["CreateForeignTableStmt"]),
    ] {
        let tree = Tree::parse(sql, &ParseOptions::default()).unwrap();
        assert_eq!(tree.statement(0).summary().unwrap().statement_kinds, expected, "{sql}");
    }
}

#[test]
fn locations_are_offsets_in_the_text_of_the_tree() {
    let sql = "SELECT 1; SELECT f(é) FROM s.t AS x WHERE x.a";
    for tree in [Tree::parse(sql, &ParseOptions::default()), Tree::parse_piece(sql, &ParseOptions::default())] {
        let summary = tree.unwrap().statement(1).summary().unwrap();
        let text = |location: Option<usize>| &sql[location.unwrap()..];
        assert!(text(summary.tables[0].location).starts_with("s.t"));
        assert!(text(summary.aliases[0].location).starts_with("s.t"));
        assert!(text(summary.functions[0].location).starts_with("f("));
        assert!(text(summary.filter_columns[0].location).starts_with("x.a"));
    }
    let tree = Tree::parse("DROP TABLE t", &ParseOptions::default()).unwrap();
    assert_eq!(tree.statement(0).summary().unwrap().tables[0].location, None);
}

#[test]
fn a_name_of_three_parts_has_a_catalog() {
    for sql in ["SELECT 1 FROM d.s.t", "DROP TABLE d.s.t"] {
        let tree = Tree::parse(sql, &ParseOptions::default()).unwrap();
        let summary = tree.statement(0).summary().unwrap();
        assert_eq!((summary.tables[0].catalog.as_deref(), &*summary.tables[0].name), (Some("d"), "s.t"), "{sql}");
    }
}

/// A relation without a node has no location in the SQL.
#[test]
fn relations_that_are_nodes_are_those_with_places() {
    for (sql, _) in CASES {
        for statement in Tree::parse(sql, &ParseOptions::default()).unwrap().statements() {
            let summary = statement.summary().unwrap();
            let relations = summary.tables.iter().chain(&summary.other_relations);
            let mut listed: Vec<_> = relations.filter_map(|r| Some((r.location?, r.relation.clone()))).collect();
            let nodes = statement.table_nodes().unwrap();
            let mut found: Vec<_> =
                nodes.iter().map(|n| (n.location().unwrap(), n.relname().unwrap().into())).collect();
            listed.sort();
            found.sort();
            assert_eq!(found, listed, "{sql}");
        }
    }
}

#[test]
fn short_cuts_give_names_once_and_sorted() {
    let sql = "WITH c AS (SELECT 1) SELECT g(1), f(2), g(3) FROM t, s, t, c WHERE a; DROP TABLE r";
    assert_eq!(pgq::tables(sql).unwrap(), ["r", "s", "t"]);
    let tree = Tree::parse(sql, &ParseOptions::default()).unwrap();
    let statement = tree.statement(0);
    assert_eq!(statement.tables().unwrap(), ["s", "t"]);
    assert_eq!(statement.functions().unwrap(), ["f", "g"]);
    assert_eq!(statement.ctes().unwrap(), ["c"]);
    assert_eq!(statement.filter_columns().unwrap()[0].column, "a");
}
