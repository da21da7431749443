//! The simple protocol, which executes a string with one or more statements.

use super::Client;
use crate::error::{CopyDirection, Error};
use crate::protocol::{Column, DataRow, ServerEvent};

/// An answer to a simple query.
#[derive(Debug)]
#[non_exhaustive]
pub enum QueryAnswer<'a> {
    /// Columns of the next result.
    Columns(Vec<Column>),
    /// A result row. Its values are text.
    Row(DataRow<'a>),
    /// A statement was executed, with this command tag. If the SQL was empty, the tag is `""`.
    Completed(&'a str),
}

impl Client {
    /// Executes `sql` in the simple protocol and passes each answer to `take`.
    ///
    /// If a statement fails, the statements after it are skipped. A COPY with data over the connection fails with
    /// [`Error::Copy`]: FROM STDIN receives no data, and the data of TO STDOUT is dropped. The client remains usable.
    pub fn query(&mut self, sql: &str, mut take: impl FnMut(QueryAnswer<'_>)) -> Result<(), Error> {
        self.check_usable()?;
        self.connection.session().query(sql)?;
        let mut failed = None;
        let mut copy: Option<CopyDirection> = None;
        self.until_ready(|event| match event {
            ServerEvent::Columns(columns) => take(QueryAnswer::Columns(columns)),
            ServerEvent::Row(row) => take(QueryAnswer::Row(row)),
            ServerEvent::Completed(tag) => take(QueryAnswer::Completed(tag)),
            ServerEvent::Copy(direction) => copy = Some(direction),
            ServerEvent::Failed(error) => failed = Some(error),
            _ => {}
        })?;
        match (copy, failed) {
            (Some(CopyDirection::FromStdin), _) | (Some(_), None) => Err(Error::Copy(copy.expect("it is there"))),
            (_, Some(error)) => Err(Error::Server(error)),
            (None, None) => Ok(()),
        }
    }

    /// Executes `sql` like `query` and ignores the answers.
    pub fn run(&mut self, sql: &str) -> Result<(), Error> {
        self.query(sql, |_| {})
    }
}
