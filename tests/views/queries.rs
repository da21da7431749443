//! Tests functions that answer common questions about a statement: its parameters, its columns, any node as SQL, and
//! truncated SQL.

use pgq::nodes::{CommonTableExpr, FuncCall, JoinExpr, Node, RangeVar, ResTarget, SortBy, TypeName};
use pgq::{Access, ParseOptions, Tree, reference};
use pgq_corpus::{Set, sets};

use crate::common::counts::Counts;

fn parsed(sql: &str) -> Tree {
    Tree::parse(sql, &ParseOptions::default()).unwrap()
}

#[test]
fn parameters_and_columns_are_in_the_order_of_the_text() {
    let tree = parsed("UPDATE t SET a = $2 FROM u WHERE u.b = $1 RETURNING c, u.*");
    let statement = tree.statement(0);
    assert_eq!(statement.params().map(|param| param.number()).collect::<Vec<_>>(), [2, 1]);
    let columns: Vec<_> = statement.columns().map(|c| c.fields().strings().collect::<Vec<_>>().join(".")).collect();
    assert_eq!(columns, ["u.b", "c", "u"]);
    assert!(!statement.is_utility());
    let tree = parsed("UPDATE t SET (a, b) = (SELECT x, $1 FROM u) WHERE c = $2");
    let statement = tree.statement(0);
    assert_eq!(statement.params().map(|param| param.number()).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(statement.columns().count(), 2);
    assert!(parsed("CREATE TABLE t AS SELECT 1").statement(0).is_utility());
}

#[test]
fn bodies_of_functions_are_found() {
    let body = |sql: &str| {
        let tree = parsed(sql);
        tree.statement(0).function_body().map(|body| (body.language.map(String::from), body.text.to_string()))
    };
    let some = |language: &str, text: &str| Some((Some(language.to_string()), text.to_string()));
    assert_eq!(body("CREATE FUNCTION f() RETURNS int AS $$SELECT 1$$ LANGUAGE SQL"), some("sql", "SELECT 1"));
    assert_eq!(body("CREATE PROCEDURE f() LANGUAGE plpgsql AS 'BEGIN END'"), some("plpgsql", "BEGIN END"));
    assert_eq!(body("DO $$BEGIN END$$"), some("plpgsql", "BEGIN END"));
    assert_eq!(body("DO LANGUAGE plperl 'x'"), some("plperl", "x"));
    assert_eq!(body("CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'library', 'symbol'"), None);
    assert_eq!(body("CREATE FUNCTION f() RETURNS int RETURN 1"), None);
    assert_eq!(body("SELECT 1"), None);
}

#[test]
fn any_node_is_written_as_sql() {
    const SQL: &str = "WITH w AS (SELECT 1 AS x) SELECT f(a, 1) AS y, b::numeric(5, 2) FROM s.t AS z JOIN w ON z.id = w.x \
                       WHERE a > 5 ORDER BY a DESC NULLS LAST";
    let tree = parsed(SQL);
    let node = tree.statement(0).node().unwrap();
    fn first<'t, T: pgq::nodes::NodeType<'t>>(node: Node<'t>) -> String {
        let found: Node<'t> = node.find::<T>().next().unwrap().into();
        found.deparse().unwrap()
    }
    assert_eq!(node.deparse().unwrap(), tree.deparse(&Default::default()).unwrap());
    assert_eq!(first::<CommonTableExpr>(node), "w AS (SELECT 1 AS x)");
    assert_eq!(first::<FuncCall>(node), "f(a, 1)");
    assert_eq!(first::<RangeVar>(node), "s.t z");
    assert_eq!(first::<JoinExpr>(node), "s.t z JOIN w ON z.id = w.x");
    assert_eq!(first::<TypeName>(node), "numeric(5, 2)");
    assert_eq!(first::<SortBy>(node), "a DESC NULLS LAST");
    assert_eq!(
        node.find::<ResTarget>().next().map(|target| Node::from(target).deparse().unwrap()).unwrap(),
        "f(a, 1) AS y"
    );
}

#[test]
fn tables_are_read_written_created_altered_or_dropped() {
    use Access::{Alter, Create, Drop, Name, Read, Write};
    let cases: [(&str, &[(Access, &str)]); 14] = [
        ("SELECT * FROM a JOIN b USING (c)", &[(Read, "a"), (Read, "b")]),
        ("INSERT INTO a SELECT * FROM b", &[(Write, "a"), (Read, "b")]),
        ("MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE", &[(Write, "a"), (Read, "b")]),
        ("COPY a FROM STDIN", &[(Write, "a")]),
        ("COPY a TO STDOUT", &[(Read, "a")]),
        ("TRUNCATE a, b", &[(Write, "a"), (Write, "b")]),
        ("CREATE TABLE a (b int REFERENCES c)", &[(Create, "a"), (Name, "c")]),
        ("CREATE TABLE a AS SELECT * FROM b", &[(Create, "a"), (Read, "b")]),
        ("CREATE VIEW a AS SELECT * FROM b", &[(Create, "a"), (Read, "b")]),
        ("ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c", &[(Alter, "a"), (Name, "c")]),
        ("DROP TABLE a, s.b", &[(Drop, "a"), (Drop, "s.b")]),
        ("DROP TRIGGER x ON a", &[(Alter, "a")]),
        ("EXPLAIN ANALYZE DELETE FROM a USING b", &[(Write, "a"), (Read, "b")]),
        ("LOCK TABLE a", &[(Name, "a")]),
    ];
    for (sql, expected) in cases {
        let summary = parsed(sql).statement(0).summary().unwrap();
        let found: Vec<_> = summary.tables.iter().map(|table| (table.access, table.name.as_str())).collect();
        assert_eq!(found, expected, "{sql}");
    }
}

#[test]
fn shorter_texts_equal_libpg_querys() {
    crate::with_large_stack(|| {
        let mut counts = Counts::new("views/truncate");
        for Set { name, statements } in sets() {
            let (mut equal, mut refused, mut differ) = (0, 0, Vec::new());
            for (index, sql) in statements.iter().enumerate() {
                let Ok(tree) = Tree::parse(sql, &ParseOptions::default()) else { continue };
                // Compare only ASCII, because libpg_query's limit is a number of bytes, and pgq's limit is a number of
                // characters. The results may also differ where pgq fixes an error of libpg_query's deparser.
                if tree.len() != 1 || !sql.is_ascii() {
                    continue;
                }
                let limit = [20, 40, 80][index % 3];
                match (tree.statement(0).truncate(limit), reference::truncate(sql, limit as i32)) {
                    (Ok(ours), Ok(theirs)) if ours == theirs => equal += 1,
                    (Ok(ours), theirs) => {
                        assert!(ours.chars().count() <= limit, "{ours}");
                        differ.push((sql, ours, theirs));
                    }
                    (Err(_), _) => refused += 1,
                }
            }
            for (sql, ours, theirs) in differ.iter().take(3) {
                println!("{sql}\n  ours:   {ours}\n  theirs: {theirs:?}");
            }
            counts.add(format!("{name}: {equal} equal, {} differ, {refused} refused", differ.len()));
        }
        counts.check();
    });
}
