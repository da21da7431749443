//! Assembles records: joins statements with durations and errors that the log has in other
//! messages of the same process. Takes the batches of any format, in order, and knows no format.
//!
//! In a log with durations on separate lines, a statement waits for its duration in a queue, and
//! all later records after it, so that records leave in the log's order. If the queue gets too
//! long, the statement at its front is deferred: it leaves later, when its session goes on. A session has
//! at most one such statement, so that memory is bounded by the number of open sessions.

mod executed;
mod executions;
mod failures;
mod portals;
#[cfg(test)]
mod tests;
mod workers;

use std::collections::VecDeque;

use foldhash::HashMap;
use pgq_lexer::statement_keyword;

use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::records::{Record, Records};
use crate::format::batch::Batch;
use crate::message::event::Event;
use crate::message::field::Field;
use crate::message::parts::{Message, MessageKind};
use executed::{Executed, is_cursor_like};
use portals::{Portals, portal_name};
use workers::WorkerErrors;

/// Maximum number of records in the queue, and of bytes.
const MAX_QUEUED: usize = 1024;
const MAX_QUEUED_BYTES: usize = 16 << 20;
/// Maximum number of bytes of deferred records.
const MAX_DEFERRED_BYTES: usize = 512 << 20;
/// Maximum number of errors that wait for their statement.
const MAX_PENDING_ERRORS: usize = 64;

/// A record in the queue.
struct Queued {
    /// `None`: it turned out not to be a record.
    record: Option<Record>,
    session: u64,
    /// Memory of the record, in bytes.
    size: usize,
    /// Whether it is complete: it does not wait for another message of its session.
    ready: bool,
    /// A plan, which is a record unless the same execution's duration follows.
    is_plan: bool,
}

/// Assembles the records of one log from its batches.
#[derive(Default)]
pub struct Assembler {
    queue: VecDeque<Queued>,
    queued_bytes: usize,
    /// How many records have left the queue. A record's serial number is this plus its index.
    dequeued: u64,
    /// By session, the serial number of the queued record that waits for its duration.
    awaiting_duration: HashMap<u64, u64>,
    /// By session, a record that left the queue to wait for its duration, with its serial number.
    deferred: HashMap<u64, (u64, Box<OwnedEntry>)>,
    deferred_bytes: usize,
    /// Errors and events that wait for their statement, oldest first.
    pending_errors: VecDeque<Box<OwnedEntry>>,
    /// Sessions whose next duration belongs to no record, or to this fetch of more rows.
    uncounted: HashMap<u64, Option<Box<OwnedEntry>>>,
    /// Executions of portals, which fetches may follow.
    portals: Portals,
    /// By session, what was parsed or bound and not yet executed: the SQL, and microseconds so far.
    preparations: HashMap<u64, (Vec<u8>, u64)>,
    /// Executions whose plan may follow.
    executed: Executed,
    /// Errors of parallel workers.
    workers: WorkerErrors,
    /// Whether the log has durations on separate lines.
    has_separate_durations: bool,
    /// Whether it lacks the duration of a statement that has not failed.
    lacks_durations: bool,
    /// Whether errors have their statements.
    errors_have_statements: bool,
    /// Whether executions of portals wait for fetches.
    waits_for_fetches: bool,
}

impl Assembler {
    /// Takes the next batch; more batches follow.
    pub fn assemble(&mut self, batch: Batch) -> Records {
        self.waits_for_fetches = batch.selection.durations;
        let mut out = Records { list: Vec::with_capacity(batch.messages.len()), batch };
        for index in 0..out.batch.messages.len() {
            self.message(index, &mut out);
        }
        self.own_queued_records(&out.batch);
        self.note_last_executions(&out);
        out
    }

    /// Takes the next batch of a log that is idle after it. Returns also the records that wait only for the sake
    /// of their order; and, unless durations matter, the statements that wait in case a duration follows.
    pub fn assemble_idle(&mut self, batch: Batch) -> Records {
        let mut out = self.assemble(batch);
        if self.has_separate_durations || out.batch.selection.durations {
            while let Some(front) = self.queue.front_mut() {
                if !front.ready && !front.is_plan {
                    self.defer_front(&mut out);
                } else {
                    front.ready = true;
                    self.drain(false, &mut out);
                }
            }
        } else {
            self.return_deferred(&mut out);
            self.drain(true, &mut out);
        }
        out
    }

