//! pg_query, which has libpg_query's functions. Trees and tokens are passed as Protobuf.

use pg_query::protobuf::ParseResult;
use pg_query::{Error, NodeMut, Result};
use pgq_peers::{Function, serve};

fn tree(sql: &str) -> Result<ParseResult> {
    Ok(pg_query::parse(sql, 0)?.protobuf)
}

/// Puts the tables of `sql` into another schema.
fn rewrite(sql: &str) -> Result<String> {
    let mut tree = tree(sql)?;
    // SAFETY: only one pointer is used at a time.
    for (node, _, _) in unsafe { tree.nodes_mut() } {
        if let NodeMut::RangeVar(table) = node {
            // SAFETY: only one pointer is used at a time.
            unsafe { (*table).schemaname = "s".to_string() };
        }
    }
    tree.deparse(Default::default())
}

fn main() -> std::io::Result<()> {
    let version = tree("SELECT 1").expect("it parses").version;
    serve(
        Some(version),
        &[
            Function::new("parse", |sql| pg_query::parse(sql, 0), |tree| tree.protobuf.stmts.len().to_string()),
            // Counts the nodes that pg_query visits.
            Function::new("walk", |sql| Ok::<_, Error>(tree(sql)?.nodes().len()), |nodes| nodes.to_string()),
            Function::new("fingerprint", |sql| pg_query::fingerprint(sql, 0, 0), |fingerprint| fingerprint.hex),
            Function::new("normalize", pg_query::normalize, |text| text),
            Function::new(
                "both",
                |sql| Ok::<_, Error>((pg_query::fingerprint(sql, 0, 0)?, pg_query::normalize(sql)?)),
                |(fingerprint, text)| format!("{} {text}", fingerprint.hex),
            ),
            Function::new("scan", pg_query::scan_tokens, |tokens| tokens.len().to_string()),
            Function::of_prepared("deparse", tree, |tree| pg_query::deparse(tree, Default::default()), |sql| sql),
            Function::new("rewrite", rewrite, |sql| sql),
        ],
    )
}
