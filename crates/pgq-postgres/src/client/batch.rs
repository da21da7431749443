//! A prepared statement, executed for a batch of rows of parameters.

use std::ops::{ControlFlow, Range};

use super::batch_state::BatchState;
use super::{Client, Silence, Statement};
use crate::error::Error;
use crate::protocol::{BindTemplate, DataRow, Event, Formats, Parameters};
use crate::server_error::ServerError;

/// As much as waits to be written before a row is taken from the source.
const OUTPUT: usize = 64 << 10;

/// How rows are executed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchOptions {
    /// Where a Sync is sent.
    pub sync: SyncEvery,
    /// In which formats parameters are pushed.
    pub parameter_formats: Formats,
    /// In which formats results come.
    pub result_formats: Formats,
}

/// Where a Sync is sent. Rows between two of them are one implicit transaction, unless the session is in a
/// transaction already: if one fails, those behind it are skipped and those before it are rolled back.
///
/// A row can ask for one as well ([`Parameters::sync_after`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncEvery {
    /// Behind the row with which so many bytes were sent since the last.
    Bytes(usize),
    /// Behind so many rows.
    Rows(u64),
    /// Behind the last row only.
    End,
}

impl Default for SyncEvery {
    /// 64 KiB.
    fn default() -> Self {
        Self::Bytes(64 << 10)
    }
}

/// What becomes of the rows of a batch, in order. Rows are numbered from 0.
#[derive(Debug)]
#[non_exhaustive]
pub enum BatchAnswer<'a> {
    /// A row of the result of a row of parameters.
    Row {
        /// Of which row of parameters.
        row: u64,
        /// The values.
        data: DataRow<'a>,
    },
    /// A row was executed. Whether it lasts, `Synced` or `RolledBack` says.
    Ran {
        /// Which.
        row: u64,
        /// The command tag, as `SELECT 1`.
        tag: &'a str,
    },
    /// A row failed.
    Failed {
        /// Which.
        row: u64,
        /// Why.
        error: &'a ServerError,
    },
    /// Rows were not executed, because one before them failed in the same implicit transaction.
    Skipped {
        /// Which.
        rows: Range<u64>,
    },
    /// Rows were executed, and their implicit transaction failed afterwards. (What a statement commits by itself,
    /// as some utility commands do, stays.)
    RolledBack {
        /// Which.
        rows: Range<u64>,
        /// Why, if it was not a row that failed but the commit: a deferred constraint.
        error: Option<&'a ServerError>,
    },
    /// The server has answered a Sync: nothing changes any more for rows before this one.
    Synced {
        /// The first row behind the Sync.
        next_row: u64,
    },
    /// A warning or a notice.
    Notice {
        /// The row that was executed.
        row: u64,
        /// What the server says.
        notice: &'a ServerError,
    },
}

/// How a batch ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BatchSummary {
    /// Rows that were taken from the source. The numbers below add up to it.
    pub rows: u64,
    /// Rows that ran, and last as far as their own transaction goes.
    pub ran: u64,
    /// Rows that failed.
    pub failed: u64,
    /// Rows that were not executed because of one that failed.
    pub skipped: u64,
    /// Rows that ran and were rolled back because of one that failed, or because the commit failed.
    pub rolled_back: u64,
    /// Rows that were sent, and of which nobody knows whether they last: the connection ended first. One that was
    /// reported as failed did fail.
    pub unknown: Range<u64>,
    /// Rows that were not sent when the connection ended.
    pub unsent: Range<u64>,
    /// Rows of results, rolled back or not.
    pub result_rows: u64,
    /// The sum of the numbers in the command tags of the rows that ran.
    pub affected: u64,
    /// The first error of a row or a commit.
    pub first_error: Option<Box<ServerError>>,
    /// Whether the receiver of the answers ended the batch.
    pub stopped: bool,
}

/// A batch that ended before its source did.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct BatchError {
    /// Why.
    #[source]
    pub error: Error,
    /// What is known of the rows.
    pub summary: Box<BatchSummary>,
}

impl Client {
    /// Executes a statement for each row that `source` pushes, until it returns false. Answers are handed to `take`
    /// as they come; while it does not return, nothing more is read, and no more memory is needed than for one
    /// message. With [`ControlFlow::Break`] no more rows are taken, and the answers of those that were sent are
    /// dropped.
    ///
    /// Rows that fail are answers, and no error of this method. An error is one of the connection or of the source
    /// (a row that does not fit included): rows before it are finished, and the client goes on, unless
    /// [`Error::ends_connection`].
    pub fn execute(
        &mut self,
        statement: &Statement,
        options: &BatchOptions,
        mut source: impl FnMut(&mut Parameters<'_>) -> Result<bool, Error>,
        mut take: impl FnMut(BatchAnswer<'_>) -> ControlFlow<()>,
    ) -> Result<BatchSummary, BatchError> {
        let mut state = BatchState::new(options.sync, self.connection.session().status());
        match self.execute_rows(statement, options, &mut source, &mut take, &mut state) {
            Ok(()) => Ok(state.summary),
            Err(error) => {
                state.end_early(self.connection.session().bytes_sent());
                Err(BatchError { error, summary: Box::new(state.summary) })
            }
        }
    }

    fn execute_rows(
        &mut self,
        statement: &Statement,
        options: &BatchOptions,
        source: &mut dyn FnMut(&mut Parameters<'_>) -> Result<bool, Error>,
        take: &mut dyn FnMut(BatchAnswer<'_>) -> ControlFlow<()>,
        state: &mut BatchState,
    ) -> Result<(), Error> {
        self.check_usable()?;
        let parameters = statement.parameter_types.len();
        let (own, results) = (&options.parameter_formats, &options.result_formats);
        let template = BindTemplate::new("", &statement.name, parameters, own, results, 0)?;
        let mut silence = Silence::default();
        let mut source_error = None;
        let mut has_rows = true;
        loop {
            loop {
                let answer = self.connection.session().next_answer();
                let Some(answer) = answer.inspect_err(|_| self.broken = true)? else { break };
                if let Event::Copy(direction) = answer.event {
                    source_error = Some(Error::Copy(direction));
                    has_rows = false;
                } else if state.take(answer.event, take).is_break() {
                    has_rows = false;
                }
            }
            let session = self.connection.session();
            while has_rows && session.output().len() < OUTPUT {
                let before = session.bytes_written();
                match session.execute_if(&template, &mut *source) {
                    Ok(Some(sync)) if state.add_row(before, session.bytes_written(), sync) => {
                        session.sync();
                    }
                    Ok(Some(_)) => {}
                    Ok(None) => has_rows = false,
                    Err(error) => {
                        source_error = Some(error);
                        has_rows = false;
                    }
                }
            }
            if !has_rows && state.close_group() {
                session.sync();
            }
            if !has_rows && session.outstanding() == 0 {
                return source_error.map_or(Ok(()), Err);
            }
            self.move_bytes(&mut silence)?;
        }
    }
}