    /// Takes the last batch of the log and returns everything that is left.
    pub fn finish(&mut self, batch: Batch) -> Records {
        let mut out = self.assemble(batch);
        while let Some(error) = self.pending_errors.pop_front() {
            self.give_up(error, &mut out);
        }
        if self.has_separate_durations && !self.lacks_durations {
            let waiting = self.queue.iter().filter(|queued| !queued.ready && !queued.is_plan).count();
            out.batch.stats.still_running += (waiting + self.deferred.len()) as u64;
        }
        out.list.extend(self.portals.take_all().into_iter().map(Record::Owned));
        self.return_deferred(&mut out);
        self.drain(true, &mut out);
        out
    }

    /// Returns all deferred statements, in the order of the log.
    fn return_deferred(&mut self, out: &mut Records) {
        let mut deferred: Vec<(u64, Box<OwnedEntry>)> = self.deferred.drain().map(|(_, entry)| entry).collect();
        self.deferred_bytes = 0;
        deferred.sort_by_key(|(serial, _)| *serial);
        out.list.extend(deferred.into_iter().map(|(_, entry)| Record::Owned(entry)));
    }

    /// Takes the deferred statement of a session.
    fn take_deferred(&mut self, session: u64) -> Option<Box<OwnedEntry>> {
        let (_, entry) = self.deferred.remove(&session)?;
        self.deferred_bytes -= entry.memory_size();
        Some(entry)
    }

    fn message(&mut self, index: usize, out: &mut Records) {
        let Message { pid, session, kind, .. } = out.batch.messages[index];
        if !self.pending_errors.is_empty() && kind != MessageKind::OrphanStatement {
            self.drop_pending_errors(pid, out);
        }
        match kind {
            MessageKind::Statement => {
                if !self.preparations.is_empty() {
                    self.add_preparation(index, out);
                }
                let has_duration = out.batch.messages[index].has(Field::Duration);
                let has_plan =
                    has_duration && !self.awaiting_duration.is_empty() && self.drop_duplicate_plan(index, out);
                if has_duration && !has_plan {
                    self.executed.add(session, out.batch.entry(index));
                }
                self.go_on(session, out);
                if !self.portals.is_empty() && ends_transaction(out.batch.entry(index).sql()) {
                    self.return_portals(session, out);
                }
                if has_duration && self.is_portal(out.batch.entry(index)) {
                    let execution = Box::new(OwnedEntry::new(out.batch.entry(index)));
                    return self.hold(execution, out);
                }
                // Without sessions nobody can say which duration is this statement's.
                let ready = has_duration || session == 0;
                self.add(Record::InBatch(index as u32), session, ready, false, out);
            }
            MessageKind::Fetch => {
                self.go_on(session, out);
                let fetch = Box::new(OwnedEntry::new(out.batch.entry(index)));
                if out.batch.messages[index].has(Field::Duration) {
                    self.fetch(fetch, out);
                } else if session != 0 {
                    self.uncounted.insert(session, Some(fetch));
                }
            }
            MessageKind::SessionEnd => {
                self.flush_pending(session, out);
                self.return_portals(session, out);
                self.preparations.remove(&session);
                self.executed.end(session);
            }
            MessageKind::WorkerEnd => {
                let is_worker = |error: &Box<OwnedEntry>| u64::from(error.message.pid) == session;
                let before = self.pending_errors.len();
                self.pending_errors.retain(|error| !is_worker(error));
                out.batch.stats.worker_errors += (before - self.pending_errors.len()) as u64;
            }
            MessageKind::Plan => self.plan(index, out),
            MessageKind::Uncounted => {
                self.go_on(session, out);
                if session != 0 && !out.batch.messages[index].has(Field::Duration) {
                    self.uncounted.insert(session, None);
                }
            }
            MessageKind::Duration => self.duration(index, out),
            MessageKind::Preparation => {
                self.go_on(session, out);
                self.preparation(index, out);
            }
            MessageKind::Error => {
                self.drop_failed(index, out);
                self.flush_pending(session, out);
                self.error(index, out);
            }
            MessageKind::Event => self.event(index, out),
            MessageKind::OrphanStatement => self.orphan_statement(index, out),
            MessageKind::Unrelated => {}
        }
    }

