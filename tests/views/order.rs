//! Tests that walks visit every node once, in the order of PostgreSQL's structs or in the order of the SQL.

use std::ops::ControlFlow;

use pgq::nodes::{FieldValue, Node};
use pgq::{Inside, ParseOptions, Tree};
use pgq_corpus::{Set, sets};

use crate::common::counts::Counts;

/// Returns the number of nodes, counted recursively through the fields.
fn count(node: Node<'_>) -> usize {
    let mut nodes = 1;
    node.for_each_field(|field| match field.value {
        FieldValue::Node(Some(node)) | FieldValue::Typed(Some(node)) => nodes += count(node),
        FieldValue::Embedded(node) => nodes += count(node) - 1,
        FieldValue::List(list) => nodes += list.nodes().map(count).sum::<usize>(),
        _ => {}
    });
    nodes
}

/// Whether the closure visits the same nodes as the iterator, in the same order.
fn both_visit_the_same(root: Node<'_>) -> bool {
    let mut walk = root.walk().map(|visit| visit.node);
    let visited = root.visit(|node| {
        let expected = walk.next().map(|node| (node.name(), node.location()));
        if expected == Some((node.name(), node.location())) {
            ControlFlow::Continue(Inside::Visit)
        } else {
            ControlFlow::Break(())
        }
    });
    visited.is_continue() && walk.next().is_none()
}

/// Returns the location of a node if this location is the start of the node's SQL and no other node starts there.
/// Otherwise returns `None`.
fn begins_at(node: Node<'_>) -> Option<usize> {
    match node {
        Node::ColumnRef(_) | Node::AConst(_) | Node::RangeVar(_) | Node::ParamRef(_) => {
            node.location().filter(|location| *location > 0)
        }
        _ => None,
    }
}

#[test]
fn a_walk_visits_every_node_in_the_order_of_the_text() {
    crate::with_large_stack(compare_order);
}

fn compare_order() {
    let mut counts = Counts::new("views/order");
    for Set { name, statements } in sets() {
        let (mut nodes, mut leaves, mut misplaced) = (0, 0, 0);
        for sql in &statements {
            let Ok(tree) = Tree::parse(sql, &ParseOptions::default()) else { continue };
            for statement in tree.statements() {
                let Some(root) = statement.node() else { continue };
                let visited = statement.walk().count();
                assert_eq!(visited, count(root), "{sql}");
                assert_eq!(statement.walk().in_text_order().count(), visited, "{sql}");
                assert!(both_visit_the_same(root), "{sql}");
                nodes += visited;
                let places: Vec<_> =
                    statement.walk().in_text_order().filter_map(|visit| begins_at(visit.node)).collect();
                leaves += places.len();
                misplaced += places.windows(2).filter(|pair| pair[0] > pair[1]).count();
            }
        }
        counts
            .add(format!("{name}: {nodes} nodes; {misplaced} of {leaves} names and constants not in the text's order"));
    }
    counts.check();
}

#[test]
fn clauses_come_in_the_order_of_the_text() {
    #[rustfmt::skip]
    let cases = [
        ("WITH a AS (SELECT b) UPDATE c SET d = e FROM f WHERE g RETURNING h", "bcefgh"),
        ("SELECT a FROM b WHERE c GROUP BY d HAVING e ORDER BY f OFFSET g LIMIT h", "abcdefgh"),
        ("SELECT a FROM b LIMIT c OFFSET d", "abcd"),
        ("SELECT a UNION SELECT b ORDER BY c", "abc"),
        ("INSERT INTO a SELECT b FROM c ON CONFLICT (d) DO UPDATE SET e = f RETURNING g", "abcfg"),
        ("SELECT CASE a WHEN b THEN c ELSE d END, f(e, g) FILTER (WHERE h)", "abcdegh"),
        ("MERGE INTO a USING b ON c WHEN MATCHED AND d THEN DELETE", "abcd"),
        ("DELETE FROM a USING b WHERE c", "abc"),
    ];
    for (sql, expected) in cases {
        let tree = Tree::parse(sql, &ParseOptions::default()).unwrap();
        let found: String = tree
            .statement(0)
            .walk()
            .in_text_order()
            .filter_map(|visit| match visit.node {
                Node::ColumnRef(column) => column.fields().strings().next(),
                Node::RangeVar(table) => table.relname(),
                _ => None,
            })
            .collect();
        assert_eq!(found, expected, "{sql}");
    }
}

#[test]
fn a_walk_tells_where_each_node_is() {
    let tree = Tree::parse("SELECT 1, f(2, 3)", &ParseOptions::default()).unwrap();
    let last = tree.statement(0).walk().last().unwrap();
    assert_eq!((last.depth, last.field, last.index), (3, "args", Some(1)));
    assert_eq!(last.parent.map(Node::name), Some("FuncCall"));
    let root = tree.statement(0).walk().next().unwrap();
    assert_eq!((root.depth, root.field, root.index, root.parent.is_none()), (0, "", None, true));
}

#[test]
fn a_walk_skips_and_ends() {
    let tree = Tree::parse("SELECT a, (SELECT b), c", &ParseOptions::default()).unwrap();
    let node = tree.statement(0).node().unwrap();
    let mut columns = Vec::new();
    let ended = pgq::walk(node, |visit| match visit.node {
        Node::SubLink(_) => ControlFlow::Continue(Inside::Skip),
        Node::ColumnRef(column) if columns.len() == 1 => ControlFlow::Break(column.location()),
        Node::ColumnRef(column) => {
            columns.push(column.location());
            ControlFlow::Continue(Inside::Visit)
        }
        _ => ControlFlow::Continue(Inside::Visit),
    });
    assert_eq!((columns, ended), (vec![Some(7)], ControlFlow::Break(Some(22))));
    let visited = node.visit(|node| match node {
        Node::SubLink(_) => ControlFlow::Continue(Inside::Skip),
        Node::ColumnRef(column) if column.location() > Some(7) => ControlFlow::Break(column.location()),
        _ => ControlFlow::Continue(Inside::Visit),
    });
    assert_eq!(visited, ControlFlow::Break(Some(22)));
    assert!(tree.first::<pgq::nodes::ColumnRef>().unwrap().location() == Some(7));
}
