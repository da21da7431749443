//! The proxy with pg_query, which has trees of structs from Protobuf.

use pg_query::protobuf::{self, AExprKind};
use pg_query::{NodeEnum, NodeMut, NodeRef};

use crate::{KEY, Route, SHARDS, TENANT, VOLATILE, sharded};

/// Routes and rewrites one query.
pub fn route(sql: &str) -> Result<Route, pg_query::Error> {
    let mut tree = pg_query::parse(sql, 0)?.protobuf;
    let root = tree.stmts.first().and_then(|statement| statement.stmt.as_ref()).and_then(|node| node.node.as_ref());
    let writes = !matches!(root, Some(NodeEnum::SelectStmt(_)));
    let cacheable = !writes && !tree.nodes().into_iter().any(|(node, ..)| is_volatile(&node));
    let shard = key(&tree).map(|key| key.rem_euclid(SHARDS));
    let of_tenant = !tree.nodes().into_iter().any(|(node, ..)| is_foreign(&node));
    let Some(shard) = shard else { return Ok(Route { cacheable, of_tenant, shard, writes, sql: sql.to_string() }) };
    // SAFETY: only one pointer is used at a time.
    for (node, _, _) in unsafe { tree.nodes_mut() } {
        if let NodeMut::RangeVar(table) = node {
            // SAFETY: only one pointer is used at a time.
            unsafe { (*table).relname = sharded(&(*table).relname, shard) };
        }
    }
    Ok(Route { cacheable, of_tenant, shard: Some(shard), writes, sql: tree.deparse(Default::default())? })
}

fn is_volatile(node: &NodeRef<'_>) -> bool {
    let NodeRef::FuncCall(call) = node else { return false };
    call.funcname.last().and_then(text).is_some_and(|name| VOLATILE.contains(&name))
}

fn is_foreign(node: &NodeRef<'_>) -> bool {
    matches!(node, NodeRef::RangeVar(table) if !table.relname.starts_with(TENANT))
}

/// Returns the value that the query compares with the sharding key or assigns to it.
fn key(tree: &protobuf::ParseResult) -> Option<i32> {
    let root = tree.stmts.first()?.stmt.as_ref()?.node.as_ref()?;
    let value = match root {
        NodeEnum::InsertStmt(insert) => {
            let is_key = |column: &protobuf::Node| matches!(&column.node, Some(NodeEnum::ResTarget(column)) if column.name == KEY);
            let index = insert.cols.iter().position(is_key)?;
            let Some(NodeEnum::SelectStmt(source)) = &insert.select_stmt.as_ref()?.node else { return None };
            let Some(NodeEnum::List(row)) = &source.values_lists.first()?.node else { return None };
            row.items.get(index)?.node.as_ref()?
        }
        _ => tree.nodes().into_iter().find_map(|(node, ..)| match node {
            NodeRef::AExpr(expression) => compared_with_key(expression),
            _ => None,
        })?,
    };
    match value {
        NodeEnum::AConst(constant) => match &constant.val {
            Some(protobuf::a_const::Val::Ival(value)) => Some(value.ival),
            _ => None,
        },
        _ => None,
    }
}

fn text(node: &protobuf::Node) -> Option<&str> {
    match &node.node {
        Some(NodeEnum::String(text)) => Some(&text.sval),
        _ => None,
    }
}

/// Returns the right-hand side of `aid = …`.
fn compared_with_key(expression: &protobuf::AExpr) -> Option<&NodeEnum> {
    let is_equality = expression.kind() == AExprKind::AexprOp && expression.name.iter().filter_map(text).eq(["="]);
    let Some(NodeEnum::ColumnRef(column)) = &expression.lexpr.as_ref()?.node else { return None };
    if !is_equality || column.fields.last().and_then(text) != Some(KEY) {
        return None;
    }
    expression.rexpr.as_ref()?.node.as_ref()
}
