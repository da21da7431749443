//! The results of a batch: an answer for each row, and a summary.

use std::ops::Range;

use crate::protocol::DataRow;
use crate::server_error::ServerError;

/// When a Sync is sent. The rows between two Syncs are one implicit transaction, unless the session is already in a
/// transaction. If one row fails, earlier rows of the transaction are rolled back and later ones are skipped.
///
/// A row can also request a Sync ([`crate::Parameters::sync_after`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncEvery {
    /// After the first row at whose end at least N bytes were sent since the last Sync.
    Bytes(usize),
    /// After N rows.
    Rows(u64),
    /// Only after the last row.
    End,
}

impl Default for SyncEvery {
    /// Returns `Bytes` with 64 KiB.
    fn default() -> Self {
        Self::Bytes(64 << 10)
    }
}

/// The outcome of the rows of a batch, in order. Rows are numbered from 0.
#[derive(Debug)]
#[non_exhaustive]
pub enum BatchAnswer<'a> {
    /// A result row.
    Row {
        /// The row of parameters that produced it.
        row: u64,
        /// The values.
        data: DataRow<'a>,
    },
    /// A row was executed. A later `Synced` or `RolledBack` reports whether its effect persists.
    Ran {
        /// The row.
        row: u64,
        /// The command tag, such as `SELECT 1`.
        tag: &'a str,
    },
    /// A row failed.
    Failed {
        /// The row.
        row: u64,
        /// The error.
        error: &'a ServerError,
    },
    /// Rows were not executed, because an earlier row of the same implicit transaction failed.
    Skipped {
        /// The rows.
        rows: Range<u64>,
    },
    /// Rows were executed, and their implicit transaction failed later. Commits that a statement makes by itself
    /// persist, as in some utility commands.
    RolledBack {
        /// The rows.
        rows: Range<u64>,
        /// The error of the commit, such as that of a deferred constraint; `None` if a row failed.
        error: Option<&'a ServerError>,
    },
    /// The server has answered a Sync: the outcome of the rows before it is final.
    Synced {
        /// The first row after the Sync.
        next_row: u64,
    },
    /// A warning or a notice.
    Notice {
        /// The row that caused it.
        row: u64,
        /// The message.
        notice: &'a ServerError,
    },
}

/// The outcome of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BatchSummary {
    /// Number of rows taken from the source: the sum of the counts below.
    pub rows: u64,
    /// Rows that were executed and not rolled back with their implicit transaction.
    pub ran: u64,
    /// Rows that failed.
    pub failed: u64,
    /// Rows that were not executed because another row failed.
    pub skipped: u64,
    /// Rows that were rolled back because another row or the commit failed.
    pub rolled_back: u64,
    /// Rows of unknown outcome: they were sent, and the connection ended first. A row that was reported as failed did
    /// fail.
    pub unknown: Range<u64>,
    /// Rows not yet sent when the connection ended.
    pub unsent: Range<u64>,
    /// Number of result rows, including those rolled back.
    pub result_rows: u64,
    /// The sum of the row counts in the command tags of the rows that ran.
    pub affected: u64,
    /// The first error of a row or a commit.
    pub first_error: Option<Box<ServerError>>,
    /// Whether the receiver of the answers stopped the batch.
    pub stopped: bool,
}
