//! Joins messages that describe one execution: a statement and its plans, or a statement and its failure.

use super::Assembler;
use super::evidence::{are_other_transactions, has_execute, has_optional_fields, is_plan_of, is_prepared, same_sql};
use super::executed::Origin;
use super::replaced::is_simple;
use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::records::{Record, Records};
use crate::message::event::Event;
use crate::message::field::Field;
use crate::message::parts::MessageKind;
use crate::message::prepared::{is_single, may_end_transaction};
use crate::time::clock::{duration_digits, duration_micros};

/// Maximum size, in bytes, of SQL that is searched for the end of a transaction. The search is repeated for each plan.
const MAX_SEARCHED: usize = 4096;

impl Assembler {
    /// Handles a plan. If the plan belongs to the session's logged statement, that statement gets the duration of the
    /// plan. Otherwise the plan may be a separate execution.
    pub(super) fn plan(&mut self, index: usize, out: &mut Records) {
        let session = out.batch.messages[index].session;
        if self.end_replaced(session, Some(index), out) {
            return self.add_duplicate_plan(index, out);
        }
        let plan = out.batch.entry(index);
        let same = self.pending_entry(session, &out.batch).is_some_and(|pending| same_sql(pending, plan));
        if !same {
            self.expect_plans(out);
            let is_fetch = self.uncounted.contains_key(&session);
            let origin = self.executed.take(session, out.batch.entry(index));
            match origin {
                Origin::Logged => return self.add_duplicate_plan(index, out),
                Origin::Outer if !is_fetch => {
                    out.batch.stats.nested_plans += 1;
                    return;
                }
                _ => {}
            }
            let may_be_inside = matches!(origin, Origin::Outer | Origin::Unclear);
            let is_plan = self.is_plan_waiting(session);
            // To save time, long SQL is not searched for the end of a transaction, and never counts as one transaction.
            let is_one_transaction = |sql: &[u8]| sql.len() <= MAX_SEARCHED && !may_end_transaction(sql);
            let has_ended = self.pending_entry(session, &out.batch).is_some_and(|statement| {
                out.batch.marks_inner_plans
                    && are_other_transactions(statement, plan)
                    && is_one_transaction(statement.sql())
            });
            if has_ended && !is_plan {
                self.go_on(session, out);
            }
            let plan = out.batch.entry(index);
            let statement = self.pending_entry(session, &out.batch).filter(|_| session != 0 && !is_plan);
            if statement.is_some_and(|statement| is_prepared(plan) && has_execute(statement.sql())) {
                out.batch.stats.nested_plans += 1;
                return;
            }
            // `statement` has no duration yet. If its duration follows in the log, it was still running when the plan
            // was logged, so the planned query ran inside it. If no duration follows, it may have ended before, and the
            // plan may be a separate execution. Then the plan is unclear, unless the log marks the plans of statements
            // inside functions with a CONTEXT.
            let is_open = statement.is_some_and(|statement| statement.get(Field::Duration).is_empty())
                || self.uncounted.contains_key(&session);
            let is_unclear = session != 0 && is_open && !out.batch.marks_inner_plans;
            if statement.is_some() && is_single(plan.sql()) {
                return self.keep_plan(session, Box::new(OwnedEntry::new(plan)), is_unclear || may_be_inside, out);
            }
            out.batch.stats.unclear_plans += u64::from(is_unclear);
            self.end_plan(index, session, out);
            // Without session keys, a later message with the duration of the same execution cannot be joined with the
            // plan, so the execution may be counted twice.
            out.batch.stats.unclear_plans += u64::from(session == 0);
            self.add(Record::InBatch(index as u32), session, false, true, out);
            if let Some(queued) = self.awaiting(session) {
                queued.is_unclear = may_be_inside;
            }
            return;
        }
        let is_plan = self.is_plan_waiting(session);
        let is_next =
            self.pending_entry(session, &out.batch).is_some_and(|pending| are_other_transactions(pending, plan));
        if is_plan && (is_next || is_single(plan.sql())) {
            // There are two possible reasons for two plans of the same SQL. Either the query was executed twice, and
            // the log lacks the duration of the first execution. Or a rule (CREATE RULE) turned one query into two. The
            // next logged duration decides: if the execution with this duration started before the first plan ended,
            // both plans belong to it, because of a rule.
            out.batch.stats.unclear_plans += u64::from(is_next && may_end_transaction(plan.sql()));
            self.keep_inner_plan(session, out);
            self.drop_inner_plans(index, true, out);
            return self.add(Record::InBatch(index as u32), session, false, true, out);
        }
        // The waiting message (log_statement) may contain several statements, so the durations of their plans are
        // summed.
        let micros = |entry: Entry<'_>| duration_micros(entry.get(Field::Duration)).unwrap_or(0);
        let pending = self.pending_entry(session, &out.batch).map_or(0, micros);
        let sum = pending.saturating_add(micros(plan));
        if let Some(queued) = self.awaiting(session).filter(|queued| queued.is_plan) {
            queued.is_unclear = true;
        }
        self.settle_plans(index, session, true, out);
        self.add_duplicate_plan(index, out);
        self.set_duration(session, duration_digits(sum).as_bytes(), index, out);
    }

