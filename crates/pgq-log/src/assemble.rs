//! From messages to records: which durations and which statements belong together. Every
//! format's batches pass here, in their order; it knows nothing of how they were written.
//!
//! A record waits until its duration is known where the log has durations on lines of their
//! own, and what comes after it waits with it, so that records leave in the log's order. One
//! that keeps too many waiting is deferred.

use std::collections::{HashMap, VecDeque};

use crate::batch::Batch;
use crate::entry::{Entry, Message, MessageKind, OwnedEntry, Part};
use crate::stats::Stats;

/// Most records, and bytes, that wait behind one without a duration.
const WAITING: usize = 1024;
const WAITING_BYTES: usize = 16 << 20;
/// Most records that were deferred and still wait, and most bytes of such a one.
const DEFERRED: usize = 1024;
const DEFERRED_BYTES: usize = 256 << 10;
/// Most errors that wait for a statement which another process keeps from them.
const ERRORS: usize = 64;

/// A record: a message of the batch, by its number, or one that waited longer than its batch.
#[derive(Debug)]
pub enum Record {
    Here(u32),
    Owned(Box<OwnedEntry>),
}

/// The records that a batch completes, in order.
#[derive(Debug, Default)]
pub struct Records {
    batch: Batch,
    list: Vec<Record>,
}

impl Records {
    pub fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        self.list.iter().map(|record| match record {
            Record::Here(index) => self.batch.entry(*index as usize),
            Record::Owned(own) => own.entry(),
        })
    }

    /// What was read and made of it, up to here.
    pub fn stats(&self) -> &Stats {
        &self.batch.stats
    }
}

struct Waiting {
    record: Record,
    pid: u32,
    weight: usize,
    /// Nothing more is going to be known of it.
    ready: bool,
}

/// Makes records of the messages of one log.
#[derive(Default)]
pub struct Assembler {
    queue: VecDeque<Waiting>,
    queued_bytes: usize,
    /// How many have left the queue: `index + left` names a record for good.
    left: u64,
    /// The record of each process that waits for its duration.
    last: HashMap<u32, u64>,
    deferred: HashMap<u32, Box<OwnedEntry>>,
    /// Errors whose statement has not come yet, oldest first.
    errors: VecDeque<Box<OwnedEntry>>,
    /// The log has durations on lines of their own.
    has_separate_durations: bool,
}

impl Assembler {
    /// Takes the next batch.
    pub fn take(&mut self, batch: Batch) -> Records {
        let mut out = Records { list: Vec::with_capacity(batch.messages.len()), batch };
        for index in 0..out.batch.messages.len() {
            self.message(index, &mut out);
        }
        self.keep_what_waits(&out.batch);
        out
    }

    fn message(&mut self, index: usize, out: &mut Records) {
        let Message { pid, said, .. } = out.batch.messages[index];
        if !self.errors.is_empty() && said != MessageKind::OrphanStatement {
            self.give_up(pid, out);
        }
        match said {
            MessageKind::Statement => {
                self.flush_pending(pid, out);
                let ready = out.batch.messages[index].has(Part::Duration);
                self.add(Record::Here(index as u32), pid, ready, out);
            }
            MessageKind::Duration => self.duration(index, out),
            MessageKind::Error => {
                self.flush_pending(pid, out);
                self.error(index, out);
            }
            MessageKind::OrphanStatement => self.orphan_statement(index, out),
            MessageKind::Nothing => {}
        }
    }

    fn error(&mut self, index: usize, out: &mut Records) {
        let entry = out.batch.entry(index);
        let (pid, has_statement) = (entry.pid(), !entry.sql().is_empty());
        match (has_statement, out.batch.selection.errors) {
            (true, true) => self.add(Record::Here(index as u32), pid, true, out),
            (true, false) => out.batch.stats.errors += 1,
            (false, true) => {
                if self.errors.len() == ERRORS {
                    self.errors.pop_front();
                    out.batch.stats.other += 1;
                }
                self.errors.push_back(Box::new(OwnedEntry::new(out.batch.entry(index))));
            }
            (false, false) => out.batch.stats.other += 1,
        }
    }

    /// The statement of an error that another process came between.
    fn orphan_statement(&mut self, index: usize, out: &mut Records) {
        let statement = out.batch.entry(index);
        let Some(at) = self.errors.iter().position(|error| error.message.pid == statement.pid()) else { return };
        let Some(mut error) = self.errors.remove(at) else { return };
        error.complete(statement);
        let pid = error.message.pid;
        self.add(Record::Owned(error), pid, true, out);
    }

