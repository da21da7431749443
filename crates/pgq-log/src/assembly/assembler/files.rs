//! Handles the end of a file if another file follows. A server rotates its log while statements run, so the duration of
//! a statement may be in the next file.

use std::sync::Arc;

use super::Assembler;
use super::evidence::{end_micros, start_micros};
use crate::assembly::entry::Entry;
use crate::assembly::records::Records;
use crate::format::batch::Batch;
use crate::message::field::Field;
use crate::time::clock::{Clock, duration_micros};

impl Assembler {
    /// Assembles the records of the last batch of `file`. The next file may continue the log, or be another log. If
    /// durations are selected, records that wait for later messages keep waiting. In this case, call [`Self::finish`]
    /// after the last file.
    pub fn finish_file(&mut self, batch: Batch, file: &Arc<str>) -> Records {
        if !batch.selection.durations {
            let records = self.finish(batch);
            // The plan of a statement may be in the next file.
            *self = Self { plans: std::mem::take(&mut self.plans), ..Self::default() };
            return records;
        }
        let mut out = self.assemble(batch);
        self.empty_queue(&mut out);
        let statements = self.deferred.values_mut().map(|(_, entry)| entry);
        let fetches = self.uncounted.values_mut().flatten();
        let errors = self.pending_errors.iter_mut().map(|error| &mut error.entry);
        let entries = statements.chain(fetches).chain(errors).chain(self.portals.entries_mut());
        for entry in entries {
            entry.file.get_or_insert_with(|| Arc::clone(file));
        }
        self.has_earlier_files = true;
        self.earlier_lack_durations |=
            self.lacks_durations || !(self.has_separate_durations || self.deferred.is_empty());
        // The next file may be from a server with other settings.
        (self.has_separate_durations, self.lacks_durations) = (false, false);
        self.has_bare_statements = false;
        self.errors_with_statement.clear();
        self.workers.start_file();
        self.end_plans_of_file(&mut out);
        self.last_executions.end_all();
        out
    }

    /// Returns the number of statements that were still running at the end of the log, judged by their missing
    /// durations. Returns 0 if the log also lacks durations of ended statements.
    pub(super) fn still_running(&self) -> u64 {
        let earlier = self.deferred.values().filter(|(_, entry)| entry.file.is_some()).count();
        let waiting = self.queue.iter().filter(|queued| !queued.ready && !queued.is_plan).count();
        let own = self.deferred.len() - earlier + waiting;
        let has_all = self.has_separate_durations && !self.lacks_durations;
        (if has_all { own } else { 0 } + if self.earlier_lack_durations { 0 } else { earlier }) as u64
    }

    /// Whether the duration in message `index` belongs to a statement other than its session's waiting fetch or
    /// statement ([`may_end`]).
    pub(super) fn is_of_other_statement(&mut self, index: usize, batch: &Batch) -> bool {
        let (session, end) = (batch.messages[index].session, batch.entry(index));
        let mut clock = std::mem::take(&mut self.clock);
        let fetch = self.uncounted.get(&session).and_then(|fetch| fetch.as_ref()).map(|fetch| fetch.entry());
        let waiting = fetch.or_else(|| self.pending_entry(session, batch));
        let is_other = waiting.is_some_and(|waiting| {
            let is_clear = waiting.file().is_none() && are_in_same_second(waiting, end);
            !(is_clear || may_end(waiting, end, &mut clock))
        });
        self.clock = clock;
        is_other
    }
}

/// Whether the times of two messages are equal up to the second. This comparison is faster than [`may_end`].
fn are_in_same_second(one: Entry<'_>, other: Entry<'_>) -> bool {
    let [one, other] = [one, other].map(|entry| entry.get(Field::Time).get(.."2026-01-31 12:00:00".len()));
    one.is_some() && one == other
}

/// Two times are treated as equal if they differ by at most this number of microseconds. They can differ because some
/// times have no fractions of seconds, or because the server waited before it wrote a message.
const TOLERANCE: u64 = 2_000_000;

/// Whether a message with a duration (`end`) may report the end of `statement`.
///
/// If the setting log_duration was changed, the duration may belong to a later statement that is not logged. In this
/// case, `statement`'s start plus the duration is earlier than the message. A statement in an earlier file may be
/// from another server. Therefore, without session IDs, both times must match.
fn may_end(statement: Entry<'_>, end: Entry<'_>, clock: &mut Clock) -> bool {
    let is_same = statement.file().is_none() || have_sessions(statement, end);
    let took = duration_micros(end.get(Field::Duration));
    if is_same {
        // The time of a statement is the time of its plan if its plan was logged.
        let start = match statement.get(Field::Duration) {
            b"" => end_micros(clock, statement),
            _ => start_micros(clock, statement),
        };
        let ends = start.zip(took).map(|(start, took)| start.saturating_add_unsigned(took.saturating_add(TOLERANCE)));
        return ends.zip(end_micros(clock, end)).is_none_or(|(ends, ended)| ended <= ends);
    }
    let (Some(start), Some(ended), Some(took)) = (micros(statement), micros(end), took) else { return false };
    start.saturating_add_unsigned(took).abs_diff(ended) <= TOLERANCE
}

fn have_sessions(one: Entry<'_>, other: Entry<'_>) -> bool {
    [one, other].iter().all(|entry| !entry.get(Field::Session).is_empty())
}

/// Returns the time of an entry in microseconds since 1970.
fn micros(entry: Entry<'_>) -> Option<i64> {
    Some(Clock::default().parse(entry.get(Field::Time))?.unix_micros())
}
