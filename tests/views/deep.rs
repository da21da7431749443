//! Trees of 100,000 levels on a thread with a 2 MB stack produce a result or an error, but never
//! overflow the stack.

use pgq::cache::ShapeCache;
use pgq::nodes::AConst;
use pgq::nodes::Constant::Integer;
use pgq::{DeparseOptions, EditTree, ErrorKind, ParseOptions, Tree};

const LEVELS: usize = 100_000;

/// Returns deeply nested statements, each with the name of the construct that is nested.
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
                    let mut visits = 0;
                    let found = node.any(|_| {
                        visits += 1;
                        false
                    });
                    assert!(!found);
                    assert_eq!(visits, node.walk().count());
                    assert!(format!("{node:?}").len() > LEVELS);
                    edit_and_keep(&sql, &tree);
                    format!("{deepest} levels walked")
                }
                // The grammar has a limit of 10,000 levels.
                Err(error) => {
                    assert!(error.message.contains("memory exhausted") || error.kind == ErrorKind::TooDeep, "{error}");
                    error.message
                }
            }
        });
        println!("{what}: {}", checked.unwrap().join().unwrap());
    }
}

/// Replaces each constant 1 with 7 in an edited copy, a shared tree and a cached tree. Checks that each of them is
/// deparsed to the SQL of `tree` with 7 in place of 1.
fn edit_and_keep(sql: &str, tree: &Tree) {
    let options = DeparseOptions::default();
    let expected = tree.deparse(&options).unwrap().replace('1', "7");
    let with_sevens = |tree: EditTree| {
        tree.find::<AConst>().filter(|c| c.value() == Integer(1)).for_each(|c| tree.set_constant(c, Integer(7)));
        assert!(tree.deparse(&options).unwrap() == expected);
        tree
    };
    with_sevens(tree.edit().unwrap());
    let frozen = with_sevens(EditTree::parse(sql, &ParseOptions::default()).unwrap()).freeze().unwrap();
    assert!(frozen.deparse(&options).unwrap() == expected);
    std::thread::spawn(move || drop(frozen)).join().unwrap();
    let cache = ShapeCache::new(1 << 30);
    with_sevens(cache.parse(sql).unwrap().edit().unwrap());
    // If the SQL is short enough to have a shape (its tokens without the values of literals), the cache already
    // contains the tree of this shape, and does not parse the SQL.
    with_sevens(cache.parse(&sql.replace('1', "7")).unwrap().edit().unwrap());
}

#[test]
fn what_builders_make_may_be_deep_on_a_small_thread() {
    let checked = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
        let tree = EditTree::parse("SELECT a FROM t WHERE b = 1", &ParseOptions::default()).unwrap();
        let (mut sum, mut not) = (tree.integer(1), tree.column(["c"]));
        for _ in 0..LEVELS {
            sum = tree.operator(sum, "+", tree.integer(1));
            not = tree.not(not);
        }
        let pgq::nodes::Node::SelectStmt(select) = tree.statement(0).unwrap() else { panic!() };
        tree.edit(select).where_clause(tree.equals(tree.column(["b"]), sum)).having_clause(not);
        let written = tree.deparse(&DeparseOptions::default());
        let refused = |kind| kind == ErrorKind::TooDeep || kind == ErrorKind::Tree;
        assert!(written.as_ref().map_or_else(|e| refused(e.kind), |sql| sql.len() > 4 * LEVELS), "{:?}", written.err());
        let frozen = tree.freeze();
        assert!(frozen.map_or_else(|e| refused(e.kind), |tree| tree.walk().count() > LEVELS));
    });
    checked.unwrap().join().unwrap();
}
