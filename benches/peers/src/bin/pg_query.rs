//! pg_query: libpg_query's functions, trees and tokens as Protobuf.

use pgq_peers::{from_text, serve};

fn main() -> std::io::Result<()> {
    serve(
        |sql| pg_query::parse(sql, 0).is_ok(),
        &[
            ("parse", from_text!(|sql| pg_query::parse(sql, 0))),
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
