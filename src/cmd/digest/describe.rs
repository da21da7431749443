//! Descriptions of queries, from PostgreSQL's parser.

use pgq_digest::DescribeQuery;
use pgq_lexer::statement_keyword;

use crate::report::one_line;

/// Describes queries with the library.
pub struct QueryDescriber;

impl DescribeQuery for QueryDescriber {
    fn normalized(&self, sql: &str) -> String {
        one_line(pgq::normalize(sql).as_deref().unwrap_or(sql))
    }

    fn tables(&self, sql: &str) -> Vec<String> {
        pgq::tables(sql).unwrap_or_default()
    }

    fn kind(&self, sql: &str) -> String {
        statement_keyword(sql.as_bytes())
    }
}
