//! Joins errors and events with their statements, if later messages contain the statements.

use super::workers::Repeats;
use super::{Assembler, MAX_PENDING_ERRORS, MAX_WAIT, WAIT_OF_SECOND};
use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::records::{Record, Records};
use crate::message::event::Event;
use crate::message::field::Field;

/// An error or event that waits for its statement.
pub(super) struct Pending {
    entry: Box<OwnedEntry>,
    /// [`Assembler::waited`] when the wait began.
    since: u64,
}

impl Pending {
    /// Whether the statement will not follow message `next`.
    fn is_over(&self, waited: u64, next: Entry<'_>) -> bool {
        let second = |entry: Entry<'_>| entry.get(Field::Time).get(..SECOND).map(<[u8]>::to_vec);
        let messages = waited - self.since;
        self.entry.message.pid == next.pid()
            || messages >= MAX_WAIT
            || messages >= WAIT_OF_SECOND && second(self.entry.entry()) != second(next)
    }
}

/// Length of a timestamp without the fraction of its second.
const SECOND: usize = "2026-01-31 12:00:00".len();

impl Assembler {
    pub(super) fn error(&mut self, index: usize, out: &mut Records) {
        let entry = out.batch.entry(index);
        let is_repeated = match self.workers.repeats(entry) {
            Repeats::Nothing => false,
            Repeats::OfLeader => true,
            // If the worker's error still waits, drops it instead, because only the leader's error has the session.
            Repeats::OfWorker(pid) => !self.drop_error_of_worker(pid, out),
        };
        if is_repeated {
            out.batch.stats.worker_errors += 1;
            return;
        }
        let has_statement = !out.batch.entry(index).sql().is_empty();
        let session = out.batch.messages[index].session;
        match (has_statement, out.batch.selection.errors) {
            (true, true) => self.add(Record::InBatch(index as u32), session, true, false, out),
            (true, false) => out.batch.stats.unselected_errors += 1,
            (false, true) => {
                self.add_pending(index, out);
            }
            (false, false) => out.batch.stats.without_statement += 1,
        }
    }

    /// Drops the waiting error of a parallel worker. Returns whether the error existed.
    pub(super) fn drop_error_of_worker(&mut self, pid: u32, out: &mut Records) -> bool {
        let before = self.pending_errors.len();
        self.pending_errors.retain(|error| error.entry.message.pid != pid);
        let dropped = before - self.pending_errors.len();
        out.batch.stats.worker_errors += dropped as u64;
        dropped > 0
    }

    /// Handles a message about the running statement.
    pub(super) fn event(&mut self, index: usize, out: &mut Records) {
        if out.batch.entry(index).sql().is_empty() {
            return self.add_pending(index, out);
        }
        let session = out.batch.messages[index].session;
        self.add(Record::InBatch(index as u32), session, true, false, out);
    }

    /// Queues a message that waits for its statement.
    pub(super) fn add_pending(&mut self, index: usize, out: &mut Records) {
        if self.pending_errors.len() == MAX_PENDING_ERRORS
            && let Some(oldest) = self.pending_errors.pop_front()
        {
            self.give_up(oldest.entry, out);
        }
        let entry = Box::new(OwnedEntry::new(out.batch.entry(index)));
        self.pending_errors.push_back(Pending { entry, since: self.waited });
    }

    /// Handles a message whose statement will not follow. An error without a statement is not a record.
    pub(super) fn give_up(&mut self, entry: Box<OwnedEntry>, out: &mut Records) {
        let mut entry = entry;
        if entry.message.event.is_none() {
            if !out.batch.selection.messages {
                out.batch.stats.without_statement += 1;
                return;
            }
            entry.message.event = Some(Event::Message);
        }
        let session = entry.message.session;
        self.add(Record::Owned(entry), session, true, false, out);
    }

    /// Joins a statement with the error that waits for it. Other processes logged messages between the error and the
    /// statement.
    pub(super) fn orphan_statement(&mut self, index: usize, out: &mut Records) {
        let statement = out.batch.entry(index);
        let Some(at) = self.pending_errors.iter().position(|error| error.entry.message.pid == statement.pid()) else {
            return;
        };
        let Some(Pending { entry: mut error, .. }) = self.pending_errors.remove(at) else { return };
        error.add_statement(statement);
        let session = error.message.session;
        self.add(Record::Owned(error), session, true, false, out);
    }

    /// Gives up the waiting errors whose statements will not follow message `index`: their process has logged its next
    /// message, or many messages were logged.
    pub(super) fn drop_pending_errors(&mut self, index: usize, out: &mut Records) {
        self.waited += 1;
        loop {
            let next = out.batch.entry(index);
            let Some(at) = self.pending_errors.iter().position(|error| error.is_over(self.waited, next)) else {
                return;
            };
            if let Some(error) = self.pending_errors.remove(at) {
                self.give_up(error.entry, out);
            }
        }
    }

    /// Gives up all waiting errors.
    pub(super) fn give_up_all(&mut self, out: &mut Records) {
        while let Some(error) = self.pending_errors.pop_front() {
            self.give_up(error.entry, out);
        }
    }
}
