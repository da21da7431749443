//! Assembles records: joins statements with durations and errors that the log has in other
//! messages of the same process. Takes the batches of any format, in order, and knows no format.
//!
//! In a log with durations on separate lines, a statement waits for its duration in a queue, and
//! all later records behind it, so that records leave in the log's order. If the queue gets too
//! long, the statement at its front is deferred: it leaves later, when its duration comes.

use std::collections::{HashMap, VecDeque};

use crate::batch::Batch;
use crate::entry::OwnedEntry;
use crate::field::Field;
use crate::message::{Message, MessageKind};
use crate::records::{Record, Records};

/// Maximum number of records in the queue, and of bytes.
const MAX_QUEUED: usize = 1024;
const MAX_QUEUED_BYTES: usize = 16 << 20;
/// Maximum number of deferred records, and of bytes of one of them.
const MAX_DEFERRED: usize = 1024;
const MAX_DEFERRED_BYTES: usize = 256 << 10;
/// Maximum number of errors that wait for their statement.
const MAX_PENDING_ERRORS: usize = 64;

/// A record in the queue.
struct Queued {
    record: Record,
    pid: u32,
    /// Memory of the record, in bytes.
    size: usize,
    /// Whether it is complete: it does not wait for a duration.
    ready: bool,
}

/// Assembles the records of one log from its batches.
#[derive(Default)]
pub struct Assembler {
    queue: VecDeque<Queued>,
    queued_bytes: usize,
    /// How many records have left the queue. A record's serial number is this plus its index.
    dequeued: u64,
    /// By process, the serial number of the queued record that waits for its duration.
    awaiting_duration: HashMap<u32, u64>,
    /// By process, a record that left the queue to wait for its duration.
    deferred: HashMap<u32, Box<OwnedEntry>>,
    /// Errors that wait for their statement, oldest first.
    pending_errors: VecDeque<Box<OwnedEntry>>,
    /// Whether the log has durations on separate lines.
    has_separate_durations: bool,
}

impl Assembler {
    /// Takes the next batch; more batches follow.
    pub fn assemble(&mut self, batch: Batch) -> Records {
        let mut out = Records { list: Vec::with_capacity(batch.messages.len()), batch };
        for index in 0..out.batch.messages.len() {
            self.message(index, &mut out);
        }
        self.own_queued_records(&out.batch);
        out
    }

    /// Takes the next batch of a log that is idle after it. Returns also the statements that only
    /// wait in case a duration follows.
    pub fn assemble_idle(&mut self, batch: Batch) -> Records {
        let mut out = self.assemble(batch);
        if !self.has_separate_durations {
            self.drain(true, &mut out);
        }
        out
    }

    /// Takes the last batch of the log and returns everything that is left.
    pub fn finish(&mut self, batch: Batch) -> Records {
        let mut out = self.assemble(batch);
        out.batch.stats.without_statement += self.pending_errors.drain(..).count() as u64;
        let mut deferred: Vec<Box<OwnedEntry>> = self.deferred.drain().map(|(_, entry)| entry).collect();
        deferred.sort_by_key(|entry| entry.entry().position().offset);
        out.list.extend(deferred.into_iter().map(Record::Owned));
        self.drain(true, &mut out);
        out
    }

    fn message(&mut self, index: usize, out: &mut Records) {
        let Message { pid, kind, .. } = out.batch.messages[index];
        if !self.pending_errors.is_empty() && kind != MessageKind::OrphanStatement {
            self.drop_pending_errors(pid, out);
        }
        match kind {
            MessageKind::Statement => {
                self.flush_pending(pid, out);
                let ready = out.batch.messages[index].has(Field::Duration);
                self.add(Record::InBatch(index as u32), pid, ready, out);
            }
            MessageKind::Duration => self.duration(index, out),
            MessageKind::Error => {
                self.flush_pending(pid, out);
                self.error(index, out);
            }
            MessageKind::OrphanStatement => self.orphan_statement(index, out),
            MessageKind::Unrelated => {}
        }
    }

