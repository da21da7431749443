//! sqlglot-rust, a port of Python's sqlglot to Rust, with its dialect for PostgreSQL.

use pgq_peers::{Function, serve};
use sqlglot_rust::Dialect;
use sqlglot_rust::parser::parse_statements;

fn main() -> std::io::Result<()> {
    let parse = |sql: &'static str| parse_statements(sql, Dialect::Postgres);
    serve(None, &[Function::new("parse", parse, |statements| statements.len().to_string())])
}
