//! A node in the shortest statement that holds it, so that it can be deparsed alone.

use crate::convert::edit::{self, EditTree, New};
use crate::convert::view::Node;

/// The statement around a copy of `node`, and what is written in front of the node and behind it.
pub(super) fn wrapped<'a>(tree: &'a EditTree, node: Node<'_>) -> (&'static str, &'static str, New<'a>) {
    let (prefix, statement) = in_statement(tree, node);
    let suffix = if matches!(node, Node::WithClause(_) | Node::CommonTableExpr(_)) { " SELECT" } else { "" };
    (prefix, suffix, statement)
}

fn in_statement<'a>(tree: &'a EditTree, node: Node<'_>) -> (&'static str, New<'a>) {
    let select = || edit::SelectStmt::new(tree);
    match node {
        Node::RawStmt(raw) => match raw.stmt() {
            Some(statement) => in_statement(tree, statement),
            None => ("", tree.copied(node)),
        },
        node if is_statement(node) => ("", tree.copied(node)),
        Node::RangeVar(_)
        | Node::JoinExpr(_)
        | Node::RangeSubselect(_)
        | Node::RangeFunction(_)
        | Node::RangeTableFunc(_)
        | Node::RangeTableSample(_)
        | Node::JsonTable(_) => ("SELECT FROM ", select().from_clause([node]).into()),
        Node::ResTarget(_) => ("SELECT ", select().target_list([node]).into()),
        Node::SortBy(_) => ("SELECT ORDER BY ", select().sort_clause([node]).into()),
        Node::WithClause(with) => ("", select().with_clause(with).into()),
        Node::CommonTableExpr(cte) => {
            let with = edit::WithClause::new(tree).ctes([cte]);
            ("WITH ", select().with_clause(with).into())
        }
        Node::TypeName(name) => {
            let cast = edit::TypeCast::new(tree).arg(tree.null()).type_name(name);
            ("SELECT NULL::", select().target_list([tree.target(cast)]).into())
        }
        expression => ("SELECT ", select().target_list([tree.target(expression)]).into()),
    }
}

fn is_statement(node: Node<'_>) -> bool {
    node.name().ends_with("Stmt")
}
