//! The proxy with pg_raw_parse, which has references to PostgreSQL's tree and transforms a copy.

use std::ops::ControlFlow;

use pg_raw_parse::make::{self, MemoryToken};
use pg_raw_parse::nodes::{A_Expr, RangeVarMut};
use pg_raw_parse::raw::A_Expr_Kind;
use pg_raw_parse::transform::Transform;
use pg_raw_parse::walk::{Recurse, walk_manual};
use pg_raw_parse::{ConstValue, Node};

use crate::{KEY, Route, SHARDS, TENANT, VOLATILE, sharded};

/// Renames tables for a shard.
struct ToShard<'mem>(MemoryToken<'mem>, i32);

impl<'mem> Transform<'mem> for ToShard<'mem> {
    fn transform_range_var<'mutref>(&mut self, mut table: RangeVarMut<'mem, 'mutref>) {
        if let Some(name) = table.relname() {
            let name = sharded(name, self.1);
            table.set_relname(Some(self.0.copy_string(&name)));
        }
    }
}

/// Routes and rewrites one query. Returns `None` if it does not parse.
pub fn route(sql: &str) -> Option<Route> {
    let tree = pg_raw_parse::parse(sql).ok()?;
    let root = tree.stmts().next()?;
    let writes = !matches!(root, Node::SelectStmt(_));
    let cacheable = !writes && !any(root, is_volatile);
    let shard = key(root).map(|key| key.rem_euclid(SHARDS));
    let of_tenant = !any(root, is_foreign);
    let Some(shard) = shard else {
        return Some(Route { cacheable, of_tenant, shard, writes, sql: sql.to_string() });
    };
    let statement = tree.into_iter().next()?;
    let routed = make::owned(|mem| {
        let mut copy = mem.make_unique(statement);
        ToShard(mem, shard).transform_raw_stmt(copy.as_mut());
        copy
    });
    let sql = pg_raw_parse::deparse(&*routed).ok()?.as_str().to_string();
    Some(Route { cacheable, of_tenant, shard: Some(shard), writes, sql })
}

/// Returns whether `f` returns true for a node. Stops at the first such node.
fn any(root: Node<'_>, f: impl Fn(Node<'_>) -> bool) -> bool {
    walk_manual(root, |node| if f(node) { ControlFlow::Break(()) } else { Recurse::yes() }).is_some()
}

fn is_volatile(node: Node<'_>) -> bool {
    let Node::FuncCall(call) = node else { return false };
    call.funcname().iter().filter_map(Node::as_str).last().is_some_and(|name| VOLATILE.contains(&name))
}

fn is_foreign(node: Node<'_>) -> bool {
    matches!(node, Node::RangeVar(table) if !table.relname().is_some_and(|name| name.starts_with(TENANT)))
}

/// Returns the value that the query compares with the sharding key or assigns to it.
fn key(root: Node<'_>) -> Option<i32> {
    let value = match root {
        Node::InsertStmt(insert) => {
            let index = insert.cols().iter().position(is_key)?;
            let Node::SelectStmt(source) = insert.select_stmt() else { return None };
            let row = source.values_lists().iter().next()?;
            row.as_node_list()?.iter().nth(index)?
        }
        _ => walk_manual(root, |node| match node {
            Node::A_Expr(expression) => match compared_with_key(expression) {
                Some(value) => ControlFlow::Break(value),
                None => Recurse::yes(),
            },
            _ => Recurse::yes(),
        })?,
    };
    match value {
        Node::A_Const(constant) => match constant.val()? {
            ConstValue::Integer(key) => Some(key),
            _ => None,
        },
        _ => None,
    }
}

fn is_key(column: Node<'_>) -> bool {
    matches!(column, Node::ResTarget(column) if column.name() == Some(KEY))
}

/// Returns the right-hand side of `aid = …`.
fn compared_with_key(expression: &A_Expr) -> Option<Node<'_>> {
    let is_equality =
        expression.kind == A_Expr_Kind::AEXPR_OP && expression.name().iter().filter_map(Node::as_str).eq(["="]);
    let Node::ColumnRef(column) = expression.lexpr() else { return None };
    (is_equality && column.fields().iter().filter_map(Node::as_str).last() == Some(KEY)).then(|| expression.rexpr())
}
