//! Wraps a node in a short statement, because only statements can be deparsed. The statement is
//! deparsed once and then dropped, so it can refer to the node instead of copying it.

use crate::convert::edit::{self, Any, Child, EditTree, InPlace};
use crate::convert::view::{self, Node};

/// Puts a statement that contains `node` into `tree`. Returns the SQL of this statement before and after the node. The
/// tree must not be edited afterwards, because the statement may refer to `node` itself and not to a copy.
pub(super) fn wrap(tree: &EditTree, node: Node<'_>) -> (&'static str, &'static str) {
    let node = match node {
        Node::RawStmt(raw) => raw.stmt().unwrap_or(node),
        node => node,
    };
    match InPlace::new(node) {
        Some(in_place) => put(tree, node, in_place),
        None => {
            tree.push(node);
            ("", "")
        }
    }
}

fn put<'a, T>(tree: &'a EditTree, node: Node<'_>, child: T) -> (&'static str, &'static str)
where
    T: Child<'a, Any>
        + Child<'a, view::WithClause<'static>>
        + Child<'a, view::TypeName<'static>>
        + Child<'a, view::CommonTableExpr<'static>>,
{
    let select = || edit::SelectStmt::new(tree);
    let (prefix, suffix) = match node {
        node if is_statement(node) => {
            tree.push(child);
            return ("", "");
        }
        Node::RangeVar(_)
        | Node::JoinExpr(_)
        | Node::RangeSubselect(_)
        | Node::RangeFunction(_)
        | Node::RangeTableFunc(_)
        | Node::RangeTableSample(_)
        | Node::JsonTable(_) => {
            tree.push(select().from_clause([child]));
            ("SELECT FROM ", "")
        }
        Node::ResTarget(_) => {
            tree.push(select().target_list([child]));
            ("SELECT ", "")
        }
        Node::SortBy(_) => {
            tree.push(select().sort_clause([child]));
            ("SELECT ORDER BY ", "")
        }
        Node::WithClause(_) => {
            tree.push(select().with_clause(child));
            ("", " SELECT")
        }
        Node::CommonTableExpr(_) => {
            let with = edit::WithClause::new(tree).ctes([child]);
            tree.push(select().with_clause(with));
            ("WITH ", " SELECT")
        }
        Node::TypeName(_) => {
            let cast = edit::TypeCast::new(tree).arg(tree.null()).type_name(child);
            tree.push(select().target_list([tree.target(cast)]));
            ("SELECT NULL::", "")
        }
        _ => {
            tree.push(select().target_list([tree.target(child)]));
            ("SELECT ", "")
        }
    };
    (prefix, suffix)
}

fn is_statement(node: Node<'_>) -> bool {
    node.name().ends_with("Stmt")
}
