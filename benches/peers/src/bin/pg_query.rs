//! pg_query: libpg_query's functions, trees and tokens as Protobuf.

use pg_query::NodeMut;
use pgq_peers::{from_text, serve};

/// The number of nodes of the text's statements, of those that pg_query visits.
fn walk(sql: &str) -> usize {
    pg_query::parse(sql, 0).expect("it parsed before").protobuf.nodes().len()
}

/// The text with another schema of its tables.
fn rewrite(sql: &str) -> String {
    let mut tree = pg_query::parse(sql, 0).expect("it parsed before").protobuf;
    // SAFETY: one pointer is used at a time.
    for (node, _, _) in unsafe { tree.nodes_mut() } {
        if let NodeMut::RangeVar(table) = node {
            // SAFETY: as above.
            unsafe { (*table).schemaname = "s".to_string() };
        }
    }
    tree.deparse(Default::default()).expect("it deparses")
}

fn main() -> std::io::Result<()> {
    serve(
        |sql| pg_query::parse(sql, 0).is_ok(),
        &[
            ("parse", from_text!(|sql| pg_query::parse(sql, 0))),
            ("walk", from_text!(walk)),
            ("rewrite", from_text!(rewrite)),
            ("fingerprint", from_text!(|sql| pg_query::fingerprint(sql, 0, 0))),
            ("normalize", from_text!(pg_query::normalize)),
            ("log", from_text!(|sql| (pg_query::fingerprint(sql, 0, 0), pg_query::normalize(sql)))),
            ("scan", from_text!(pg_query::scan_tokens)),
            ("deparse", |sql| {
                let tree = pg_query::parse(sql, 0).expect("it parsed before").protobuf;
                Box::new(move || drop(std::hint::black_box(pg_query::deparse(&tree, Default::default()))))
            }),
        ],
    )
}
