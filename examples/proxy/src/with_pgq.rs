//! The proxy with pgq, which edits the parsed tree in place.

use std::ops::ControlFlow;

use pgq::nodes::enums::A_Expr_Kind;
use pgq::nodes::{Constant, Node, RangeVar};
use pgq::{EditTree, Inside};

use crate::{KEY, Route, SHARDS, TENANT, VOLATILE, sharded};

/// Routes and rewrites one query.
pub fn route(sql: &str) -> Result<Route, pgq::Error> {
    let tree = EditTree::parse(sql, &Default::default())?;
    let Some(root) = tree.statement(0) else { return Ok(unchanged(sql)) };
    let writes = !matches!(root, Node::SelectStmt(_));
    let cacheable = !writes && !root.any(is_volatile);
    let shard = key(root).map(|key| key.rem_euclid(SHARDS));
    let of_tenant = !root.any(|node| matches!(node, Node::RangeVar(table) if !is_of_tenant(table)));
    let Some(shard) = shard else { return Ok(Route { cacheable, of_tenant, shard, writes, sql: sql.to_string() }) };
    let _: ControlFlow<()> = tree.visit(|node| {
        if let Node::RangeVar(table) = node
            && let Some(name) = table.relname()
        {
            tree.edit(table).relname(&*sharded(name, shard));
        }
        ControlFlow::Continue(Inside::Visit)
    });
    let sql = tree.deparse(&Default::default())?;
    Ok(Route { cacheable, of_tenant, shard: Some(shard), writes, sql })
}

fn unchanged(sql: &str) -> Route {
    Route { cacheable: false, of_tenant: true, shard: None, writes: false, sql: sql.to_string() }
}

fn is_volatile(node: Node<'_>) -> bool {
    let Node::FuncCall(call) = node else { return false };
    call.funcname().strings().last().is_some_and(|name| VOLATILE.contains(&name))
}

fn is_of_tenant(table: RangeVar<'_>) -> bool {
    table.relname().is_some_and(|name| name.starts_with(TENANT))
}

/// Returns the value that the query compares with the sharding key or assigns to it.
fn key(root: Node<'_>) -> Option<i32> {
    let value = match root {
        Node::InsertStmt(insert) => {
            let is_key = |column: Node<'_>| matches!(column, Node::ResTarget(column) if column.name() == Some(KEY));
            let index = insert.cols().nodes().position(is_key)?;
            let Some(Node::SelectStmt(source)) = insert.select_stmt() else { return None };
            let Some(Node::List(row)) = source.values_lists().first() else { return None };
            row.get(index)?
        }
        _ => root.visit(compared_with_key).break_value()?,
    };
    match value {
        Node::AConst(constant) => match constant.value() {
            Constant::Integer(key) => Some(key),
            _ => None,
        },
        _ => None,
    }
}

/// If the node is `aid = …`, breaks the walk with the right-hand side.
fn compared_with_key(node: Node<'_>) -> ControlFlow<Node<'_>, Inside> {
    if let Node::AExpr(expression) = node
        && expression.kind() == A_Expr_Kind::AEXPR_OP
        && expression.name().strings().eq(["="])
        && let Some(Node::ColumnRef(column)) = expression.lexpr()
        && column.fields().strings().last() == Some(KEY)
        && let Some(value) = expression.rexpr()
    {
        return ControlFlow::Break(value);
    }
    ControlFlow::Continue(Inside::Visit)
}
