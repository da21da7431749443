//! databend-common-ast, Databend's parser, with its dialect for PostgreSQL. It parses one statement per call.

use databend_common_ast::Result;
use databend_common_ast::ast::Statement;
use databend_common_ast::parser::{Dialect, parse_sql, tokenize_sql};
use pgq_peers::{Function, serve};

fn parse(sql: &str) -> Result<Statement> {
    Ok(parse_sql(&tokenize_sql(sql)?, Dialect::PostgreSQL)?.0)
}

fn main() -> std::io::Result<()> {
    serve(None, &[Function::new("parse", parse, |_| "1".to_string())])
}