    fn error(&mut self, index: usize, out: &mut Records) {
        let entry = out.batch.entry(index);
        let (pid, has_statement) = (entry.pid(), !entry.sql().is_empty());
        match (has_statement, out.batch.selection.errors) {
            (true, true) => self.add(Record::InBatch(index as u32), pid, true, out),
            (true, false) => out.batch.stats.unselected_errors += 1,
            (false, true) => {
                if self.pending_errors.len() == MAX_PENDING_ERRORS {
                    self.pending_errors.pop_front();
                    out.batch.stats.without_statement += 1;
                }
                self.pending_errors.push_back(Box::new(OwnedEntry::new(out.batch.entry(index))));
            }
            (false, false) => out.batch.stats.without_statement += 1,
        }
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
        let pid = error.message.pid;
        self.add(Record::Owned(error), pid, true, out);
    }

    /// Drops the errors of a process that has logged its next message: no statement comes.
    fn drop_pending_errors(&mut self, pid: u32, out: &mut Records) {
        let before = self.pending_errors.len();
        self.pending_errors.retain(|error| error.message.pid != pid);
        out.batch.stats.without_statement += (before - self.pending_errors.len()) as u64;
    }

    /// Queues a record, or returns it at once if the queue is empty.
    fn add(&mut self, record: Record, pid: u32, ready: bool, out: &mut Records) {
        if ready && self.queue.is_empty() {
            return out.list.push(record);
        }
        if !ready {
            self.awaiting_duration.insert(pid, self.dequeued + self.queue.len() as u64);
        }
        let size = match &record {
            Record::InBatch(index) => out.batch.entry(*index as usize).sql().len(),
            Record::Owned(entry) => entry.memory_size(),
        };
        self.queued_bytes += size;
        self.queue.push_back(Queued { record, pid, size, ready });
        self.drain(false, out);
    }

    /// The queued record of a process that waits for its duration; it stops waiting.
    fn take_awaiting(&mut self, pid: u32) -> Option<&mut Queued> {
        let serial = self.awaiting_duration.remove(&pid)?;
        self.queue.get_mut(serial.checked_sub(self.dequeued)? as usize)
    }

    /// A duration on a separate line belongs to the last statement of the same process.
    fn duration(&mut self, index: usize, out: &mut Records) {
        let Message { pid, .. } = out.batch.messages[index];
        let digits = out.batch.messages[index].range(Field::Duration);
        if let Some(queued) = self.take_awaiting(pid) {
            match &mut queued.record {
                Record::InBatch(record) => out.batch.messages[*record as usize].set(Field::Duration, digits),
                Record::Owned(entry) => entry.set(Field::Duration, &out.batch.bytes[digits]),
            }
            queued.ready = true;
            self.has_separate_durations = true;
            self.drain(false, out);
        } else if let Some(mut entry) = self.deferred.remove(&pid) {
            entry.set(Field::Duration, &out.batch.bytes[digits]);
            out.list.push(Record::Owned(entry));
        } else {
            out.batch.stats.orphan_durations += 1;
        }
    }

    /// Releases the statement of a process that has gone on: its duration does not come.
    fn flush_pending(&mut self, pid: u32, out: &mut Records) {
        if self.awaiting_duration.is_empty() && self.deferred.is_empty() {
            return;
        }
        if let Some(queued) = self.take_awaiting(pid) {
            queued.ready = true;
            self.drain(false, out);
        } else if let Some(entry) = self.deferred.remove(&pid) {
            out.list.push(Record::Owned(entry));
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
            let Some(Queued { record, pid, size, ready }) = self.queue.pop_front() else { return };
            self.dequeued += 1;
            self.queued_bytes -= size;
            if !ready {
                self.awaiting_duration.remove(&pid);
            }
            let room = self.deferred.len() < MAX_DEFERRED && size < MAX_DEFERRED_BYTES;
            if !ready && !all && self.has_separate_durations && room {
                let entry = record.into_owned(&out.batch);
                out.list.extend(self.deferred.insert(pid, entry).map(Record::Owned));
            } else {
                out.list.push(record);
            }
        }
    }

