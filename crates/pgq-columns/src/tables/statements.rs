//! The table of statements. It has one row for each statement in SQL and for each execution in a log.

use crate::kinds::{BigInt, Bool, Text, TextItems, Time};
use crate::table::columns;

columns! {
    /// A column of the table of statements.
    Column, Row, StatementBuilders;
    file File: Text, "", "input", "Name of the file";
    line Line: BigInt, "", "input", "Line in the file where the statement, or its log record, starts, from 1";
    offset Offset: BigInt, "bytes", "input", "Offset in the file where the statement, or its log record, starts";
    time Time: Time, "UTC", "log", "Time at which the statement was logged";
    start_time StartTime: Time, "UTC", "log", "Time at which the session started";
    duration_us DurationUs: BigInt, "microseconds", "log", "Duration of the statement";
    pid Pid: BigInt, "", "log", "ID of the server process";
    session Session: Text, "", "log", "ID of the session";
    session_line SessionLine: BigInt, "", "log", "Number of the message in its session, from 1";
    user User: Text, "", "log", "Name of the user";
    database Database: Text, "", "log", "Name of the database";
    application Application: Text, "", "log", "The client's application_name";
    remote_host RemoteHost: Text, "", "log", "The client's host, without its port";
    command_tag CommandTag: Text, "", "log", "Tag of the session's command, such as SELECT";
    severity Severity: Text, "", "log", "Severity of the message: LOG, ERROR, FATAL or PANIC";
    sqlstate Sqlstate: Text, "", "log or parser", "SQLSTATE of the error or warning: of the message, or of PostgreSQL's parser";
    query_id QueryId: BigInt, "", "log", "The server's query ID; NULL if it computed none";
    vxid Vxid: Text, "", "log", "Virtual transaction ID";
    txid Txid: BigInt, "", "log", "Transaction ID; 0 if none was assigned, or after the commit";
    kind Kind: Text, "", "SQL", "First keyword of the statement in lower case: select, insert, create";
    fingerprint Fingerprint: Text, "hex", "parser", "Fingerprint, 16 hex digits: equal for statements that differ only in constants";
    normalized Normalized: Text, "", "parser", "The statement on one line, with $1, $2, … for its constants";
    sql Sql: Text, "", "input", "The statement, verbatim";
    params Params: TextItems, "", "log", "Values of the parameters $1, $2, …; NULL for a NULL value";
    tables Tables: TextItems, "", "parser", "Tables that the statement names, with their schemas if it names them";
    functions Functions: TextItems, "", "parser", "Functions that the statement calls by name";
    filter_columns FilterColumns: TextItems, "", "parser", "Columns that conditions compare, with their tables if the statement names them";
    ctes Ctes: TextItems, "", "parser", "Names of the statement's common table expressions";
    error Error: Text, "", "log or parser", "The error message: of the log, or of PostgreSQL's parser";
    truncated Truncated: Bool, "", "log", "Whether the log lacks the end of the statement";
}

/// The default columns of the output.
pub const DEFAULT: &[Column] = &[
    Column::File,
    Column::Line,
    Column::Time,
    Column::DurationUs,
    Column::Pid,
    Column::Session,
    Column::User,
    Column::Database,
    Column::Application,
    Column::Kind,
    Column::Fingerprint,
    Column::Normalized,
    Column::Sql,
    Column::Params,
    Column::Tables,
    Column::Sqlstate,
    Column::Error,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableColumn;

    #[test]
    fn names_are_unique_and_found() {
        for column in Column::ALL {
            assert_eq!(Column::from_name(column.name()), Some(*column));
            assert!(!column.description().is_empty() && !column.description().ends_with('.'), "{column:?}");
        }
        assert_eq!(Column::from_name("no_such_column"), None);
    }
}
