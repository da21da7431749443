//! The state of a batch: the groups of rows between Syncs, and the outcome of each row. This module
//! does no I/O.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::batch_answer::{BatchAnswer, BatchSummary, SyncEvery};
use crate::protocol::{ServerEvent, TransactionStatus};

/// The rows between two Syncs.
#[derive(Debug)]
struct Group {
    start: u64,
    end: u64,
    /// Offset of the group's first message in the session's output.
    first_byte: u64,
    /// Whether the group's Sync was written.
    closed: bool,
}

#[derive(Debug)]
pub struct BatchState {
    sync: SyncEvery,
    groups: VecDeque<Group>,
    /// The next row without an answer.
    next: u64,
    /// The failed row of the first group.
    failed: Option<u64>,
    commit_failed: bool,
    /// Whether the session was in a transaction when the first group of `groups` began.
    in_transaction: bool,
    /// Number of table rows that the first group of `groups` affected. It is added to the summary if the group is
    /// committed.
    affected: u64,
    stopped: bool,
    pub summary: BatchSummary,
}

impl BatchState {
    pub fn new(sync: SyncEvery, status: TransactionStatus) -> Self {
        Self {
            sync,
            groups: VecDeque::new(),
            next: 0,
            failed: None,
            commit_failed: false,
            in_transaction: status != TransactionStatus::Idle,
            affected: 0,
            stopped: false,
            summary: BatchSummary::default(),
        }
    }

    /// Records a row whose messages extend from `first_byte` to `end_byte` in the session's output. `asked`: whether
    /// the row requested a Sync. Returns whether a Sync must follow.
    pub fn add_row(&mut self, first_byte: u64, end_byte: u64, asked: bool) -> bool {
        let row = self.summary.rows;
        self.summary.rows += 1;
        if self.groups.back().is_none_or(|group| group.closed) {
            self.groups.push_back(Group { start: row, end: row, first_byte, closed: false });
        }
        let group = self.groups.back_mut().expect("one was just added");
        group.end = row + 1;
        group.closed = asked
            || match self.sync {
                SyncEvery::Bytes(bytes) => end_byte - group.first_byte >= bytes as u64,
                SyncEvery::Rows(rows) => group.end - group.start >= rows.max(1),
                SyncEvery::End => false,
            };
        group.closed
    }

    /// Ends the last group of rows. Returns whether a Sync must follow.
    pub fn close_group(&mut self) -> bool {
        self.groups.back_mut().is_some_and(|group| !std::mem::replace(&mut group.closed, true))
    }

    /// Returns whether rows still wait for answers. If no row waits, a message that arrives does not belong to a row.
    pub fn is_under_way(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Processes an answer and passes it to `receiver`. Returns `Break` if the receiver stops the batch.
    pub fn take(
        &mut self,
        event: ServerEvent<'_>,
        receiver: &mut dyn FnMut(BatchAnswer<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let row = self.next;
        let stopped = self.stopped;
        let mut give = |answer: BatchAnswer<'_>| if stopped { ControlFlow::Break(()) } else { receiver(answer) };
        let flow = match event {
            ServerEvent::Row(data) => {
                self.summary.result_rows += 1;
                give(BatchAnswer::Row { row, data })
            }
            ServerEvent::Completed(tag) => {
                self.next += 1;
                self.affected += affected(tag);
                give(BatchAnswer::Ran { row, tag })
            }
            ServerEvent::Failed(error) => {
                if self.summary.first_error.is_none() {
                    self.summary.first_error = Some(error.clone());
                }
                let group = self.groups.front().expect("a group is under way");
                if row < group.end {
                    self.next += 1;
                    self.failed = Some(row);
                    self.summary.failed += 1;
                    give(BatchAnswer::Failed { row, error: &error })
                } else {
                    self.commit_failed = true;
                    give(BatchAnswer::RolledBack { rows: group.start..group.end, error: Some(&error) })
                }
            }
            ServerEvent::Skipped => {
                self.next += 1;
                ControlFlow::Continue(())
            }
            ServerEvent::Ready(status) => self.end_group(status, &mut give),
            ServerEvent::Notice(notice) => {
                let last = self.groups.front().map_or(row, |group| group.end - 1);
                let row = self.failed.unwrap_or(row.min(last));
                give(BatchAnswer::Notice { row, notice: &notice })
            }
            _ => ControlFlow::Continue(()),
        };
        if flow.is_break() {
            self.stopped = true;
            self.summary.stopped = true;
        }
        flow
    }

    fn end_group(
        &mut self,
        status: TransactionStatus,
        give: &mut dyn FnMut(BatchAnswer<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let group = self.groups.pop_front().expect("a Sync ends a group");
        let failed = self.failed.take();
        let executed = failed.unwrap_or(group.end) - group.start;
        let commit_failed = std::mem::take(&mut self.commit_failed);
        let affected = std::mem::take(&mut self.affected);
        let rolled_back = commit_failed || (failed.is_some() && !self.in_transaction);
        self.in_transaction = status != TransactionStatus::Idle;
        if rolled_back {
            self.summary.rolled_back += executed;
        } else {
            self.summary.ran += executed;
            self.summary.affected += affected;
        }
        if let Some(failed) = failed {
            self.summary.skipped += group.end - failed - 1;
            if rolled_back && failed > group.start {
                give(BatchAnswer::RolledBack { rows: group.start..failed, error: None })?;
            }
            if group.end > failed + 1 {
                give(BatchAnswer::Skipped { rows: failed + 1..group.end })?;
            }
        }
        give(BatchAnswer::Synced { next_row: group.end })
    }

    /// Ends the batch although some rows have no answer. If the first byte of a group was not sent, the server cannot
    /// have executed the group, so its rows are unsent.
    pub fn end_early(&mut self, bytes_sent: u64) {
        let Some(first) = self.groups.front() else { return };
        let unsent = self.groups.iter().find(|group| group.first_byte >= bytes_sent);
        let boundary = unsent.map_or(self.summary.rows, |group| group.start);
        self.summary.unknown = first.start..boundary;
        self.summary.unsent = boundary..self.summary.rows;
        // Each row counts only once. The failed row is one of the `unknown` rows, so it must not also count in
        // `failed`.
        self.summary.failed -= u64::from(self.failed.is_some());
    }
}

/// Returns the row count at the end of a command tag, such as 3 in `INSERT 0 3`.
fn affected(tag: &str) -> u64 {
    tag.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}