    /// Ends the wait of the session's previous plan, because the plan in message `index` follows.
    fn end_plan(&mut self, index: usize, session: u64, out: &mut Records) {
        if session != 0 {
            self.keep_inner_plan(session, out);
            self.settle_plans(index, session, true, out);
        } else {
            self.flush_pending(session, out);
        }
    }

    /// Counts the session's waiting plans as unclear. Their statements may have run inside the failed statement or
    /// fast-path call in message `index`. The duration of this statement or call is not logged, so its start is
    /// unknown.
    pub(super) fn doubt_plans(&mut self, index: usize, out: &mut Records) {
        let session = out.batch.messages[index].session;
        let is_marked = out.batch.marks_inner_plans || has_optional_fields(out.batch.entry(index));
        let may_be_inner = session != 0 && !is_marked;
        if may_be_inner && !(self.awaiting_duration.is_empty() && self.inner_plans.is_empty()) {
            let is_plan = self.is_plan_waiting(session);
            out.batch.stats.unclear_plans += u64::from(is_plan);
            self.inner_plans.doubt(session);
        }
    }

    /// Moves a session's waiting plan to `inner_plans`, because the planned statement may have run inside an execution
    /// that is logged later.
    pub(super) fn keep_inner_plan(&mut self, session: u64, out: &mut Records) {
        if !self.is_plan_waiting(session) {
            // `flush_pending` also converts the session's plans in `inner_plans` to records. Therefore call it only
            // if a statement waits.
            if self.pending_entry(session, &out.batch).is_some() {
                self.flush_pending(session, out);
            }
            return;
        }
        let plan = self.take_awaiting(session).and_then(|queued| {
            queued.ready = true;
            Some((queued.record.take()?, queued.is_unclear))
        });
        if let Some((plan, is_unclear)) = plan {
            self.keep_plan(session, plan.into_owned(&out.batch), is_unclear, out);
        }
        self.drain(false, out);
    }

    fn keep_plan(&mut self, session: u64, plan: Box<OwnedEntry>, is_unclear: bool, out: &mut Records) {
        for released in self.inner_plans.add(session, plan, is_unclear) {
            self.add(Record::Owned(released), session, true, false, out);
        }
    }

    /// Returns the kept plans of a session as records.
    pub(super) fn return_inner_plans(&mut self, session: u64, out: &mut Records) {
        for plan in self.inner_plans.take(session) {
            self.add(Record::Owned(plan), session, true, false, out);
        }
    }

    /// Drops the plans in `inner_plans` whose statements ran inside the execution in message `index`. `has_plan`:
    /// whether the message is a plan, or the plan of the same execution was logged before.
    pub(super) fn settle_plans(&mut self, index: usize, session: u64, has_plan: bool, out: &mut Records) {
        let is_plan = out.batch.messages[index].kind == MessageKind::Plan;
        out.batch.stats.nested_plans +=
            self.inner_plans.settle(session, out.batch.entry(index), is_plan, has_plan, out.batch.marks_inner_plans);
    }

    /// Handles a plan whose execution already has a record.
    fn add_duplicate_plan(&mut self, index: usize, out: &mut Records) {
        out.batch.stats.duplicate_plans += 1;
        if out.batch.selection.events {
            out.batch.messages[index].event = Some(Event::Plan);
            self.add(Record::InBatch(index as u32), out.batch.messages[index].session, true, false, out);
        }
    }

