//! sqlparser: a parser of many SQL dialects, in Rust.

use pgq_peers::{from_text, serve};
use sqlparser::ast::Statement;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Tokenizer;

fn parse(sql: &str) -> Result<Vec<Statement>, ParserError> {
    Parser::parse_sql(&PostgreSqlDialect {}, sql)
}

fn main() -> std::io::Result<()> {
    serve(
        |sql| parse(sql).is_ok(),
        &[
            ("parse", from_text!(parse)),
            ("scan", from_text!(|sql| Tokenizer::new(&PostgreSqlDialect {}, sql).tokenize())),
            ("deparse", |sql| {
                let tree = parse(sql).expect("it parsed before");
                Box::new(move || tree.iter().for_each(|stmt| drop(std::hint::black_box(stmt.to_string()))))
            }),
        ],
    )
}
