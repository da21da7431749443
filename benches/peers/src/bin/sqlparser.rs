//! sqlparser with its dialect for PostgreSQL. It is a parser in Rust with its own trees, and has no fingerprints.

use std::ops::ControlFlow;

use pgq_peers::{Function, serve};
use sqlparser::ast::{Expr, ObjectName, Query, Statement, ValueWithSpan, Visit, Visitor};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Tokenizer};

fn parse(sql: &str) -> Result<Vec<Statement>, ParserError> {
    Parser::parse_sql(&PostgreSqlDialect {}, sql)
}

/// Counts the statements, queries, relations, expressions and values that sqlparser visits.
struct Count(usize);

impl Count {
    fn one(&mut self) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

impl Visitor for Count {
    type Break = ();

    fn pre_visit_statement(&mut self, _: &Statement) -> ControlFlow<()> {
        self.one()
    }

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.one()
    }

    fn pre_visit_relation(&mut self, _: &ObjectName) -> ControlFlow<()> {
        self.one()
    }

    fn pre_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        self.one()
    }

    fn pre_visit_value(&mut self, _: &ValueWithSpan) -> ControlFlow<()> {
        self.one()
    }
}

fn walk(sql: &str) -> Result<usize, ParserError> {
    let mut count = Count(0);
    let _ = parse(sql)?.visit(&mut count);
    Ok(count.0)
}

fn main() -> std::io::Result<()> {
    serve(
        None,
        &[
            Function::new("parse", parse, |statements| statements.len().to_string()),
            Function::new("walk", walk, |nodes| nodes.to_string()),
            Function::new(
                "scan",
                |sql| Tokenizer::new(&PostgreSqlDialect {}, sql).tokenize(),
                |tokens| tokens.iter().filter(|token| !matches!(token, Token::Whitespace(_))).count().to_string(),
            ),
            Function::of_prepared(
                "deparse",
                parse,
                |statements| Ok::<_, ParserError>(statements.iter().map(|s| s.to_string()).collect::<Vec<_>>()),
                |texts| texts.join(";\n"),
            ),
        ],
    )
}
