//! Tests every builder. Rebuilds each node of a tree with the builder's setters, and compares the copy with the
//! original. Lists the node types that SQL never produces, and checks that deparsing them fails.

use std::collections::BTreeSet;

use pgq::edit::*;
use pgq::internals::{address, difference_to_edited, holds, is_in_place};
use pgq::nodes::{self as view, Node};
use pgq::{DeparseOptions, EditTree, ParseOptions, Tree};

use crate::common::committed;

/// The table of all nodes.
#[allow(unused_imports, unused_macros)]
#[path = "../../src/convert/nodes.rs"]
mod table;

/// Passes the value of an accessor to the setter of the same field.
macro_rules! set {
    (absent $editor:ident $view:ident $tree:ident $seen:ident $field:ident) => {};
    (location $editor:ident $view:ident $tree:ident $seen:ident $field:ident) => {};
    (node $editor:ident $view:ident $tree:ident $seen:ident $field:ident) => {
        let $editor = $editor.$field($view.$field().map(|node| rebuilt($tree, node, $seen)));
    };
    (message $editor:ident $view:ident $tree:ident $seen:ident $field:ident) => {
        let $editor = $editor.$field($view.$field().map(|node| node.rebuild($tree, $seen)));
    };
    (embed $editor:ident $view:ident $tree:ident $seen:ident $field:ident) => {
        let $editor = $editor.$field($view.$field().rebuild($tree, $seen));
    };
    (list $editor:ident $view:ident $tree:ident $seen:ident $field:ident) => {
        let $editor = $editor.$field(rebuilt_list($tree, $view.$field(), $seen));
    };
    (bitmapset $editor:ident $view:ident $tree:ident $seen:ident $field:ident) => {
        let $editor = $editor.$field($view.$field().iter());
    };
    ($plain:ident $editor:ident $view:ident $tree:ident $seen:ident $field:ident) => {
        let $editor = $editor.$field($view.$field());
    };
}

/// Rebuilds a node of one type.
trait Rebuild {
    type Editor<'a>;
    fn rebuild<'a>(self, tree: &'a EditTree, seen: &mut BTreeSet<&'static str>) -> Self::Editor<'a>;
}

impl Rebuild for view::String<'_> {
    type Editor<'a> = StringNode<'a>;
    fn rebuild<'a>(self, tree: &'a EditTree, seen: &mut BTreeSet<&'static str>) -> StringNode<'a> {
        seen.insert("String");
        tree.name(self.sval())
    }
}

fn rebuilt_list<'a>(
    tree: &'a EditTree,
    list: view::List<'_>,
    seen: &mut BTreeSet<&'static str>,
) -> Vec<Option<New<'a>>> {
    list.iter().map(|member| member.map(|node| rebuilt(tree, node, seen))).collect()
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(impl Rebuild for view::$rust<'_> {
            type Editor<'a> = $rust<'a>;
            #[inline(never)]
            fn rebuild<'a>(self, tree: &'a EditTree, seen: &mut BTreeSet<&'static str>) -> $rust<'a> {
                seen.insert($json);
                let editor = $rust::new(tree);
                $(set!($kind editor self tree seen $field);)*
                editor
            }
        })*

        /// Returns a new node with the same fields.
        fn rebuilt<'a>(tree: &'a EditTree, node: Node<'_>, seen: &mut BTreeSet<&'static str>) -> New<'a> {
            match node {
                $(Node::$rust(view) => New::from(view.rebuild(tree, seen)),)*
                Node::AConst(view) => {
                    seen.insert("A_Const");
                    tree.constant(view.value())
                }
                Node::String(view) => view.rebuild(tree, seen).into(),
                Node::Integer(view) => tree.value(view::Constant::Integer(view.ival())).unwrap(),
                Node::Float(view) => tree.value(view::Constant::Float(view.fval())).unwrap(),
                Node::Boolean(view) => tree.value(view::Constant::Boolean(view.boolval())).unwrap(),
                Node::BitString(view) => tree.value(view::Constant::BitString(view.bsval())).unwrap(),
                Node::List(list) => tree.list(rebuilt_list(tree, list, seen)).unwrap(),
                _ => unreachable!("a node that is not in the table"),
            }
        }

        /// Every builder, with all fields unset.
        const EMPTY: &[(&str, fn(&EditTree) -> New<'_>)] = &[$(($json, |tree| New::from($rust::new(tree))),)*];
    };
}
table::nodes!(walk);

