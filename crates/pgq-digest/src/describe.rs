//! Interface to an SQL parser. Reports need a parser, but this crate has none. Therefore the caller implements the
//! interface.

/// Describes queries for reports.
pub trait DescribeQuery {
    /// Returns the query on one line, with `$n` in place of constants. If the query does not parse, returns it
    /// unchanged.
    fn normalized(&self, sql: &str) -> String;

    /// Returns the names of the query's tables.
    fn tables(&self, sql: &str) -> Vec<String>;

    /// Returns the keyword of the query's kind in lower case, such as `select`.
    fn kind(&self, sql: &str) -> String;
}
