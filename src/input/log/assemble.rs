//! From messages to records: which of them are statements, and which durations are theirs.
//! Every format hands its messages here; it knows nothing of how they were written.
//!
//! A record waits until its duration is known where the log has durations on lines of their
//! own, and what comes after it waits with it, so that records leave in the log's order. One
//! that keeps too many waiting is overtaken.

use std::collections::{HashMap, VecDeque};

use anyhow::Result;

use super::entry::{Entry, Part};
use super::filter::{Filter, Verdict};
use super::message::{self, Kind};
use super::stats::Stats;
use crate::input::{Flow, Piece, Sink};

/// Most records, and bytes, that wait behind one without a duration.
const WAITING: usize = 1024;
const WAITING_BYTES: usize = 16 << 20;
/// Most records that were overtaken and still wait, and most bytes of such a one.
const OVERTAKEN: usize = 1024;
const OVERTAKEN_BYTES: usize = 256 << 10;

struct Waiting {
    entry: Entry,
    weight: usize,
    /// Nothing more is going to be known of it.
    ready: bool,
}

/// Makes records of messages and hands them to a [`Sink`].
pub struct Assembler<'a> {
    file: &'a str,
    sink: &'a mut dyn Sink,
    filter: &'a Filter,
    errors: bool,
    parse_bind: bool,
    pub stats: Stats,
    queue: VecDeque<Waiting>,
    queued_bytes: usize,
    /// How many have left the queue: `index + left` names a record for good.
    left: u64,
    /// The record of each process that waits for its duration.
    last: HashMap<u32, u64>,
    overtaken: HashMap<u32, Entry>,
    /// The log has durations on lines of their own.
    apart: bool,
    /// The sink wants no more.
    stopped: bool,
    spare: Vec<Entry>,
}

impl<'a> Assembler<'a> {
    pub fn new(file: &'a str, sink: &'a mut dyn Sink, filter: &'a Filter, errors: bool, parse_bind: bool) -> Self {
        Self {
            file,
            sink,
            filter,
            errors,
            parse_bind,
            stats: Stats::default(),
            queue: VecDeque::new(),
            queued_bytes: 0,
            left: 0,
            last: HashMap::new(),
            overtaken: HashMap::new(),
            apart: false,
            stopped: false,
            spare: Vec::new(),
        }
    }

    /// Whether statements of errors are asked for.
    pub fn wants_errors(&self) -> bool {
        self.errors
    }

    /// Takes a complete message, and leaves an empty one for the next.
    ///
    /// # Errors
    /// What the sink returns.
    pub fn message(&mut self, entry: &mut Entry) -> Result<Flow> {
        if entry.severity.is_error() {
            return self.error(entry);
        }
        let (sql, duration) = match message::kind(entry.get(Part::Message)) {
            Kind::Execution { sql, duration } => (sql, duration),
            Kind::ParseBind { sql, duration } if self.parse_bind => (sql, duration),
            Kind::ParseBind { .. } => {
                self.stats.parse_bind += 1;
                return Ok(Flow::Continue);
            }
            Kind::Duration(range) => {
                let digits = entry.get(Part::Message)[range].to_vec();
                return self.duration(entry.pid, &digits);
            }
            Kind::Plan => {
                self.stats.plans += 1;
                return Ok(Flow::Continue);
            }
            Kind::Other => {
                self.stats.other += 1;
                return Ok(Flow::Continue);
            }
        };
        let ready = duration.is_some();
        if let Some(range) = duration {
            entry.find(Part::Duration, Part::Message, range);
        }
        let text = entry.get(Part::Message);
        let end = text.len();
        entry.sql_at = if entry.rewritten && entry.message_at.column == 1 {
            entry.message_at // the place of the whole record
        } else {
            entry.message_at.along(&text[..sql])
        };
        entry.find(Part::Sql, Part::Message, sql..end);
        parameters(entry, Part::Detail);
        self.settle(entry.pid)?;
        self.add(entry, ready)
    }

