//! Tests of edited trees. The library must either produce a tree that the parser also produces, or report an error.

use pgq::nodes::enums::{SortByDir, VariableSetKind};
use pgq::nodes::{AConst, ColumnRef, Constant, Node, RangeVar, SelectStmt, WithClause};
use pgq::{DeparseOptions, EditTree, Error, ErrorKind, Tree, edit};

fn parsed(sql: &str) -> EditTree {
    EditTree::parse(sql, &Default::default()).expect(sql)
}

/// Returns the SQL of a tree. The parser must produce the same tree from it.
fn verified(tree: &EditTree) -> Result<String, Error> {
    let mut options = DeparseOptions::default();
    options.verify = true;
    tree.deparse(&options)
}

fn query(tree: &EditTree) -> SelectStmt<'_> {
    tree.find::<SelectStmt>().next().unwrap()
}

#[test]
fn a_condition_is_added_to_any() {
    for (sql, expected) in [
        ("SELECT 1 FROM t WHERE a", "SELECT 1 FROM t WHERE a AND x = $1"),
        ("SELECT 1 FROM t WHERE a AND b", "SELECT 1 FROM t WHERE a AND b AND x = $1"),
        ("SELECT 1 FROM t WHERE a OR b", "SELECT 1 FROM t WHERE (a OR b) AND x = $1"),
        ("SELECT 1 FROM t WHERE NOT a", "SELECT 1 FROM t WHERE NOT a AND x = $1"),
        ("SELECT 1 FROM t", "SELECT 1 FROM t WHERE x = $1"),
    ] {
        let tree = parsed(sql);
        let select = query(&tree);
        let old = select.where_clause().map(|condition| tree.copied(condition));
        let new = tree.equals(tree.column(["x"]), tree.parameter(1));
        tree.edit(select).where_clause(tree.and(old.into_iter().chain([new])));
        assert_eq!(verified(&tree).unwrap(), expected);
    }
    let tree = parsed("SELECT 1 FROM t WHERE a OR b");
    let select = query(&tree);
    tree.edit(select).where_clause(tree.or([tree.copied(select.where_clause().unwrap()), tree.column(["c"])]));
    assert_eq!(verified(&tree).unwrap(), "SELECT 1 FROM t WHERE a OR b OR c");
}

#[test]
fn tables_are_renamed_and_nothing_else() {
    for (sql, expected) in [
        ("SELECT t.a FROM t, u AS t2 WHERE t.a = 1", "SELECT t.a FROM t_7, u_7 t2 WHERE t.a = 1"),
        ("WITH t AS (SELECT 1 FROM t) SELECT * FROM t", "WITH t AS (SELECT 1 FROM t_7) SELECT * FROM t"),
        ("SELECT 1 FROM t FOR UPDATE OF t", "SELECT 1 FROM t_7 FOR UPDATE OF t"),
        (
            "INSERT INTO t SELECT * FROM s.u RETURNING (SELECT 1 FROM v)",
            "INSERT INTO t_7 SELECT * FROM s.u_7 RETURNING (SELECT 1 FROM v_7)",
        ),
        (
            "MERGE INTO t USING u ON a = b WHEN MATCHED THEN DELETE",
            "MERGE INTO t_7 USING u_7 ON a = b WHEN MATCHED THEN DELETE",
        ),
        ("UPDATE t SET (a, b) = (SELECT 1, 2 FROM u)", "UPDATE t_7 SET (a, b) = (SELECT 1, 2 FROM u_7)"),
        ("SET CONSTRAINTS t DEFERRED; TRUNCATE t", "SET CONSTRAINTS t DEFERRED; TRUNCATE t_7"),
    ] {
        let tree = parsed(sql);
        for table in tree.table_nodes().unwrap() {
            let name = format!("{}_7", table.relname().unwrap());
            tree.edit(table).relname(&*name);
        }
        assert_eq!(verified(&tree).unwrap(), expected);
    }
}

/// In `SET (a, b) = (SELECT …)` both columns refer to the same query node.
#[test]
fn what_columns_share_is_changed_once() {
    let tree = parsed("UPDATE t SET (a, b) = (SELECT 1, 2)");
    for constant in tree.find::<AConst>() {
        let Constant::Integer(value) = constant.value() else { panic!() };
        tree.set_constant(constant, Constant::Integer(value + 1));
    }
    assert_eq!(verified(&tree).unwrap(), "UPDATE t SET (a, b) = (SELECT 2, 3)");
    for visit in tree.walk().filter(|visit| visit.field == "source") {
        tree.replace(visit, tree.column(["c"])).unwrap();
    }
    assert_eq!(verified(&tree).unwrap(), "UPDATE t SET (a, b) = c");
    assert!(tree.freeze().unwrap().to_json().unwrap().matches("ColumnRef").count() == 2);
}

#[test]
fn limits_come_and_go() {
    let tree = parsed("SELECT 1");
    tree.limit(query(&tree), 5);
    assert_eq!(verified(&tree).unwrap(), "SELECT 1 LIMIT 5");
    tree.limit(query(&tree), tree.parameter(2));
    tree.offset(query(&tree), 7);
    assert_eq!(verified(&tree).unwrap(), "SELECT 1 LIMIT $2 OFFSET 7");
    tree.limit(query(&tree), None::<i32>);
    assert_eq!(verified(&tree).unwrap(), "SELECT 1 OFFSET 7");
    tree.offset(query(&tree), None::<i32>);
    assert_eq!(verified(&tree).unwrap(), "SELECT 1");

    let tree = parsed("SELECT 1 ORDER BY 1 FETCH FIRST 3 ROWS WITH TIES");
    tree.limit(query(&tree), 4);
    assert_eq!(verified(&tree).unwrap(), "SELECT 1 ORDER BY 1 FETCH FIRST 4 ROWS WITH TIES");
}

