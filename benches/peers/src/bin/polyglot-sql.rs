//! polyglot-sql, another port of Python's sqlglot to Rust, with its dialect for PostgreSQL.

use pgq_peers::{Function, serve};
use polyglot_sql::DialectType;

fn main() -> std::io::Result<()> {
    let parse = |sql: &'static str| polyglot_sql::parse(sql, DialectType::PostgreSQL);
    serve(None, &[Function::new("parse", parse, |statements| statements.len().to_string())])
}
