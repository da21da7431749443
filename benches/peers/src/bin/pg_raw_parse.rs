//! pg_raw_parse: PostgreSQL's C tree behind Rust types. Its parse makes no structs, and its deparse
//! starts from the C tree.

use pgq_peers::{from_text, serve};

fn main() -> std::io::Result<()> {
    serve(
        |sql| pg_raw_parse::parse(sql).is_ok(),
        &[
            ("parse", from_text!(pg_raw_parse::parse)),
            ("normalize", from_text!(pg_raw_parse::normalize::normalize)),
            ("deparse", |sql| {
                let tree = pg_raw_parse::parse(sql).expect("it parsed before");
                Box::new(move || drop(std::hint::black_box(pg_raw_parse::deparse_stmts(tree.stmts()))))
            }),
        ],
    )
}