#[test]
fn new_nodes_have_the_values_of_the_parser() {
    let tree = EditTree::new();
    let name = edit::TypeName::new(&tree).names(tree.names(["text"]));
    let cast = edit::TypeCast::new(&tree).arg(tree.column(["a"])).type_name(name);
    let sort = edit::SortBy::new(&tree).node(tree.column(["b"])).sortby_dir(SortByDir::SORTBY_DEFAULT);
    let window = edit::WindowDef::new(&tree).order_clause([sort]);
    let call = edit::FuncCall::new(&tree).funcname(tree.names(["rank"])).over(window);
    let targets = [tree.target(cast), tree.target(call)];
    tree.push(edit::SelectStmt::new(&tree).target_list(targets).from_clause([tree.table(None, "t")]));
    assert_eq!(verified(&tree).unwrap(), "SELECT a::text, rank() OVER (ORDER BY b) FROM t");

    let tree = EditTree::new();
    let name = edit::TypeName::new(&tree).names(tree.names(["text"]));
    let column = edit::ColumnDef::new(&tree).colname("a").type_name(name);
    tree.push(edit::CreateStmt::new(&tree).relation(tree.table(None, "t")).table_elts([column]));
    assert_eq!(verified(&tree).unwrap(), "CREATE TABLE t (a text)");

    let tree = EditTree::new();
    let set = edit::VariableSetStmt::new(&tree).name("a").kind(VariableSetKind::VAR_SET_DEFAULT);
    tree.push(set);
    assert_eq!(verified(&tree).unwrap(), "SET a TO DEFAULT");
}

#[test]
fn what_is_no_number_is_an_error() {
    for (number, is_one) in [
        ("1.5", true),
        ("-1.5", true),
        ("1e10", true),
        ("99999999999", true),
        (".5", true),
        ("", false),
        ("-", false),
        ("1.5 ", false),
        ("1.5; DROP TABLE x", false),
        ("1.5 --", false),
        ("--1.5", false),
        ("1.5a", false),
        ("NaN", false),
        ("'1'", false),
        ("1.5\0", false),
    ] {
        let tree = parsed("SELECT 2 FROM t");
        tree.set_constant(tree.find::<AConst>().next().unwrap(), Constant::Float(number));
        match verified(&tree) {
            Ok(sql) => assert!(is_one && sql == format!("SELECT {number} FROM t"), "{number}: {sql}"),
            Err(error) => assert!(!is_one && error.kind == ErrorKind::Tree, "{number}: {error}"),
        }
    }
}

#[test]
fn conditions_of_nothing_are_an_error() {
    let tree = parsed("DELETE FROM t WHERE a");
    let delete = tree.find::<pgq::nodes::DeleteStmt>().next().unwrap();
    tree.edit(delete).where_clause(tree.and(None::<edit::New<'_>>));
    assert_eq!(tree.deparse(&Default::default()).unwrap_err().message, "AND or OR without a condition");
}

#[test]
fn trees_are_printed() {
    let tree = pgq::Tree::parse("SELECT a", &Default::default()).unwrap();
    let printed = format!("{tree:?}");
    assert!(printed.starts_with("[SelectStmt {") && printed.contains("ColumnRef"), "{printed}");
    assert_eq!(format!("{:?}", tree.edit().unwrap()).matches("SelectStmt").count(), 1);
    assert_eq!(format!("{:?}", tree.to_owned().unwrap()).matches("SelectStmt").count(), 1);
    let error = pgq::Tree::parse("SELECT FROM WHERE", &Default::default()).unwrap_err();
    assert_eq!(error.sqlstate.unwrap().to_string(), "42601");
}

#[test]
fn copies_from_another_tree_and_new_nodes_have_no_location() {
    // The WITH clause is at location 0, which is a valid location.
    let sql = "WITH w AS (SELECT b FROM t) SELECT a + 1 FROM w";
    let parsed: Tree = sql.parse().unwrap();
    assert_eq!(parsed.find::<WithClause>().next().unwrap().location(), Some(0));
    let copy = parsed.statement(0).edit().unwrap();
    let again = EditTree::new();
    again.push(copy.statement(0));
    for tree in [&copy, &again] {
        assert_eq!(tree.find::<WithClause>().next().unwrap().location(), None);
        assert!(tree.find::<ColumnRef>().all(|column| column.location().is_none()));
        assert!(tree.find::<RangeVar>().all(|table| table.location().is_none()));
        assert!(tree.find::<AConst>().all(|constant| constant.location().is_none()));
        assert_eq!(verified(tree).unwrap(), parsed.deparse(&Default::default()).unwrap());
    }
    let new = copy.operator(copy.column(["x"]), "=", copy.integer(1));
    let Node::AExpr(new) = new.node() else { panic!() };
    assert_eq!(new.location(), None);
    assert_eq!(new.rexpr().and_then(|one| one.downcast::<AConst>()).unwrap().location(), None);
    // Copies within a tree keep their locations, because these are offsets in the tree's own SQL.
    let own: EditTree = sql.parse().unwrap();
    let column = own.find::<ColumnRef>().find(|column| column.location() == Some(35)).unwrap();
    let Node::ColumnRef(copied) = own.copied(column.into()).node() else { panic!() };
    assert_eq!(copied.location(), Some(35));
}
