//! The simple protocol: a text with one statement or several.

use super::Client;
use crate::error::{CopyDirection, Error};
use crate::protocol::{Column, DataRow, ServerEvent};

/// What a simple query answers, in order.
#[derive(Debug)]
#[non_exhaustive]
pub enum QueryAnswer<'a> {
    /// The columns of a result that follows.
    Columns(Vec<Column>),
    /// A row, whose values are text.
    Row(DataRow<'a>),
    /// A statement is executed: its command tag, `""` for an empty text.
    Completed(&'a str),
}

impl Client {
    /// Executes `sql` in the simple protocol, and hands out its answers.
    ///
    /// An error of a statement ends the text there. COPY with data over the connection is refused: FROM STDIN fails;
    /// of TO STDOUT, the data is dropped. Both are [`Error::Copy`], and the client goes on.
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

    /// As `query`, for a text whose answers do not matter.
    pub fn run(&mut self, sql: &str) -> Result<(), Error> {
        self.query(sql, |_| {})
    }
}
