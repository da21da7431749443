//! Interface to an SQL parser for reports. This crate has no parser.

/// Describes queries for reports.
pub trait DescribeQuery {
    /// Returns the query on one line, with `$n` for its constants; returns a query that does not parse unchanged.
    fn normalized(&self, sql: &str) -> String;

    /// Returns the names of the tables in the query.
    fn tables(&self, sql: &str) -> Vec<String>;

    /// Returns the keyword of its kind in lower case, such as `select`.
    fn kind(&self, sql: &str) -> String;
}