    /// Gives queued records of `batch` their own copy of their text: they outlive the batch.
    fn own_queued_records(&mut self, batch: &Batch) {
        for queued in &mut self.queue {
            if let Record::InBatch(index) = queued.record {
                let entry = Box::new(OwnedEntry::new(batch.entry(index as usize)));
                self.queued_bytes += entry.memory_size();
                self.queued_bytes -= queued.size;
                queued.size = entry.memory_size();
                queued.record = Record::Owned(entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Assembler, Batch, Field, MAX_QUEUED, Message};
    use crate::batch::RecordSelection;
    use crate::line::{Line, SourcePosition};
    use crate::severity::Severity;
    use crate::stats::LogStats;
    use crate::testing::summarize;

    /// Assembles messages of processes in batches of `batch_len`; gives the records as text, without
    /// the severity LOG, and the counts.
    fn run_in_batches(messages: &[(u32, &str)], batch_len: usize) -> (Vec<String>, LogStats) {
        let (mut records_text, mut stats) = (Vec::new(), LogStats::default());
        let mut assembler = Assembler::default();
        let mut take = |messages: &[(u32, &str)], last: bool| {
            let mut batch =
                Batch { selection: RecordSelection { errors: true, ..RecordSelection::default() }, ..Batch::default() };
            for (pid, text) in messages {
                let start = batch.bytes.len();
                let line = Line { start, end: start, number: 0, whole: true };
                let severity = if text.starts_with("ERROR") { Severity::Error } else { Severity::Log };
                let mut message = Message::new(*pid, severity, SourcePosition::line_start(line));
                match text.strip_prefix("ERROR ") {
                    None => batch.add_field(&mut message, Field::Message, text.as_bytes()),
                    Some(statement) => batch.add_field(&mut message, Field::Statement, statement.as_bytes()),
                }
                batch.push(message, SourcePosition::default());
            }
            let records = if last { assembler.finish(batch) } else { assembler.assemble(batch) };
            records_text.extend(summarize(&records).iter().map(|line| line.replace(" LOG |", "").replace(" |", "")));
            stats.add(records.stats());
        };
        let mut batches: Vec<_> = messages.chunks(batch_len).collect();
        let last = batches.pop().unwrap_or_default();
        batches.into_iter().for_each(|batch| take(batch, false));
        take(last, true);
        (records_text, stats)
    }

    fn run(messages: &[(u32, &str)]) -> (Vec<String>, LogStats) {
        let whole = run_in_batches(messages, usize::MAX);
        for batch_len in [1, 2, 3, 100] {
            assert_eq!(run_in_batches(messages, batch_len), whole, "batches of {batch_len}");
        }
        whole
    }

    #[test]
    fn durations_find_their_statement_and_order_stays() {
        let (records, stats) = run(&[
            (1, "statement: A"),
            (2, "statement: B"),
            (3, "duration: 3 ms  statement: C"),
            (2, "duration: 2 ms"),
            (1, "duration: 1 ms"),
            (1, "duration: 9 ms"),
            (1, "execute s: D"),
        ]);
        assert_eq!(records, ["1 1 A", "2 2 B", "3 3 C", "1 D"]);
        assert_eq!(stats.orphan_durations, 1);
    }

    #[test]
    fn an_error_ends_the_wait_for_a_duration() {
        let (records, _) = run(&[(1, "statement: A"), (1, "ERROR A"), (1, "duration: 1 ms"), (1, "statement: B")]);
        assert_eq!(records, ["1 A", "1 ERROR A", "1 B"]);
    }

    #[test]
    fn a_slow_statement_is_deferred_and_keeps_its_duration() {
        let mut messages = vec![(2, "statement: X"), (2, "duration: 1 ms"), (1, "statement: slow")];
        messages.extend(std::iter::repeat_n((3, "duration: 1 ms  statement: fast"), MAX_QUEUED + 10));
        messages.push((1, "duration: 5000 ms"));
        let (records, _) = run(&messages);
        assert_eq!(records.len(), MAX_QUEUED + 12);
        assert_eq!(records.last().unwrap(), "1 5000 slow");
    }

    #[test]
    fn without_durations_every_statement_is_a_record() {
        let messages: Vec<(u32, &str)> = (0..5000).map(|pid| (pid, "statement: A")).collect();
        let (records, _) = run(&messages);
        assert_eq!(records.len(), 5000);
        assert!(records.iter().enumerate().all(|(pid, record)| *record == format!("{pid} A")));
    }

    #[test]
    fn messages_without_an_execution_are_counted() {
        let (records, stats) = run(&[
            (1, "duration: 1 ms  parse <unnamed>: A"),
            (1, "duration: 1 ms  bind <unnamed>: A"),
            (1, "duration: 1 ms  plan:\nQuery Text: A"),
            (1, "checkpoint starting"),
            (1, "ERROR "),
        ]);
        assert!(records.is_empty());
        assert_eq!((stats.parse_bind, stats.plans, stats.without_statement), (2, 1, 2));
    }
}
