//! Plans of auto_explain. A plan counts as an execution only in a log that has neither the durations of statements nor
//! the planned statement itself. The rule is simple because the log alone cannot tell more: the server logs the plan
//! of a cursor, a portal or a function's query much later, and without a mark.

use std::collections::VecDeque;
use std::hash::BuildHasher;

use foldhash::HashMap;

use super::Assembler;
use super::evidence::same_sql;
use super::queue::Queued;
use crate::assembly::entry::Entry;
use crate::assembly::records::{Record, Records};
use crate::message::event::Event;
use crate::message::field::Field;
use crate::time::clock::{duration_digits, duration_micros};

/// Maximum number of statements stored per session.
const MAX_STATEMENTS: usize = 256;
/// Maximum number of sessions.
const MAX_SESSIONS: usize = 16 << 10;

/// What decides whether the plans of a file count as executions.
#[derive(Default)]
pub struct Plans {
    /// Whether the file has the duration of a statement.
    has_durations: bool,
    /// Whether an earlier file has the duration of a statement.
    earlier_has_durations: bool,
    /// Number of plans of the file that became executions.
    counted: u64,
    /// Number of logged executions and fetches in all files.
    pub executions: u64,
    /// Number of plans, in all files, that do not count as executions because their file has durations.
    ignored: u64,
    /// Hashes of the SQL of each session's last statements, oldest first. Not filled if the file has durations.
    statements: HashMap<u64, VecDeque<u64>>,
}

impl Plans {
    /// Stores a statement without a duration. Its plan may follow later.
    #[inline]
    pub fn add_statement(&mut self, statement: Entry<'_>) {
        if !self.has_durations {
            self.add_hash(statement);
        }
    }

    fn add_hash(&mut self, statement: Entry<'_>) {
        let hash = self.statements.hasher().hash_one(statement.sql());
        if self.statements.len() > MAX_SESSIONS {
            self.statements.clear();
        }
        let hashes = self.statements.entry(statement.session()).or_default();
        if hashes.len() == MAX_STATEMENTS {
            hashes.pop_front();
        }
        hashes.push_back(hash);
    }

    /// Whether the session of a plan has logged the planned statement.
    fn has_statement(&self, plan: Entry<'_>) -> bool {
        let hashes = self.statements.get(&plan.session());
        hashes.is_some_and(|hashes| hashes.contains(&self.statements.hasher().hash_one(plan.sql())))
    }

    /// Counts a plan that becomes an execution.
    pub fn count(&mut self) {
        self.counted += 1;
    }

    /// Returns the number of ignored plans minus logged executions. At least this number of plans are the only message
    /// of their statement.
    pub fn without_execution(&self) -> u64 {
        self.ignored.saturating_sub(self.executions)
    }

    /// Removes an ended session.
    pub fn end(&mut self, session: u64) {
        self.statements.remove(&session);
    }

    /// Ends a file. Keeps the statements, because the next file may continue the log. Returns the number of unclear
    /// plans. A plan is unclear if its file has no durations, but an earlier file has: the settings may be different,
    /// or the log may have been rotated before the first duration.
    pub fn end_file(&mut self) -> u64 {
        let unclear = if self.earlier_has_durations { self.counted } else { 0 };
        self.earlier_has_durations |= self.has_durations;
        (self.has_durations, self.counted) = (false, 0);
        unclear
    }
}

impl Assembler {
    /// Handles a plan. If the session's running statement has the same SQL, it gets the duration of the plan. If
    /// nothing shows that the plan belongs to a logged execution, the plan waits in the queue for the file's first
    /// duration.
    pub(super) fn plan(&mut self, index: usize, out: &mut Records) {
        let session = out.batch.messages[index].session;
        let plan = out.batch.entry(index);
        let running = self.pending_entry(session, &out.batch).filter(|_| session != 0);
        if let Some(running) = running.filter(|running| same_sql(*running, plan)) {
            // The running query string may contain several statements, so the durations of their plans are summed.
            let micros = |entry: Entry<'_>| duration_micros(entry.get(Field::Duration)).unwrap_or(0);
            let sum = micros(running).saturating_add(micros(plan));
            self.set_duration(session, duration_digits(sum).as_bytes(), index, out);
            return self.add_plan_event(index, out);
        }
        let is_of_execute = running.is_some_and(|running| is_prepared(plan) && has_execute(running.sql()));
        if self.plans.has_durations || is_of_execute || self.plans.has_statement(plan) {
            self.plans.ignored += u64::from(self.plans.has_durations);
            return self.add_plan_event(index, out);
        }
        // The plan may be of a statement inside the running statement. csvlog and jsonlog mark such plans with a
        // CONTEXT, so they do not get here.
        let is_running = running.is_some() || self.uncounted.contains_key(&session);
        self.queue_plan(index, is_running && !out.batch.marks_inner_plans, out);
    }

    fn add_plan_event(&mut self, index: usize, out: &mut Records) {
        out.batch.stats.uncounted_plans += 1;
        if out.batch.selection.events {
            out.batch.messages[index].event = Some(Event::Plan);
            self.add(Record::InBatch(index as u32), out.batch.messages[index].session, true, out);
        }
    }

    /// Notes that the file has the duration of a statement. Plans that wait in the queue become events.
    #[inline]
    pub(super) fn note_duration(&mut self, out: &mut Records) {
        if !self.plans.has_durations {
            self.note_first_duration(out);
        }
    }

    #[cold]
    fn note_first_duration(&mut self, out: &mut Records) {
        self.plans.has_durations = true;
        self.plans.statements.clear();
        out.batch.stats.unclear_plans += std::mem::take(&mut self.plans.counted);
        for queued in self.queue.iter_mut().filter(|queued| queued.is_plan) {
            let Queued { record, ready, is_unclear, .. } = queued;
            (*ready, *is_unclear) = (true, false);
            out.batch.stats.uncounted_plans += 1;
            self.plans.ignored += 1;
            match record {
                _ if !out.batch.selection.events => *record = None,
                Some(Record::InBatch(index)) => out.batch.messages[*index as usize].event = Some(Event::Plan),
                Some(Record::Owned(plan)) => plan.message.event = Some(Event::Plan),
                None => {}
            }
        }
        self.drain(false, out);
    }
}

/// Whether a plan is that of a statement that PREPARE has prepared.
fn is_prepared(plan: Entry<'_>) -> bool {
    !plan.get(Field::Statement).is_empty()
}

/// Whether SQL may contain an EXECUTE, as in `CREATE TABLE … AS EXECUTE`.
fn has_execute(sql: &[u8]) -> bool {
    sql.windows(8).any(|word| word.eq_ignore_ascii_case(b"execute "))
}
