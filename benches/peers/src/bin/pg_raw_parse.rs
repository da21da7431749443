//! pg_raw_parse, PgDog's parser. Its Rust types refer to PostgreSQL's C tree. Therefore its parse creates no structs,
//! and its deparse starts from the C tree. Some functions panic on some statements; a panic is treated as a rejection.

use pg_raw_parse::make::{self, MemoryToken};
use pg_raw_parse::nodes::RangeVarMut;
use pg_raw_parse::transform::Transform;
use pg_raw_parse::{Result, deparse, deparse_stmts, normalize, parse};
use pgq_peers::{Function, serve};

/// Counts the nodes of all statements.
fn walk(sql: &str) -> Result<usize> {
    let mut count = 0;
    parse(sql)?.stmts().for_each(|stmt| pg_raw_parse::walk::walk(stmt, |_| count += 1));
    Ok(count)
}

/// Adds a schema to every table.
struct Qualify<'mem>(MemoryToken<'mem>);

impl<'mem> Transform<'mem> for Qualify<'mem> {
    fn transform_range_var<'mutref>(&mut self, mut table: RangeVarMut<'mem, 'mutref>) {
        table.set_schemaname(Some(self.0.copy_string("s")));
    }
}

/// Puts the tables of `sql` into another schema.
fn rewrite(sql: &str) -> Result<String> {
    let mut out = Vec::new();
    for stmt in parse(sql)?.iter() {
        let qualified = make::owned(|mem| {
            let mut copy = mem.make_unique(stmt);
            Qualify(mem).transform_raw_stmt(copy.as_mut());
            copy
        });
        out.push(deparse(&*qualified)?.as_str().to_string());
    }
    Ok(out.join("; "))
}

fn main() -> std::io::Result<()> {
    serve(
        None,
        &[
            Function::new("parse", parse, |tree| tree.iter().count().to_string()),
            Function::new("walk", walk, |nodes| nodes.to_string()),
            Function::new("normalize", normalize::normalize, |text| text),
            Function::of_prepared("deparse", parse, |tree| deparse_stmts(tree.stmts()), |sql| sql.as_str().to_string()),
            Function::new("rewrite", rewrite, |sql| sql),
        ],
    )
}
