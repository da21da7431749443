//! What a batch reports: an answer for each row, and a summary.

use std::ops::Range;

use crate::protocol::DataRow;
use crate::server_error::ServerError;

/// Where a Sync is sent. Rows between two of them are one implicit transaction, unless the session is in a
/// transaction already: if one fails, those after it are skipped and those before it are rolled back.
///
/// A row can ask for one as well ([`crate::Parameters::sync_after`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncEvery {
    /// After the row with which at least N bytes were sent since the last Sync.
    Bytes(usize),
    /// After N rows.
    Rows(u64),
    /// After the last row only.
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
        /// The first row after the Sync.
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
