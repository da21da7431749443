//! qusql-parse with its dialect for PostgreSQL. It continues after errors; a statement with an error is refused.

use pgq_peers::{Function, serve};
use qusql_parse::{Issues, Level, ParseOptions, SQLArguments, SQLDialect, Statement, parse_statements};

fn parse(sql: &'static str) -> Result<Vec<Statement<'static>>, ()> {
    let options = ParseOptions::new().dialect(SQLDialect::PostgreSQL).arguments(SQLArguments::Dollar);
    let mut issues = Issues::new(sql);
    let statements = parse_statements(sql, &mut issues, &options);
    let failed = issues.get().iter().any(|issue| issue.level == Level::Error);
    if failed { Err(()) } else { Ok(statements) }
}

fn main() -> std::io::Result<()> {
    serve(None, &[Function::new("parse", parse, |statements| statements.len().to_string())])
}
