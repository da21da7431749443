//! Joins errors and events with their statements if the log has the statements in later messages.

use super::workers::Repeats;
use super::{Assembler, MAX_LEADER_ERRORS, MAX_PENDING_ERRORS, MAX_SECONDS, MAX_WAIT};
use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::records::{Record, Records};
use crate::message::event::{Event, PARALLEL_WORKER, is_of_worker};
use crate::message::field::Field;

/// An error or event that waits for its statement.
pub(super) struct Pending {
    pub(super) entry: Box<OwnedEntry>,
    /// Value of [`Assembler::waited`] (a count of messages) when this entry began to wait.
    since: u64,
    /// Whether this is the error of a parallel worker. Such an error waits until the worker's
    /// leader logs the same error.
    is_of_worker: bool,
    /// IDs of processes that have logged the same error and may be the worker's leader. If a later message shows that
    /// such a process is a worker, too, its ID is removed.
    repeated_by: Vec<u32>,
}

impl Pending {
    fn new(entry: Box<OwnedEntry>, since: u64, is_of_worker: bool) -> Self {
        Self { entry, since, is_of_worker, repeated_by: Vec::new() }
    }

    /// Whether this entry has waited too long when message `next` arrives: too many messages have arrived, or too many
    /// seconds have passed by the log's times.
    fn is_over(&self, waited: u64, next: Entry<'_>) -> bool {
        let seconds = second_of_day(self.entry.entry()).zip(second_of_day(next));
        waited - self.since >= MAX_WAIT || seconds.is_some_and(|(own, next)| own.abs_diff(next) >= MAX_SECONDS)
    }
}

/// Returns the seconds from midnight to the time of an entry. Returns `None` if the time is not in the format of `%m`
/// or `%t`.
fn second_of_day(entry: Entry<'_>) -> Option<u32> {
    let [.., h, i, b':', m, n, b':', s, t] = *entry.get(Field::Time).first_chunk::<19>()? else { return None };
    let pair = |tens: u8, ones: u8| 10 * u32::from(tens.wrapping_sub(b'0')) + u32::from(ones.wrapping_sub(b'0'));
    Some(3600 * pair(h, i) + 60 * pair(m, n) + pair(s, t))
}

/// Whether a message of a worker and a message of its leader may report the same error.
fn is_same_error(worker: Entry<'_>, leader: Entry<'_>) -> bool {
    let same = |field| worker.get(field) == leader.get(field);
    let is_known = |field| !worker.get(field).is_empty() && !leader.get(field).is_empty();
    let fields = [Field::SqlState, Field::Sql];
    same(Field::Message) && fields.into_iter().all(|field| same(field) || !is_known(field))
}

impl Assembler {
    pub(super) fn error(&mut self, index: usize, out: &mut Records) {
        let entry = out.batch.entry(index);
        let is_repeated = match self.workers.repeats(index, &out.batch) {
            Repeats::Nothing => false,
            Repeats::MaybeOfLeader if out.batch.selection.errors && !self.is_logged_by_leader(entry) => {
                return self.add_pending(index, true, out);
            }
            Repeats::MaybeOfLeader | Repeats::OfLeader => true,
            // This message is the leader's copy of the worker's error. If the worker's own message still waits, drop
            // it and keep the copy, because only the copy has the session.
            Repeats::OfWorker(pid) => !self.drop_error_of_worker(pid, out),
        };
        if is_repeated {
            out.batch.stats.worker_errors += 1;
            return;
        }
        self.drop_errors_of_workers(index, out);
        let has_statement = !out.batch.entry(index).sql().is_empty();
        let session = out.batch.messages[index].session;
        match (has_statement, out.batch.selection.errors) {
            (true, true) => self.add(Record::InBatch(index as u32), session, true, out),
            (true, false) => out.batch.stats.unselected_errors += 1,
            (false, true) => {
                self.add_pending(index, false, out);
            }
            (false, false) => out.batch.stats.without_statement += 1,
        }
    }

    /// Marks the waiting error of process `pid` as the error of a parallel worker, so it waits
    /// until the leader logs the same error. Returns whether the process has a waiting error.
    pub(super) fn await_leader(&mut self, pid: u32) -> bool {
        self.pending_errors.iter_mut().for_each(|error| error.repeated_by.retain(|process| *process != pid));
        let error = self.pending_errors.iter_mut().rfind(|error| error.entry.message.pid == pid);
        error.map(|error| error.is_of_worker = true).is_some()
    }

    /// Drops the waiting error of a parallel worker. Returns whether the error existed.
    pub(super) fn drop_error_of_worker(&mut self, pid: u32, out: &mut Records) -> bool {
        let before = self.pending_errors.len();
        self.pending_errors.retain(|error| error.entry.message.pid != pid);
        let dropped = before - self.pending_errors.len();
        out.batch.stats.worker_errors += dropped as u64;
        dropped > 0
    }

