//! The proxy with pgq: a tree from the cache, or parsed; views to look at it; an edited copy to write.

use pgq::cache::{CachedTree, LiteralValue, TreeCache};
use pgq::nodes::enums::A_Expr_Kind;
use pgq::nodes::{AExpr, Node};
use pgq_example_proxy::{KEY, Route, SHARDS, run, sharded};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let cache = TreeCache::new(64 << 20);
    run("pgq", |sql| route(&cache, sql).expect("the query parses"));
}

fn route(cache: &TreeCache, sql: &str) -> Result<Route, pgq::Error> {
    let known = cache.parse(sql)?;
    let shard = key(&known).map(|key| key.rem_euclid(SHARDS));
    let writes = !matches!(known.tree().statement(0), Some(Node::SelectStmt(_)));
    let Some(shard) = shard else { return Ok(Route { shard, writes, sql: sql.to_string() }) };
    let tree = known.edit()?;
    for table in tree.table_nodes()? {
        if let Some(name) = table.relname() {
            tree.edit(table).relname(&*sharded(name, shard));
        }
    }
    Ok(Route { shard: Some(shard), writes, sql: tree.deparse(&Default::default())? })
}

/// The value that the key is compared with, or gets.
fn key(known: &CachedTree) -> Option<i32> {
    let root = known.tree().statement(0)?;
    let value = match root {
        Node::InsertStmt(insert) => {
            let is_key = |column: Node<'_>| matches!(column, Node::ResTarget(column) if column.name() == Some(KEY));
            let index = insert.cols().nodes().position(is_key)?;
            let Some(Node::SelectStmt(source)) = insert.select_stmt() else { return None };
            let Some(Node::List(row)) = source.values_lists().first() else { return None };
            row.get(index)?
        }
        _ => root.find::<AExpr>().find_map(compared_with_key)?,
    };
    match value {
        Node::AConst(constant) => match known.value(constant) {
            LiteralValue::Integer(key) => Some(key),
            _ => None,
        },
        _ => None,
    }
}

/// The other side of `aid = …`.
fn compared_with_key(expression: AExpr<'_>) -> Option<Node<'_>> {
    let is_equality = expression.kind() == A_Expr_Kind::AEXPR_OP && expression.name().strings().eq(["="]);
    let Some(Node::ColumnRef(column)) = expression.lexpr() else { return None };
    (is_equality && column.fields().strings().last() == Some(KEY)).then(|| expression.rexpr())?
}