/// Returns the builders of the node types that do not occur in the trees of the corpus. Only query analysis and
/// PL/pgSQL's parser create such nodes. `tests/counts/edit/unparsed.txt` lists them.
fn never_parsed(seen: &BTreeSet<&'static str>) -> Vec<&'static str> {
    EMPTY.iter().map(|(name, _)| *name).filter(|name| !seen.contains(name)).collect()
}

fn verified() -> DeparseOptions {
    let mut options = DeparseOptions::default();
    options.verify = true;
    options
}

/// Statements with nodes that the corpus lacks.
const NOT_IN_THE_CORPUS: [&str; 4] = [
    "ALTER EXTENSION e UPDATE TO '2'",
    "ALTER FUNCTION f() DEPENDS ON EXTENSION e",
    "ALTER DATABASE d REFRESH COLLATION VERSION",
    "ALTER SYSTEM SET a = 1",
];

fn rebuild_corpus() -> BTreeSet<&'static str> {
    let mut seen = BTreeSet::new();
    let (mut statements, mut in_place) = (0, 0);
    let texts: Vec<String> = pgq_corpus::sets().into_iter().flat_map(|set| set.statements).collect();
    for sql in texts.iter().map(String::as_str).chain(NOT_IN_THE_CORPUS) {
        let Ok(tree) = Tree::parse(sql, &ParseOptions::default()) else { continue };
        let copy = EditTree::new();
        for statement in tree.statements() {
            if let Some(node) = statement.node() {
                copy.push(rebuilt(&copy, node, &mut seen));
                statements += 1;
            }
        }
        assert_eq!(copy.check(), Ok(()));
        assert_eq!(difference_to_edited(&tree, &copy), None, "{sql}");
        // Deparsing must have the same outcome for the copy and the original: success, or the same kind of error.
        let options = verified();
        // Do not compare the SQL. Only a location distinguishes `date '…'` from a cast, and the copy has no locations.
        // Therefore the copy may be deparsed to different SQL.
        let (expected, found) = (tree.deparse(&options), copy.deparse(&options));
        assert_eq!(found.as_ref().err().map(|e| e.kind), expected.as_ref().err().map(|e| e.kind), "{sql}");
        // Test an editable tree without edits.
        let unchanged = tree.edit().unwrap().deparse(&options);
        assert_eq!(unchanged.as_ref().ok(), expected.as_ref().ok(), "{sql}");
        // Test a tree that is edited in the parser's memory. No node may occur twice in this tree.
        let parsed = tree.into_edit().unwrap();
        in_place += usize::from(is_in_place(&parsed));
        let nodes: Vec<_> = parsed.walk().map(|visit| visit.node).collect();
        assert_eq!(nodes.iter().map(|node| address(*node)).collect::<BTreeSet<_>>().len(), nodes.len(), "{sql}");
        assert!(nodes.iter().all(|node| holds(&parsed, *node)), "{sql}");
        assert_eq!(parsed.deparse(&options).as_ref().ok(), expected.as_ref().ok(), "{sql}");
    }
    println!("{statements} statements rebuilt by builders, {in_place} edited where they were parsed");
    assert!(statements > 40_000 && in_place > statements * 9 / 10);
    seen
}

#[test]
fn every_builder_makes_a_node_that_reads_back() {
    let test = || {
        let seen = rebuild_corpus();
        let unparsed = never_parsed(&seen);
        let text: String = unparsed.iter().map(|name| format!("{name}\n")).collect();
        committed::check("tests/counts/edit/unparsed.txt", &text, "counts");
        println!("{} of {} builders used, {} never parsed", EMPTY.len() - unparsed.len(), EMPTY.len(), unparsed.len());
        refuse_unparsed(&unparsed);
    };
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(test).unwrap();
    thread.join().unwrap();
}

/// Checks that deparsing with verification fails for nodes that the grammar never produces. Each
/// node is tested as a statement and as an expression. Deparsing must neither crash nor write SQL
/// of a different tree.
fn refuse_unparsed(names: &[&str]) {
    let options = verified();
    for (name, make) in EMPTY.iter().filter(|(name, _)| names.contains(name)) {
        let statement = EditTree::new();
        statement.push(make(&statement));
        assert!(statement.deparse(&options).is_err(), "{name} as a statement");
        let expression = EditTree::new();
        expression.push(SelectStmt::new(&expression).target_list([expression.target(make(&expression))]));
        assert!(expression.deparse(&options).is_err(), "{name} as an expression");
    }
}

#[test]
fn an_empty_node_of_any_type_is_sql_or_an_error() {
    let options = verified();
    for (_, make) in EMPTY {
        let tree = EditTree::new();
        tree.push(make(&tree));
        let _ = tree.deparse(&options);
    }
}

#[test]
fn a_node_of_another_tree_cannot_be_edited() {
    let one = EditTree::parse("SELECT 1 FROM t", &ParseOptions::default()).unwrap();
    let other = EditTree::parse("SELECT 1 FROM t", &ParseOptions::default()).unwrap();
    let table = one.find::<view::RangeVar>().next().unwrap();
    other.edit(table).relname("u");
    assert!(other.check().unwrap_err().message.contains("of another tree"));
    for tree in [&one, &other] {
        assert_eq!(tree.find::<view::RangeVar>().next().unwrap().relname(), Some("t"));
    }
    assert!(one.check().is_ok() && one.append(table, "alias", 1).is_err() && one.append(table, "nothing", 1).is_err());
}
