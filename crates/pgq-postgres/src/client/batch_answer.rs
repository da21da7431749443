//! Results of a batch: an answer for each row, and a summary.

use std::ops::Range;

use crate::protocol::DataRow;
use crate::server_error::ServerError;

/// When to send a Sync. The rows between two Syncs are one implicit transaction, unless the session is already in a
/// transaction. If a row fails, earlier rows of its transaction are rolled back and later rows are skipped.
///
/// A row can also request a Sync ([`crate::Parameters::sync_after`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncEvery {
    /// Send a Sync as soon as the rows since the last Sync have at least N bytes.
    Bytes(usize),
    /// Send a Sync after every N rows.
    Rows(u64),
    /// Send only one Sync, after the last row.
    End,
}

impl Default for SyncEvery {
    /// Returns `Bytes` with 64 KiB.
    fn default() -> Self {
        Self::Bytes(64 << 10)
    }
}

/// One answer to a batch. The answers arrive in the order of the rows. Rows are numbered from 0.
#[derive(Debug)]
#[non_exhaustive]
pub enum BatchAnswer<'a> {
    /// A result row.
    Row {
        /// Index of the row of parameters that produced this result row.
        row: u64,
        /// The values.
        data: DataRow<'a>,
    },
    /// A row was executed. A later `Synced` or `RolledBack` reports whether the row's effect persists.
    Ran {
        /// Number of the row.
        row: u64,
        /// The command tag, such as `SELECT 1`.
        tag: &'a str,
    },
    /// A row failed.
    Failed {
        /// Number of the row.
        row: u64,
        /// The error.
        error: &'a ServerError,
    },
    /// Rows were not executed, because an earlier row of the same implicit transaction failed.
    Skipped {
        /// Numbers of the rows.
        rows: Range<u64>,
    },
    /// The statement was executed with these rows of parameters, but their implicit transaction failed later. The
    /// effects of utility commands that commit by themselves persist.
    RolledBack {
        /// Numbers of the rows.
        rows: Range<u64>,
        /// Error of the commit, such as a violated deferred constraint. `None` if a row failed.
        error: Option<&'a ServerError>,
    },
    /// The server has answered a Sync. The outcome of the rows before the Sync is now final.
    Synced {
        /// Number of the first row after the Sync.
        next_row: u64,
    },
    /// A warning or a notice.
    Notice {
        /// Number of the row that caused the message. A notice of the commit has the number of the transaction's last
        /// row.
        row: u64,
        /// The message.
        notice: &'a ServerError,
    },
}

/// The outcome of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BatchSummary {
    /// Number of rows taken from the source. Equals the sum of `ran`, `failed`, `skipped`, `rolled_back`, and the
    /// lengths of `unknown` and `unsent`.
    pub rows: u64,
    /// Rows that were executed and not rolled back with their implicit transaction.
    pub ran: u64,
    /// Rows that failed.
    pub failed: u64,
    /// Rows that were not executed because another row failed.
    pub skipped: u64,
    /// Rows that were rolled back because another row or the commit failed.
    pub rolled_back: u64,
    /// Rows with an unknown outcome. The client sent them, but the connection ended before the server answered the Sync
    /// after them. Some of these rows may already have been reported as executed or failed.
    pub unknown: Range<u64>,
    /// Rows that were not sent before the connection ended.
    pub unsent: Range<u64>,
    /// Number of result rows, including result rows that were rolled back.
    pub result_rows: u64,
    /// Sum of the row counts in the command tags of `ran` rows.
    pub affected: u64,
    /// The first error of a row or a commit.
    pub first_error: Option<Box<ServerError>>,
    /// Whether the receiver of the answers stopped the batch.
    pub stopped: bool,
}