    /// Handles the error in message `index`, which may be a leader's copy of a worker's error. If a leader logged the
    /// message, drops the equal waiting errors of workers. If another worker may have logged the message, the waiting
    /// errors stay.
    fn drop_errors_of_workers(&mut self, index: usize, out: &mut Records) {
        let leader = out.batch.entry(index);
        let has_worker = is_of_worker(leader.get(Field::Context));
        let is_leader = has_worker || leader.pid() == 0 || !leader.get(Field::BackendType).is_empty();
        let before = self.pending_errors.len();
        self.pending_errors.retain_mut(|error| {
            if !error.is_of_worker || !is_same_error(error.entry.entry(), leader) {
                return true;
            }
            error.repeated_by.push(leader.pid());
            !is_leader
        });
        let repeated = before - self.pending_errors.len();
        if has_worker {
            self.leader_errors.truncate(MAX_LEADER_ERRORS - 1);
            let entry = Box::new(OwnedEntry::new(leader));
            self.leader_errors.push_front(Pending::new(entry, self.waited, false));
        }
        out.batch.stats.worker_errors += repeated as u64;
    }

    /// Whether one of the stored errors of leaders is the same as the worker's error `error`, and was logged shortly
    /// before it.
    fn is_logged_by_leader(&self, error: Entry<'_>) -> bool {
        let is_same =
            |leader: &Pending| is_same_error(error, leader.entry.entry()) && !leader.is_over(self.waited, error);
        self.leader_errors.iter().any(is_same)
    }

    /// Handles a message about the running statement.
    pub(super) fn event(&mut self, index: usize, out: &mut Records) {
        let event = out.batch.messages[index].event;
        match event {
            Some(Event::TemporaryFile { .. }) if self.temporary_file(index, out) => return,
            Some(Event::ServerStarted) => self.end_all_sessions(out),
            _ => {}
        }
        if out.batch.entry(index).sql().is_empty() {
            return self.add_pending(index, false, out);
        }
        let session = out.batch.messages[index].session;
        self.add(Record::InBatch(index as u32), session, true, out);
    }

    /// Queues a message that waits for its statement.
    pub(super) fn add_pending(&mut self, index: usize, is_of_worker: bool, out: &mut Records) {
        if self.pending_errors.len() == MAX_PENDING_ERRORS
            && let Some(oldest) = self.pending_errors.pop_front()
        {
            self.give_up(oldest, out);
        }
        let entry = Box::new(OwnedEntry::new(out.batch.entry(index)));
        self.pending_errors.push_back(Pending::new(entry, self.waited, is_of_worker));
    }

    /// Stops the wait of `pending`, because the message that it waits for will not follow. This message is the
    /// statement of an error or event, or the leader's copy of a worker's error. Drops a worker's error that another
    /// process has repeated. Drops an error without a statement, unless messages are selected.
    fn give_up(&mut self, pending: Pending, out: &mut Records) {
        let Pending { mut entry, is_of_worker, repeated_by, .. } = pending;
        if !repeated_by.is_empty() {
            out.batch.stats.worker_errors += 1;
            return;
        }
        out.batch.stats.unpaired_workers += u64::from(is_of_worker);
        if is_of_worker {
            entry.set(Field::BackendType, PARALLEL_WORKER); // a csvlog before PostgreSQL 13 lacks the type
        }
        if matches!(entry.message.event, Some(Event::TemporaryFile { .. })) && entry.entry().sql().is_empty() {
            let statement = entry.entry().get(Field::Statement).to_vec(); // the last execution, or empty
            entry.set(Field::Sql, &statement);
        }
        if entry.message.event.is_none() && entry.entry().sql().is_empty() {
            if !out.batch.selection.messages {
                out.batch.stats.without_statement += 1;
                return;
            }
            entry.message.event = Some(Event::Message);
        }
        let session = entry.message.session;
        self.add(Record::Owned(entry), session, true, out);
    }

    /// Joins a statement with the error that waits for it. Called if other processes logged messages between the two.
    pub(super) fn orphan_statement(&mut self, index: usize, out: &mut Records) {
        let statement = out.batch.entry(index);
        let Some(at) = self.pending_errors.iter().position(|error| error.entry.message.pid == statement.pid()) else {
            return;
        };
        if let Some(worker) = self.pending_errors.get_mut(at).filter(|error| error.is_of_worker) {
            return worker.entry.add_statement(statement);
        }
        let Some(Pending { entry: mut error, .. }) = self.pending_errors.remove(at) else { return };
        error.add_statement(statement);
        let session = error.message.session;
        self.note_error_with_statement(session);
        self.add(Record::Owned(error), session, true, out);
    }

    /// Ends the wait of errors whose statement will not follow: the errors of the process that
    /// logged message `index`, and errors that have waited too long.
    pub(super) fn drop_pending_errors(&mut self, index: usize, out: &mut Records) {
        self.waited += 1;
        let pid = out.batch.messages[index].pid;
        loop {
            let next = out.batch.entry(index);
            let oldest = self.pending_errors.front().filter(|oldest| oldest.is_over(self.waited, next)).map(|_| 0);
            let same = || self.pending_errors.iter().position(|error| error.entry.message.pid == pid);
            let Some(at) = oldest.or_else(same) else { return };
            if let Some(error) = self.pending_errors.remove(at) {
                self.give_up(error, out);
            }
        }
    }

    /// Gives up all errors that wait for their statements.
    pub(super) fn give_up_all(&mut self, out: &mut Records) {
        while let Some(error) = self.pending_errors.pop_front() {
            self.give_up(error, out);
        }
    }
}
