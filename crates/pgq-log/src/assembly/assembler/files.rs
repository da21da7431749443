//! Handles the end of a file if another file follows. A server rotates its log while statements run, so the duration of
//! a statement may be in the next file.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Assembler;
use super::evidence::{end_micros, start_micros};
use super::queue::Queued;
use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::records::{Record, Records};
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
            *self = Self::default();
            return records;
        }
        let mut out = self.assemble(batch);
        self.end_all_replaced(&mut out);
        let is_waiting_plan = |queued: &Queued| queued.is_plan && !queued.ready;
        let (plans, others): (VecDeque<Queued>, _) =
            std::mem::take(&mut self.queue).into_iter().partition(is_waiting_plan);
        self.queue = others;
        self.empty_queue(&mut out);
        self.note_last_executions(&out);
        self.queued_bytes = 0;
        for Queued { record, session, .. } in plans {
            record.into_iter().for_each(|plan| self.add(plan, session, false, true, &mut out));
        }
        let plans = self.queue.iter_mut().filter_map(|queued| match &mut queued.record {
            Some(Record::Owned(plan)) => Some(plan),
            _ => None,
        });
        let statements = self.deferred.values_mut().map(|(_, entry)| entry);
        let fetches = self.uncounted.values_mut().flatten();
        let errors = self.pending_errors.iter_mut().map(|error| &mut error.entry);
        let entries = statements.chain(fetches).chain(errors).chain(self.portals.entries_mut());
        for entry in entries.chain(plans).chain(self.inner_plans.entries_mut()) {
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

    /// Handles plans of an earlier file that have the session key of message `index` and still wait for the message of
    /// their execution. If message `index` was logged much later than a plan, this message belongs to another
    /// execution, and the plan becomes a record.
    pub(super) fn release_plans_of_earlier_file(&mut self, index: usize, out: &mut Records) {
        let (session, next) = (out.batch.messages[index].session, out.batch.entry(index));
        // The server logs a plan and its execution at the same time, so a much later message does not belong to the
        // plan's execution.
        let is_of_other = |plan: &OwnedEntry| plan.file.is_some() && !is_soon_after(plan.entry(), next);
        let plan = self.awaiting_ref(session).filter(|queued| queued.is_plan).and_then(|queued| queued.record.as_ref());
        let releases_plan = plan.is_some_and(|plan| matches!(plan, Record::Owned(plan) if is_of_other(plan)));
        if self.inner_plans.oldest(session).is_some_and(is_of_other) {
            out.list.extend(self.inner_plans.take(session).into_iter().map(Record::Owned));
        }
        if releases_plan && let Some(queued) = self.take_awaiting(session) {
            queued.ready = true;
            self.drain(false, out);
        }
    }

    /// Whether the duration in message `index` does not belong to the fetch, statement or plan of its session that
    /// waits for a duration ([`may_end`]).
    pub(super) fn is_of_other_statement(&mut self, index: usize, batch: &Batch) -> bool {
        let (session, end) = (batch.messages[index].session, batch.entry(index));
        let mut clock = std::mem::take(&mut self.inner_plans.clock);
        let is_plan = self.is_plan_waiting(session);
        let fetch = self.uncounted.get(&session).and_then(|fetch| fetch.as_ref()).map(|fetch| fetch.entry());
        let waiting = fetch.or_else(|| self.pending_entry(session, batch));
        let is_other = waiting.is_some_and(|waiting| {
            let is_clear = waiting.file().is_none() && are_in_same_second(waiting, end);
            !(is_clear || may_end(waiting, end, is_plan, &mut clock))
        });
        self.inner_plans.clock = clock;
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

/// Whether a message with a duration (`end`) may report the end of `statement`. `is_plan`: whether `statement` is a
/// plan.
///
/// If the setting log_duration was changed, the duration may belong to a later statement that is not logged. In this
/// case, the statement's start plus the duration is earlier than the message. A statement in an earlier file may be
/// from another server. Therefore, without session IDs, both times must match.
fn may_end(statement: Entry<'_>, end: Entry<'_>, is_plan: bool, clock: &mut Clock) -> bool {
    let is_same = statement.file().is_none() || have_sessions(statement, end);
    let took = duration_micros(end.get(Field::Duration));
    if is_same {
        // The time of a statement is the time of its plan if its plan was logged.
        let start = match statement.get(Field::Duration) {
            b"" => end_micros(clock, statement),
            _ => start_micros(clock, statement),
        };
        let ends = start.zip(took).map(|(start, took)| start.saturating_add_unsigned(took.saturating_add(TOLERANCE)));
        return is_plan || ends.zip(end_micros(clock, end)).is_none_or(|(ends, ended)| ended <= ends);
    }
    let (Some(start), Some(ended), Some(took)) = (micros(statement), micros(end), took) else { return false };
    start.saturating_add_unsigned(took).abs_diff(ended) <= TOLERANCE
}

/// Whether a message may directly follow a plan. Without session IDs, compares their times, like [`may_end`].
fn is_soon_after(plan: Entry<'_>, next: Entry<'_>) -> bool {
    have_sessions(plan, next)
        || micros(plan).zip(micros(next)).is_some_and(|(plan, next)| plan.abs_diff(next) <= TOLERANCE)
}

fn have_sessions(one: Entry<'_>, other: Entry<'_>) -> bool {
    [one, other].iter().all(|entry| !entry.get(Field::Session).is_empty())
}

/// Returns the time of an entry in microseconds since 1970.
fn micros(entry: Entry<'_>) -> Option<i64> {
    Some(Clock::default().parse(entry.get(Field::Time))?.unix_micros())
}