    /// Starts to store executions at the first plan of a log. Also stores the executions of the current batch.
    fn expect_plans(&mut self, out: &Records) {
        if std::mem::replace(&mut self.executed.is_needed, true) {
            return;
        }
        let queued = self.queue.iter().filter(|queued| queued.ready).filter_map(|queued| queued.record.as_ref());
        for record in out.list.iter().chain(queued) {
            self.executed.add_record(record, &out.batch);
        }
    }

    /// If the log has no plans yet, stores the last executions of a batch, because the next batch may contain a plan of
    /// one of them.
    pub(super) fn note_last_executions(&mut self, out: &Records) {
        const LAST: usize = 32;
        if self.executed.is_needed || out.list.is_empty() {
            return;
        }
        self.executed.forget();
        for record in &out.list[out.list.len().saturating_sub(LAST)..] {
            self.executed.add_record(record, &out.batch);
        }
    }

    /// Drops the plan of the execution whose duration is in message `index`. Returns whether the plan existed.
    pub(super) fn drop_duplicate_plan(&mut self, index: usize, out: &mut Records) -> bool {
        let session = out.batch.messages[index].session;
        // In the extended protocol, the plan follows the duration. Therefore only an execution of the simple protocol
        // can have its plan in `inner_plans`.
        let may_be_kept = self.inner_plans.has(session) && is_simple(out.batch.entry(index));
        if !may_be_kept && self.is_plan_of(index, session, out) {
            if self.inner_plans.has(session) {
                self.settle_plans(index, session, true, out);
                self.return_inner_plans(session, out);
            }
            self.has_timed_plans = true;
            out.batch.stats.duplicate_plans += 1;
            match out.batch.selection.events {
                true => self.keep_plan_only(session, out),
                false => self.drop_pending(session, out),
            }
            return true;
        }
        if may_be_kept && self.is_plan_waiting(session) {
            self.keep_inner_plan(session, out);
        }
        let own = if may_be_kept { self.inner_plans.take_own(session, out.batch.entry(index)) } else { None };
        self.drop_inner_plans(index, own.is_some(), out);
        let Some((mut own, dropped)) = own else { return false };
        self.return_inner_plans(session, out);
        self.has_timed_plans = true;
        out.batch.stats.duplicate_plans += 1;
        out.batch.stats.nested_plans += dropped;
        if out.batch.selection.events {
            own.message.event = Some(Event::Plan);
            self.add(Record::Owned(own), session, true, false, out);
        }
        true
    }

    /// Drops the plans whose statements ran inside the execution, fetch, parse or bind in message `index`.
    pub(super) fn drop_inner_plans(&mut self, index: usize, has_plan: bool, out: &mut Records) {
        let session = out.batch.messages[index].session;
        if session == 0 {
            return;
        }
        if self.is_plan_waiting(session) {
            self.keep_inner_plan(session, out);
        }
        self.settle_plans(index, session, has_plan, out);
    }

    /// Whether a session's waiting plan belongs to the execution in message `index`.
    fn is_plan_of(&mut self, index: usize, session: u64, out: &Records) -> bool {
        if !self.is_plan_waiting(session) {
            return false;
        }
        let execution = out.batch.entry(index);
        let mut clock = std::mem::take(&mut self.inner_plans.clock);
        let is_own = self.pending_entry(session, &out.batch).is_some_and(|plan| {
            is_plan_of(plan, execution, || is_single(execution.sql()), || has_execute(execution.sql()), &mut clock)
        });
        self.inner_plans.clock = clock;
        is_own
    }

    /// Converts a session's waiting plan to an event.
    pub(super) fn keep_plan_only(&mut self, session: u64, out: &mut Records) {
        let Some(queued) = self.take_awaiting(session) else { return };
        queued.ready = true;
        let Some(mut record) = queued.record.take() else { return };
        match &mut record {
            Record::InBatch(index) => out.batch.messages[*index as usize].event = Some(Event::Plan),
            Record::Owned(entry) => entry.message.event = Some(Event::Plan),
        }
        self.drain(false, out);
        self.add(record, session, true, false, out);
    }
}
