//! pg_raw_parse: PostgreSQL's C tree behind Rust types. Its parse makes no structs, and its deparse
//! starts from the C tree.

use pg_raw_parse::make::{self, MemoryToken};
use pg_raw_parse::nodes::RangeVarMut;
use pg_raw_parse::transform::Transform;
use pgq_peers::{from_text, serve};

/// The number of nodes of the text's statements.
fn walk(sql: &str) -> usize {
    let mut count = 0;
    let tree = pg_raw_parse::parse(sql).expect("it parsed before");
    tree.stmts().for_each(|stmt| pg_raw_parse::walk::walk(stmt, |_| count += 1));
    count
}

/// Gives every table a schema.
struct Qualify<'mem>(MemoryToken<'mem>);

impl<'mem> Transform<'mem> for Qualify<'mem> {
    fn transform_range_var<'mutref>(&mut self, mut table: RangeVarMut<'mem, 'mutref>) {
        table.set_schemaname(Some(self.0.copy_string("s")));
    }
}

/// The text with another schema of its tables.
fn rewrite(sql: &str) -> String {
    let mut out = String::new();
    let tree = pg_raw_parse::parse(sql).expect("it parsed before");
    for stmt in tree.iter() {
        let qualified = make::owned(|mem| {
            let mut copy = mem.make_unique(stmt);
            Qualify(mem).transform_raw_stmt(copy.as_mut());
            copy
        });
        out += pg_raw_parse::deparse(&*qualified).expect("it deparses").as_str();
    }
    out
}

fn main() -> std::io::Result<()> {
    serve(
        |sql| pg_raw_parse::parse(sql).is_ok(),
        &[
            ("parse", from_text!(pg_raw_parse::parse)),
            ("walk", from_text!(walk)),
            ("rewrite", from_text!(rewrite)),
            ("normalize", from_text!(pg_raw_parse::normalize::normalize)),
            ("deparse", |sql| {
                let tree = pg_raw_parse::parse(sql).expect("it parsed before");
                Box::new(move || drop(std::hint::black_box(pg_raw_parse::deparse_stmts(tree.stmts()))))
            }),
        ],
    )
}
