//! The normalized SQL, the tables and the kind of a query, for reports.

use pgq_digest::DescribeQuery;
use pgq_lexer::statement_keyword;

use crate::run::report::one_line;

/// Determines the normalized SQL, the tables and the kind of a query.
pub struct QueryDescriber;

impl DescribeQuery for QueryDescriber {
    fn normalized(&self, sql: &str) -> String {
        // A statement with a function body is not normalized, because the body is a string constant and would become
        // `$n`.
        if has_body(sql) {
            return one_line(sql);
        }
        one_line(pgq::normalize(sql).as_deref().unwrap_or(sql))
    }

    fn tables(&self, sql: &str) -> Vec<String> {
        pgq::tables(sql).unwrap_or_default()
    }

    fn kind(&self, sql: &str) -> String {
        statement_keyword(sql.as_bytes())
    }
}

/// Whether a statement is a DO block or defines a function.
fn has_body(sql: &str) -> bool {
    matches!(statement_keyword(sql.as_bytes()).as_str(), "do" | "create")
        && pgq::Tree::parse(sql, &pgq::ParseOptions::normalized())
            .is_ok_and(|tree| tree.statements().any(|statement| statement.function_body().is_some()))
}