    /// A session goes on with its next statement.
    fn go_on(&mut self, session: u64, out: &mut Records) {
        let waits = match self.awaiting(session) {
            Some(queued) => !queued.is_plan,
            None => self.deferred.contains_key(&session),
        };
        self.lacks_durations |= waits;
        self.flush_pending(session, out);
    }

    /// Whether fetches may follow an execution.
    fn is_portal(&self, execution: Entry<'_>) -> bool {
        self.waits_for_fetches && execution.session() != 0 && portal_name(execution.get(Field::Heading)).is_some()
    }

    /// Keeps the execution of a portal until its transaction ends.
    fn hold(&mut self, execution: Box<OwnedEntry>, out: &mut Records) {
        let session = execution.message.session;
        if let Some(leaves) = self.portals.add(session, execution) {
            self.add(Record::Owned(leaves), session, true, false, out);
        }
    }

    /// Adds the duration of a fetch to its execution. If the log does not have that, the fetch takes its place.
    fn fetch(&mut self, fetch: Box<OwnedEntry>, out: &mut Records) {
        if !self.portals.add_fetch(fetch.entry()) {
            out.batch.stats.lost_fetches += 1;
            self.hold(fetch, out);
        }
    }

    /// Returns the executions of a session's portals.
    fn return_portals(&mut self, session: u64, out: &mut Records) {
        for execution in self.portals.take(session) {
            self.add(Record::Owned(execution), session, true, false, out);
        }
    }

    /// The entry of a session that waits for its duration.
    fn pending_entry<'a>(&'a self, session: u64, batch: &'a Batch) -> Option<Entry<'a>> {
        if let Some(serial) = self.awaiting_duration.get(&session) {
            return match self.queue.get(serial.checked_sub(self.dequeued)? as usize)?.record.as_ref()? {
                Record::InBatch(index) => Some(batch.entry(*index as usize)),
                Record::Owned(entry) => Some(entry.entry()),
            };
        }
        self.deferred.get(&session).map(|(_, entry)| entry.entry())
    }

    fn error(&mut self, index: usize, out: &mut Records) {
        let entry = out.batch.entry(index);
        if self.workers.is_duplicate(entry) {
            out.batch.stats.worker_errors += 1;
            return;
        }
        let (session, has_statement) = (out.batch.messages[index].session, !entry.sql().is_empty());
        match (has_statement, out.batch.selection.errors) {
            (true, true) => self.add(Record::InBatch(index as u32), session, true, false, out),
            (true, false) => out.batch.stats.unselected_errors += 1,
            (false, true) => {
                self.add_pending(index, out);
            }
            (false, false) => out.batch.stats.without_statement += 1,
        }
    }

    /// Takes a message about the statement that is under way.
    fn event(&mut self, index: usize, out: &mut Records) {
        if out.batch.entry(index).sql().is_empty() {
            return self.add_pending(index, out);
        }
        let session = out.batch.messages[index].session;
        self.add(Record::InBatch(index as u32), session, true, false, out);
    }

    /// Keeps a message that waits for its statement.
    fn add_pending(&mut self, index: usize, out: &mut Records) {
        if self.pending_errors.len() == MAX_PENDING_ERRORS
            && let Some(oldest) = self.pending_errors.pop_front()
        {
            self.give_up(oldest, out);
        }
        self.pending_errors.push_back(Box::new(OwnedEntry::new(out.batch.entry(index))));
    }