    /// Errors of a process that is at its next message wait no more.
    fn give_up(&mut self, pid: u32, out: &mut Records) {
        let before = self.errors.len();
        self.errors.retain(|error| error.message.pid != pid);
        out.batch.stats.other += (before - self.errors.len()) as u64;
    }

    /// Queues a record, or hands it on where nothing is before it.
    fn add(&mut self, record: Record, pid: u32, ready: bool, out: &mut Records) {
        if ready && self.queue.is_empty() {
            return out.list.push(record);
        }
        if !ready {
            self.last.insert(pid, self.left + self.queue.len() as u64);
        }
        let weight = match &record {
            Record::Here(index) => out.batch.entry(*index as usize).sql().len(),
            Record::Owned(own) => own.weight(),
        };
        self.queued_bytes += weight;
        self.queue.push_back(Waiting { record, pid, weight, ready });
        self.drain(false, out);
    }

    /// The record of a process that waits for its duration.
    fn waiting(&mut self, pid: u32) -> Option<&mut Waiting> {
        let number = self.last.remove(&pid)?;
        self.queue.get_mut(number.checked_sub(self.left)? as usize)
    }

    /// A duration on a line of its own belongs to what its process logged last.
    fn duration(&mut self, index: usize, out: &mut Records) {
        let Message { pid, .. } = out.batch.messages[index];
        let digits = out.batch.messages[index].range(Part::Duration);
        if let Some(waiting) = self.waiting(pid) {
            match &mut waiting.record {
                Record::Here(record) => out.batch.messages[*record as usize].set(Part::Duration, digits),
                Record::Owned(own) => own.set(Part::Duration, &out.batch.bytes[digits]),
            }
            waiting.ready = true;
            self.has_separate_durations = true;
            self.drain(false, out);
        } else if let Some(mut own) = self.deferred.remove(&pid) {
            own.set(Part::Duration, &out.batch.bytes[digits]);
            out.list.push(Record::Owned(own));
        } else {
            out.batch.stats.durations += 1;
        }
    }

    /// Nothing more is going to be logged of what the process did before.
    fn flush_pending(&mut self, pid: u32, out: &mut Records) {
        if self.last.is_empty() && self.deferred.is_empty() {
            return;
        }
        if let Some(waiting) = self.waiting(pid) {
            waiting.ready = true;
            self.drain(false, out);
        } else if let Some(own) = self.deferred.remove(&pid) {
            out.list.push(Record::Owned(own));
        }
    }

    /// Hands on what is ready; with `all`, everything in the queue.
    fn drain(&mut self, all: bool, out: &mut Records) {
        loop {
            let full = self.queue.len() > WAITING || self.queued_bytes > WAITING_BYTES;
            match self.queue.front() {
                Some(front) if front.ready || all || full => {}
                _ => return,
            }
            let Some(Waiting { record, pid, weight, ready }) = self.queue.pop_front() else { return };
            self.left += 1;
            self.queued_bytes -= weight;
            if !ready {
                self.last.remove(&pid);
            }
            let room = self.deferred.len() < DEFERRED && weight < DEFERRED_BYTES;
            if !ready && !all && self.has_separate_durations && room {
                let own = own(record, &out.batch);
                out.list.extend(self.deferred.insert(pid, own).map(Record::Owned));
            } else {
                out.list.push(record);
            }
        }
    }

    /// What waits longer than its batch takes its text along.
    fn keep_what_waits(&mut self, batch: &Batch) {
        for waiting in &mut self.queue {
            if let Record::Here(index) = waiting.record {
                let own = Box::new(OwnedEntry::new(batch.entry(index as usize)));
                self.queued_bytes += own.weight();
                self.queued_bytes -= waiting.weight;
                waiting.weight = own.weight();
                waiting.record = Record::Owned(own);
            }
        }
    }

    /// Nothing comes for now: hands on what waits only because a duration might come.
    pub fn quiet(&mut self, batch: Batch) -> Records {
        let mut out = self.take(batch);
        if !self.has_separate_durations {
            self.drain(true, &mut out);
        }
        out
    }

    /// The log has ended with this batch.
    pub fn finish(&mut self, batch: Batch) -> Records {
        let mut out = self.take(batch);
        out.batch.stats.other += self.errors.drain(..).count() as u64;
        let mut late: Vec<Box<OwnedEntry>> = self.deferred.drain().map(|(_, own)| own).collect();
        late.sort_by_key(|own| own.entry().at().offset);
        out.list.extend(late.into_iter().map(Record::Owned));
        self.drain(true, &mut out);
        out
    }
}