    fn error(&mut self, entry: &mut Entry) -> Result<Flow> {
        let flow = self.settle(entry.pid)?;
        if entry.get(Part::Statement).is_empty() {
            self.stats.other += 1;
            return Ok(flow);
        }
        if !self.errors {
            self.stats.errors += 1;
            return Ok(flow);
        }
        let end = entry.get(Part::Statement).len();
        entry.find(Part::Sql, Part::Statement, 0..end);
        entry.sql_at = entry.statement_at;
        parameters(entry, Part::Context);
        self.add(entry, true)
    }

    /// Queues a record, or hands it on where nothing is before it.
    fn add(&mut self, entry: &mut Entry, ready: bool) -> Result<Flow> {
        if ready && self.queue.is_empty() {
            return self.emit(entry);
        }
        let mut next = self.spare.pop().unwrap_or_default();
        std::mem::swap(entry, &mut next);
        next.pid = if ready { next.pid } else { self.remember(next.pid) };
        let weight = next.weight();
        self.queued_bytes += weight;
        self.queue.push_back(Waiting { entry: next, weight, ready });
        self.drain(false)
    }

    fn remember(&mut self, pid: u32) -> u32 {
        self.last.insert(pid, self.left + self.queue.len() as u64);
        pid
    }

    /// A duration on a line of its own belongs to what its process logged last.
    fn duration(&mut self, pid: u32, digits: &[u8]) -> Result<Flow> {
        if let Some(number) = self.last.remove(&pid) {
            self.apart = true;
            if let Some(waiting) = number.checked_sub(self.left).and_then(|at| self.queue.get_mut(at as usize)) {
                waiting.entry.set(Part::Duration, digits);
                waiting.ready = true;
            }
            return self.drain(false);
        }
        if let Some(mut entry) = self.overtaken.remove(&pid) {
            entry.set(Part::Duration, digits);
            return self.emit_owned(entry);
        }
        self.stats.durations += 1;
        Ok(Flow::Continue)
    }

    /// Nothing more is going to be logged of what the process did before.
    fn settle(&mut self, pid: u32) -> Result<Flow> {
        if self.last.is_empty() && self.overtaken.is_empty() {
            return Ok(Flow::Continue);
        }
        if let Some(number) = self.last.remove(&pid) {
            if let Some(waiting) = number.checked_sub(self.left).and_then(|at| self.queue.get_mut(at as usize)) {
                waiting.ready = true;
            }
            return self.drain(false);
        }
        match self.overtaken.remove(&pid) {
            Some(entry) => self.emit_owned(entry),
            None => Ok(Flow::Continue),
        }
    }