    /// The statement of a message does not come: an error is no record then.
    fn give_up(&mut self, entry: Box<OwnedEntry>, out: &mut Records) {
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

    /// Joins a statement with the error that waits for it. Messages of other processes came
    /// between the two.
    fn orphan_statement(&mut self, index: usize, out: &mut Records) {
        let statement = out.batch.entry(index);
        let Some(at) = self.pending_errors.iter().position(|error| error.message.pid == statement.pid()) else {
            return;
        };
        let Some(mut error) = self.pending_errors.remove(at) else { return };
        error.add_statement(statement);
        let session = error.message.session;
        self.add(Record::Owned(error), session, true, false, out);
    }

    /// Drops the errors of a process that has logged its next message: no statement comes.
    fn drop_pending_errors(&mut self, pid: u32, out: &mut Records) {
        while let Some(at) = self.pending_errors.iter().position(|error| error.message.pid == pid) {
            if let Some(error) = self.pending_errors.remove(at) {
                self.give_up(error, out);
            }
        }
    }

    /// Queues a record, or returns it at once if the queue is empty.
    fn add(&mut self, record: Record, session: u64, ready: bool, is_plan: bool, out: &mut Records) {
        if ready && self.queue.is_empty() {
            return out.list.push(record);
        }
        if !ready {
            self.awaiting_duration.insert(session, self.dequeued + self.queue.len() as u64);
            self.uncounted.remove(&session);
        }
        let size = match &record {
            Record::InBatch(index) => out.batch.entry(*index as usize).sql().len(),
            Record::Owned(entry) => entry.memory_size(),
        };
        self.queued_bytes += size;
        self.queue.push_back(Queued { record: Some(record), session, size, ready, is_plan });
        self.drain(false, out);
    }

    /// The queued record of a session that waits for its duration.
    fn awaiting(&mut self, session: u64) -> Option<&mut Queued> {
        let serial = self.awaiting_duration.get(&session)?;
        self.queue.get_mut(serial.checked_sub(self.dequeued)? as usize)
    }

    /// The queued record of a session that waits for its duration; it stops waiting.
    fn take_awaiting(&mut self, session: u64) -> Option<&mut Queued> {
        let serial = self.awaiting_duration.remove(&session)?;
        self.queue.get_mut(serial.checked_sub(self.dequeued)? as usize)
    }

    /// Sets the duration of the record of a session that waits for it.
    fn set_duration(&mut self, session: u64, digits: &[u8], out: &mut Records) {
        match self.awaiting(session).and_then(|queued| queued.record.as_mut()) {
            Some(Record::InBatch(record)) => {
                let index = *record as usize;
                let mut message = std::mem::take(&mut out.batch.messages[index]);
                out.batch.add_field(&mut message, Field::Duration, digits);
                out.batch.messages[index] = message;
            }
            Some(Record::Owned(entry)) => entry.set(Field::Duration, digits),
            None => {
                if let Some((_, entry)) = self.deferred.get_mut(&session) {
                    let before = entry.memory_size();
                    entry.set(Field::Duration, digits);
                    self.deferred_bytes = self.deferred_bytes + entry.memory_size() - before;
                }
            }
        }
    }

    /// A duration on a separate line belongs to the last statement of the same session.
    fn duration(&mut self, index: usize, out: &mut Records) {
        let Message { session, .. } = out.batch.messages[index];
        let digits = out.batch.messages[index].range(Field::Duration);
        if session == 0 {
            self.flush_pending(session, out); // a plan
            out.batch.stats.unassigned_durations += 1;
        } else if let Some(fetch) = self.uncounted.remove(&session) {
            // A call by the fast path has been counted.
            if let Some(mut fetch) = fetch {
                fetch.set(Field::Duration, &out.batch.bytes[digits]);
                self.fetch(fetch, out);
            }
        } else if self.awaiting(session).is_some() {
            self.complete(session, digits, out);
            self.has_separate_durations = true;
            self.drain(false, out);
        } else if let Some(mut entry) = self.take_deferred(session) {
            let has_plan = !entry.entry().get(Field::Duration).is_empty();
            entry.set(Field::Duration, &out.batch.bytes[digits]);
            self.has_separate_durations = true;
            if !has_plan {
                self.executed.add(session, entry.entry());
            }
            if self.is_portal(entry.entry()) {
                return self.hold(entry, out);
            }
            out.list.push(Record::Owned(entry));
        } else {
            out.batch.stats.orphan_durations += 1;
        }
    }

    /// Gives the statement of a session the duration that it has waited for.
    fn complete(&mut self, session: u64, digits: std::ops::Range<usize>, out: &mut Records) {
        let Some(serial) = self.awaiting_duration.remove(&session) else { return };
        let Some(queued) = self.queue.get_mut((serial - self.dequeued) as usize) else { return };
        queued.ready = true;
        let Some(record) = &mut queued.record else { return };
        let has_plan = !record.entry(&out.batch).get(Field::Duration).is_empty();
        match record {
            Record::InBatch(record) => out.batch.messages[*record as usize].set(Field::Duration, digits),
            Record::Owned(entry) => entry.set(Field::Duration, &out.batch.bytes[digits]),
        }
        let entry = record.entry(&out.batch);
        if !has_plan {
            self.executed.add(session, entry);
        }
        if self.waits_for_fetches && portal_name(entry.get(Field::Heading)).is_some() {
            let execution = queued.record.take().map(|record| record.into_owned(&out.batch));
            execution.into_iter().for_each(|execution| self.hold(execution, out));
        }
    }

    /// Releases the statement of a session that has gone on: its duration does not come.
    fn flush_pending(&mut self, session: u64, out: &mut Records) {
        if !self.uncounted.is_empty() {
            self.uncounted.remove(&session);
        }
        if self.awaiting_duration.is_empty() && self.deferred.is_empty() {
            return;
        }
        let cursor = self.pending_entry(session, &out.batch).filter(|entry| is_cursor_like(*entry));
        if let Some(cursor) = cursor.map(OwnedEntry::new) {
            self.executed.add(session, cursor.entry());
        }
        if let Some(queued) = self.take_awaiting(session) {
            queued.ready = true;
            self.drain(false, out);
        } else if let Some(entry) = self.take_deferred(session) {
            out.list.push(Record::Owned(entry));
        }
    }

    /// Forgets the statement of a session.
    fn drop_pending(&mut self, session: u64, out: &mut Records) {
        if let Some(queued) = self.take_awaiting(session) {
            (queued.record, queued.ready) = (None, true);
            self.drain(false, out);
        } else {
            self.take_deferred(session);
        }
    }

    /// Returns the records at the front of the queue that are ready; with `all`, all records.
    fn drain(&mut self, all: bool, out: &mut Records) {
        loop {
            let full = self.queue.len() > MAX_QUEUED || self.queued_bytes > MAX_QUEUED_BYTES;
            match self.queue.front() {
                Some(front) if front.ready || all || full => {}
                _ => return,
            }
            if !all && self.queue.front().is_some_and(|front| !front.ready && !front.is_plan) {
                self.defer_front(out);
                continue;
            }
            let Some(Queued { record, session, size, ready, .. }) = self.queue.pop_front() else { return };
            self.dequeued += 1;
            self.queued_bytes -= size;
            if !ready {
                self.awaiting_duration.remove(&session);
            }
            out.list.extend(record);
        }
    }

    /// Takes the statement at the front out of the queue: it waits on.
    fn defer_front(&mut self, out: &mut Records) {
        let Some(Queued { record, session, size, .. }) = self.queue.pop_front() else { return };
        self.dequeued += 1;
        self.queued_bytes -= size;
        self.awaiting_duration.remove(&session);
        let Some(entry) = record.map(|record| record.into_owned(&out.batch)) else { return };
        if self.deferred_bytes + entry.memory_size() > MAX_DEFERRED_BYTES {
            out.batch.stats.given_up += 1;
            return out.list.push(Record::Owned(entry));
        }
        self.deferred_bytes += entry.memory_size();
        let before = self.deferred.insert(session, (self.dequeued, entry));
        out.list.extend(before.map(|(_, entry)| Record::Owned(entry)));
    }

    /// Gives queued records of `batch` their own copy of their text: they outlive the batch.
    fn own_queued_records(&mut self, batch: &Batch) {
        for queued in &mut self.queue {
            if let Some(Record::InBatch(index)) = queued.record {
                let entry = Box::new(OwnedEntry::new(batch.entry(index as usize)));
                self.queued_bytes += entry.memory_size();
                self.queued_bytes -= queued.size;
                queued.size = entry.memory_size();
                queued.record = Some(Record::Owned(entry));
            }
        }
    }
}

/// Whether a statement ends its transaction and with it its portals.
fn ends_transaction(sql: &[u8]) -> bool {
    let word = sql.trim_ascii_start().first().map_or(0, u8::to_ascii_lowercase);
    if !matches!(word, b'c' | b'r' | b'e' | b'a' | b'p' | b'/' | b'-') {
        return false;
    }
    let is_savepoint = || sql.windows(3).any(|word| word.eq_ignore_ascii_case(b"to "));
    match statement_keyword(sql).as_str() {
        "commit" | "end" | "abort" => true,
        "rollback" => !is_savepoint(),
        "prepare" => sql.windows(11).any(|word| word.eq_ignore_ascii_case(b"transaction")),
        _ => false,
    }
}