fn own(record: Record, batch: &Batch) -> Box<OwnedEntry> {
    match record {
        Record::Here(index) => Box::new(OwnedEntry::new(batch.entry(index as usize))),
        Record::Owned(own) => own,
    }
}

#[cfg(test)]
mod tests {
    use super::{Assembler, Batch, Message, Part, Stats, WAITING};
    use crate::batch::{Line, RecordSelection};
    use crate::entry::{Severity, Start};
    use crate::testing::shown;

    /// Messages of processes, so many to a batch, as records without what is usual in them.
    fn run_in(messages: &[(u32, &str)], many: usize) -> (Vec<String>, Stats) {
        let (mut seen, mut stats) = (Vec::new(), Stats::default());
        let mut assembler = Assembler::default();
        let mut take = |part: &[(u32, &str)], last: bool| {
            let mut batch =
                Batch { selection: RecordSelection { errors: true, parse_bind: false }, ..Batch::default() };
            for (pid, text) in part {
                let start = batch.bytes.len();
                let line = Line { start, end: start, number: 0, whole: true };
                let severity = if text.starts_with("ERROR") { Severity::Error } else { Severity::Log };
                let mut message = Message::new(*pid, severity, Start::of(line));
                match text.strip_prefix("ERROR ") {
                    None => batch.add(&mut message, Part::Message, text.as_bytes()),
                    Some(statement) => batch.add(&mut message, Part::Statement, statement.as_bytes()),
                }
                batch.push(message, Start::default());
            }
            let records = if last { assembler.finish(batch) } else { assembler.take(batch) };
            seen.extend(shown(&records).iter().map(|line| line.replace(" LOG |", "").replace(" |", "")));
            stats.add(records.stats());
        };
        let mut parts: Vec<_> = messages.chunks(many).collect();
        let last = parts.pop().unwrap_or_default();
        parts.into_iter().for_each(|part| take(part, false));
        take(last, true);
        (seen, stats)
    }

    fn run(messages: &[(u32, &str)]) -> (Vec<String>, Stats) {
        let whole = run_in(messages, usize::MAX);
        for many in [1, 2, 3, 100] {
            assert_eq!(run_in(messages, many), whole, "{many} a batch");
        }
        whole
    }

    #[test]
    fn durations_find_their_statement_and_order_stays() {
        let (seen, stats) = run(&[
            (1, "statement: A"),
            (2, "statement: B"),
            (3, "duration: 3 ms  statement: C"),
            (2, "duration: 2 ms"),
            (1, "duration: 1 ms"),
            (1, "duration: 9 ms"),
            (1, "execute s: D"),
        ]);
        assert_eq!(seen, ["1 1 A", "2 2 B", "3 3 C", "1 D"]);
        assert_eq!(stats.durations, 1);
    }

    #[test]
    fn an_error_ends_the_wait() {
        let (seen, _) = run(&[(1, "statement: A"), (1, "ERROR A"), (1, "duration: 1 ms"), (1, "statement: B")]);
        assert_eq!(seen, ["1 A", "1 ERROR A", "1 B"]);
    }

    #[test]
    fn a_slow_statement_is_overtaken_and_keeps_its_duration() {
        let mut messages = vec![(2, "statement: X"), (2, "duration: 1 ms"), (1, "statement: slow")];
        messages.extend(std::iter::repeat_n((3, "duration: 1 ms  statement: fast"), WAITING + 10));
        messages.push((1, "duration: 5000 ms"));
        let (seen, _) = run(&messages);
        assert_eq!(seen.len(), WAITING + 12);
        assert_eq!(seen.last().unwrap(), "1 5000 slow");
    }

    #[test]
    fn without_durations_nothing_is_lost() {
        let messages: Vec<(u32, &str)> = (0..5000).map(|pid| (pid, "statement: A")).collect();
        let (seen, _) = run(&messages);
        assert_eq!(seen.len(), 5000);
        assert!(seen.iter().enumerate().all(|(pid, seen)| *seen == format!("{pid} A")));
    }

    #[test]
    fn what_is_no_execution_is_counted() {
        let (seen, stats) = run(&[
            (1, "duration: 1 ms  parse <unnamed>: A"),
            (1, "duration: 1 ms  bind <unnamed>: A"),
            (1, "duration: 1 ms  plan:\nQuery Text: A"),
            (1, "checkpoint starting"),
            (1, "ERROR "),
        ]);
        assert!(seen.is_empty());
        assert_eq!((stats.parse_bind, stats.plans, stats.other), (2, 1, 2));
    }
}
