//! What a report asks a parser. This crate has none.

/// Describes queries for reports.
pub trait DescribeQuery {
    /// The query on one line, with `$n` for its constants; a query that does not parse, unchanged.
    fn normalized(&self, sql: &str) -> String;

    /// The names of the tables in the query.
    fn tables(&self, sql: &str) -> Vec<String>;

    /// The keyword of its kind in lower case, such as `select`.
    fn kind(&self, sql: &str) -> String;
}
