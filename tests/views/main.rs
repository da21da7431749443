//! Tests views, that is, typed references to the nodes of a tree: libpg_query's JSON can be rebuilt from views, walks
//! follow the order of the SQL, and deep trees work on a thread with a 2 MB stack.

#[path = "../common/mod.rs"]
mod common;
mod deep;
mod json;
mod list_members;
mod order;
mod postgres_order;
mod queries;

use pgq::{ParseOptions, Tree, reference};
use pgq_corpus::{Set, sets};

use common::counts::Counts;

/// Runs a test on a large stack, because it recurses as deep as the trees of the corpus.
fn with_large_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(test).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn views_rebuild_the_json_of_libpg_query() {
    with_large_stack(compare_json);
}

fn compare_json() {
    let mut counts = Counts::new("views/json");
    let options = ParseOptions::default();
    for Set { name, statements } in sets() {
        let (mut equal, mut refused) = (0, 0);
        for sql in &statements {
            let Ok(tree) = Tree::parse(sql, &options) else {
                refused += 1;
                continue;
            };
            let expected = reference::parse_to_json(sql, &options).expect("it parsed before");
            assert_eq!(json::document(&tree), expected, "{sql}");
            equal += 1;
        }
        assert!(equal > 0, "{name}: nothing was compared");
        counts.add(format!("{name}: {equal} equal, {refused} refused by the parser"));
    }
    counts.check();
}

#[test]
fn a_tree_prints_as_a_reader_expects() {
    let tree = Tree::parse("SELECT DISTINCT a, 'x' FROM t WHERE b > 1.5", &ParseOptions::default()).unwrap();
    let node = tree.statement(0).node().unwrap();
    let expected = r#"SelectStmt { distinctClause: [None], targetList: [ResTarget { val: ColumnRef { fields: ["a"], location: 16 }, location: 16 }, ResTarget { val: A_Const { val: String("x"), location: 19 }, location: 19 }], fromClause: [RangeVar { relname: "t", inh: true, relpersistence: 'p', location: 28 }], whereClause: A_Expr { kind: AEXPR_OP, name: [">"], lexpr: ColumnRef { fields: ["b"], location: 36 }, rexpr: A_Const { val: Float("1.5"), location: 40 }, location: 38 }, limitOption: LIMIT_OPTION_DEFAULT, op: SETOP_NONE }"#;
    assert_eq!(format!("{node:?}"), expected);
    let Some(pgq::nodes::Node::SelectStmt(select)) = tree.statement(0).node() else { panic!() };
    let table = select.from_clause().first().unwrap();
    let indented = "RangeVar {\n    relname: \"t\",\n    inh: true,\n    relpersistence: 'p',\n    location: 28,\n}";
    assert_eq!(format!("{table:#?}"), indented);
    assert_eq!(format!("{:?}", select.distinct_clause()), "[None]");
}

#[test]
fn an_empty_text_is_not_an_absent_one() {
    let options = ParseOptions::default();
    let filename = |sql: &str| {
        let tree = Tree::parse(sql, &options).unwrap();
        let Some(pgq::nodes::Node::CopyStmt(copy)) = tree.statement(0).node() else { panic!() };
        copy.filename().map(String::from)
    };
    assert_eq!(filename("COPY t FROM ''"), Some(String::new()));
    assert_eq!(filename("COPY t FROM STDIN"), None);
}

#[test]
fn locations_of_a_piece_are_those_of_its_text() {
    const SQL: &str = "SELECT a FROM t";
    for tree in [Tree::parse(SQL, &ParseOptions::default()), Tree::parse_piece(SQL, &ParseOptions::default())] {
        let tree = tree.unwrap();
        let tables: Vec<_> = tree.statement(0).node().unwrap().find::<pgq::nodes::RangeVar>().collect();
        assert_eq!(tables[0].location(), Some(14));
    }
}
