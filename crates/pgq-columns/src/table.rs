//! The table of columns: the only place that lists them. Does not know how a value is written.

use crate::kinds::{BigInt, Bool, Text, TextItems, Time};

/// Generates [`Column`], [`Row`] and the walks over them from the table.
macro_rules! columns {
    ($($field:ident $column:ident: $kind:ident, $unit:literal, $source:literal, $description:literal;)*) => {
        /// A column of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Column {
            $(#[doc = $description] $column,)*
        }

        /// The values of a row, `None` where a value is not known.
        #[derive(Debug, Clone, Copy, Default)]
        pub struct Row<'a> {
            $(#[doc = $description] pub $field: Option<<$kind as $crate::kinds::Kind>::Value<'a>>,)*
        }

        impl Column {
            /// All columns, in the table's order.
            pub const ALL: &[Self] = &[$(Self::$column),*];

            /// The name, as in every output.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$column => stringify!($field),)* }
            }

            /// The kind of the values.
            #[must_use]
            pub fn kind(self) -> $crate::kinds::ColumnKind {
                match self { $(Self::$column => <$kind as $crate::kinds::Kind>::KIND,)* }
            }

            /// The unit of the values; empty if they have none.
            #[must_use]
            pub fn unit(self) -> &'static str {
                match self { $(Self::$column => $unit,)* }
            }

            /// Where the values come from.
            #[must_use]
            pub fn source(self) -> &'static str {
                match self { $(Self::$column => $source,)* }
            }

            /// What the column holds, in one line.
            #[must_use]
            pub fn description(self) -> &'static str {
                match self { $(Self::$column => $description,)* }
            }
        }

        /// Appends a value as JSON.
        pub(crate) fn write_json_value(column: Column, row: &Row<'_>, out: &mut Vec<u8>) {
            use $crate::kinds::Kind;
            match column { $(Column::$column => match row.$field {
                Some(value) => $kind::write_json(value, out),
                None => out.extend_from_slice(b"null"),
            },)* }
        }

        /// Appends a value as text; nothing if it is not known.
        pub(crate) fn write_text_value(column: Column, row: &Row<'_>, out: &mut Vec<u8>) {
            use $crate::kinds::Kind;
            match column { $(Column::$column => if let Some(value) = row.$field {
                $kind::write_text(value, out);
            },)* }
        }

        /// Whether a row has a value.
        pub(crate) fn has_value(column: Column, row: &Row<'_>) -> bool {
            match column { $(Column::$column => row.$field.is_some(),)* }
        }

        #[cfg(feature = "columnar")]
        mod builders {
            use std::sync::Arc;

            use arrow_array::ArrayRef;

            use super::*;
            use crate::kinds::ArrowKind;

            /// An Arrow builder for each column that is wanted.
            #[derive(Default)]
            pub(crate) struct Builders {
                $($field: Option<<$kind as ArrowKind>::Builder>,)*
            }

            impl Builders {
                pub(crate) fn new(columns: &[Column]) -> Self {
                    let mut builders = Self::default();
                    for column in columns {
                        match column { $(Column::$column => builders.$field = Some($kind::builder()),)* }
                    }
                    builders
                }

                /// Appends a row. Returns the bytes of its texts.
                pub(crate) fn append(&mut self, row: &Row<'_>) -> usize {
                    let mut size = 0;
                    $(if let Some(builder) = &mut self.$field {
                        $kind::append(builder, row.$field);
                        size += row.$field.map_or(0, $kind::size);
                    })*
                    size
                }

                /// The values of a column; the builder is empty afterwards.
                pub(crate) fn finish(&mut self, column: Column) -> ArrayRef {
                    match column { $(Column::$column => {
                        let builder = self.$field.as_mut().expect("the column is wanted");
                        Arc::new(builder.finish())
                    })* }
                }
            }
        }

        #[cfg(feature = "columnar")]
        pub(crate) use builders::Builders;

        #[cfg(feature = "columnar")]
        pub(crate) fn data_type(column: Column) -> arrow_schema::DataType {
            use $crate::kinds::ArrowKind;
            match column { $(Column::$column => $kind::data_type(),)* }
        }
    };
}

columns! {
    file File: Text, "", "input", "Name of the file";
    line Line: BigInt, "", "input", "Line in the file where the statement, or its log record, starts, from 1";
    offset Offset: BigInt, "bytes", "input", "Offset in the file where the statement, or its log record, starts";
    time Time: Time, "UTC", "log", "When the statement was logged";
    start_time StartTime: Time, "UTC", "log", "When the session started";
    duration_us DurationUs: BigInt, "microseconds", "log", "How long the statement took";
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
    query_id QueryId: BigInt, "", "log", "The server's query ID";
    vxid Vxid: Text, "", "log", "Virtual transaction ID";
    txid Txid: BigInt, "", "log", "Transaction ID; 0 if none was assigned";
    kind Kind: Text, "", "SQL", "First keyword of the statement, in small letters: select, insert, create";
    fingerprint Fingerprint: Text, "hex", "parser", "Fingerprint, 16 hex digits: equal for statements that differ only in constants";
    normalized Normalized: Text, "", "parser", "The statement on one line, with $1, $2, … for its constants";
    sql Sql: Text, "", "input", "The statement as it is in the input";
    params Params: TextItems, "", "log", "Values of the parameters $1, $2, …; NULL for a NULL value";
    tables Tables: TextItems, "", "parser", "Tables that the statement names, with their schemas if it names them";
    functions Functions: TextItems, "", "parser", "Functions that the statement calls by name";
    filter_columns FilterColumns: TextItems, "", "parser", "Columns that conditions compare, with their tables if the statement names them";
    ctes Ctes: TextItems, "", "parser", "Names of the statement's common table expressions";
    error Error: Text, "", "log or parser", "The error message: of the log, or of PostgreSQL's parser";
    truncated Truncated: Bool, "", "log", "Whether the log lost the end of the statement";
}

/// The columns that are written if none are named.
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

impl Column {
    /// The column with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|column| column.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for column in Column::ALL {
            assert_eq!(Column::from_name(column.name()), Some(*column));
            assert!(!column.description().is_empty() && !column.description().ends_with('.'), "{column:?}");
        }
        assert_eq!(Column::from_name("no_such_column"), None);
    }
}