    /// Hands on what is ready; with `all`, everything in the queue.
    fn drain(&mut self, all: bool) -> Result<Flow> {
        loop {
            let full = self.queue.len() > WAITING || self.queued_bytes > WAITING_BYTES;
            match self.queue.front() {
                Some(front) if front.ready || all || full => {}
                _ => return Ok(Flow::Continue),
            }
            let Some(Waiting { entry, weight, ready }) = self.queue.pop_front() else { return Ok(Flow::Continue) };
            self.left += 1;
            self.queued_bytes -= weight;
            if !ready {
                self.last.remove(&entry.pid);
            }
            let room = self.overtaken.len() < OVERTAKEN && weight < OVERTAKEN_BYTES;
            if !ready && !all && self.apart && room {
                if let Some(before) = self.overtaken.insert(entry.pid, entry)
                    && self.emit_owned(before)? == Flow::Stop
                {
                    return Ok(Flow::Stop);
                }
            } else if self.emit_owned(entry)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
    }

    /// Nothing comes for now: hands on what waits only because a duration might come.
    ///
    /// # Errors
    /// What the sink returns.
    pub fn quiet(&mut self) -> Result<Flow> {
        if self.apart { Ok(Flow::Continue) } else { self.drain(true) }
    }

    /// The log has ended.
    ///
    /// # Errors
    /// What the sink returns.
    pub fn finish(&mut self) -> Result<Flow> {
        let mut late: Vec<Entry> = self.overtaken.drain().map(|(_, entry)| entry).collect();
        late.sort_by_key(|entry| entry.sql_at.offset);
        for entry in late {
            if self.emit_owned(entry)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        self.drain(true)
    }

    /// Everything that was read has been handled.
    ///
    /// # Errors
    /// What the sink returns.
    pub fn idle(&mut self) -> Result<()> {
        self.sink.idle()
    }

    fn emit_owned(&mut self, mut entry: Entry) -> Result<Flow> {
        let flow = self.emit(&entry)?;
        // A spare one keeps its memory: not too much, not too many.
        if self.spare.len() < WAITING && entry.weight() < 16 * 1024 {
            entry.clear();
            self.spare.push(entry);
        }
        Ok(flow)
    }

    fn emit(&mut self, entry: &Entry) -> Result<Flow> {
        if self.stopped {
            return Ok(Flow::Stop);
        }
        match self.filter.verdict(entry) {
            Verdict::Wanted => {}
            Verdict::Unwanted => {
                self.stats.filtered += 1;
                return Ok(Flow::Continue);
            }
            Verdict::Unknown => {
                self.stats.unknown += 1;
                return Ok(Flow::Continue);
            }
        }
        self.stats.records += 1;
        self.stats.truncated += u64::from(entry.truncated);
        self.stats.timed += u64::from(!entry.get(Part::Duration).is_empty());
        let flow = self.sink.piece(&Piece::of_log(self.file, entry))?;
        self.stopped = flow == Flow::Stop;
        Ok(flow)
    }
}

fn parameters(entry: &mut Entry, part: Part) {
    let text = entry.get(part);
    if text.is_empty() {
        return;
    }
    if let Some(start) = message::parameters(text) {
        let end = text.len();
        entry.find(Part::Params, part, start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Severity;
    use super::{Assembler, Entry, Filter, Flow, Part, Piece, Result, Sink, WAITING};

    #[derive(Default)]
    struct Seen(Vec<String>);

    impl Sink for Seen {
        fn piece(&mut self, piece: &Piece<'_>) -> Result<Flow> {
            let entry = piece.log.unwrap();
            let text = |part| String::from_utf8_lossy(entry.get(part)).into_owned();
            self.0.push(format!("{} {} {}", entry.pid, text(Part::Duration), text(Part::Sql)).replace("  ", " "));
            Ok(Flow::Continue)
        }

        fn idle(&mut self) -> Result<()> {
            Ok(())
        }
    }

    fn run(messages: &[(u32, &str)]) -> (Vec<String>, super::Stats) {
        let (mut seen, filter) = (Seen::default(), Filter::default());
        let mut assembler = Assembler::new("f", &mut seen, &filter, true, false);
        for (pid, text) in messages {
            let mut entry = Entry::default();
            (entry.pid, entry.severity) = (*pid, Severity::Log);
            match text.strip_prefix("ERROR ") {
                None => entry.set(Part::Message, text.as_bytes()),
                Some(statement) => {
                    entry.severity = Severity::Error;
                    entry.set(Part::Statement, statement.as_bytes());
                }
            }
            assembler.message(&mut entry).unwrap();
        }
        assembler.finish().unwrap();
        let stats = assembler.stats.clone();
        (seen.0, stats)
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
        assert_eq!((stats.durations, stats.timed), (1, 3));
    }

    #[test]
    fn an_error_ends_the_wait() {
        let (seen, _) = run(&[(1, "statement: A"), (1, "ERROR A"), (1, "duration: 1 ms"), (1, "statement: B")]);
        assert_eq!(seen, ["1 A", "1 A", "1 B"]);
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
        ]);
        assert!(seen.is_empty());
        assert_eq!((stats.parse_bind, stats.plans, stats.other), (2, 1, 1));
    }
}
