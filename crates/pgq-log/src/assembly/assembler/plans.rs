//! Detects the plans of statements that ran inside functions. Usually a CONTEXT marks these plans, but stderr logs with
//! log_error_verbosity = terse have no CONTEXT. The setting may differ between sessions, and may change at any time.
//! Therefore a plan without a CONTEXT is assigned only by its time: a session runs one statement at a time, so a plan
//! that ends during an execution is part of that execution.
#![allow(clippy::vec_box, reason = "`Record::Owned` takes the boxes without a copy")]

use std::cell::LazyCell;
use std::collections::VecDeque;

use foldhash::HashMap;

use super::cursors::declares_cursor;
use super::evidence::{
    are_other_transactions, began_earlier, end_micros, had_own_transaction, has_execute, has_optional_fields,
    is_of_other_execution, is_plan_of, is_same_transaction, may_follow, same_sql, start_micros, time_unit,
};
use crate::assembly::entry::{Entry, OwnedEntry};
use crate::message::field::Field;
use crate::message::prepared::{is_single, may_end_transaction};
use crate::time::clock::{Clock, duration_micros};

/// Maximum number of plans stored per session.
const MAX_PLANS: usize = 64;
/// Maximum number of end times stored per session. They are the end times of plans that became records because too
/// many plans were stored.
const MAX_RELEASED: usize = 1024;
/// Maximum number of sessions.
const MAX_SESSIONS: usize = 64 << 10;
/// Maximum size of all plans, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// Plans by session. Their statements may have run inside an execution that is logged later.
#[derive(Default)]
pub struct InnerPlans {
    sessions: HashMap<u64, Plans>,
    bytes: usize,
    /// Number of plans that became records, although their statements may have run inside other executions.
    pub unclear: u64,
    pub(super) clock: Clock,
}

#[derive(Default)]
struct Plans {
    /// Oldest first.
    kept: Vec<InnerPlan>,
    /// End times of plans that became records because too many plans were stored, oldest first. The statements of
    /// these plans may have run inside an execution that is logged later.
    released: VecDeque<Option<i64>>,
}

struct InnerPlan {
    plan: Box<OwnedEntry>,
    /// Time of the plan's end in microseconds since 1970. `None` if the time is unknown, or if it is the time of an
    /// envelope.
    end: Option<i64>,
    /// True if the plan's statement may have run inside another execution, or if the plan may belong to several
    /// executions.
    is_unclear: bool,
}

impl InnerPlans {
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    /// Stores a plan. `is_unclear`: whether the plan may belong to several executions. If a limit is exceeded, removes
    /// and returns plans: the oldest plan of the session, or the plans of all sessions.
    pub fn add(&mut self, session: u64, plan: Box<OwnedEntry>, is_unclear: bool) -> Vec<Box<OwnedEntry>> {
        let end = end_micros(&mut self.clock, plan.entry());
        self.bytes += plan.memory_size();
        self.sessions.entry(session).or_default().kept.push(InnerPlan { plan, end, is_unclear });
        if self.bytes > MAX_BYTES || self.sessions.len() > MAX_SESSIONS {
            self.sessions.values_mut().flat_map(|plans| &mut plans.kept).for_each(|plan| plan.is_unclear = true);
            return self.take_all();
        }
        let Plans { kept, released } = self.sessions.entry(session).or_default();
        if kept.len() <= MAX_PLANS {
            return Vec::new();
        }
        let oldest = kept.remove(0);
        if oldest.is_unclear {
            self.unclear += 1;
        } else {
            if released.len() == MAX_RELEASED {
                released.pop_front();
            }
            released.push_back(oldest.end);
        }
        self.bytes -= oldest.plan.memory_size();
        vec![oldest.plan]
    }

    /// Removes a session's plans whose statements ran inside the execution `outer`. Returns the number of these plans.
    /// `is_plan`: whether `outer` is a plan itself. `has_plan`: whether `outer` is a plan, or its plan was logged
    /// before. `has_contexts`: whether the plans of statements inside functions have a CONTEXT.
    pub fn settle(&mut self, session: u64, outer: Entry<'_>, is_plan: bool, has_plan: bool, has_contexts: bool) -> u64 {
        if !self.sessions.contains_key(&session) {
            return 0;
        }
        let Some(micros) = duration_micros(outer.get(Field::Duration)) else { return 0 };
        let start = start_micros(&mut self.clock, outer);
        let Some(Plans { kept, released }) = self.sessions.get_mut(&session) else { return 0 };
        let unit = time_unit(outer);
        let may_be_inside = |end| may_follow(end, start, unit);
        // If the execution has a DETAIL, HINT or CONTEXT, its session's log_error_verbosity is not terse. In this case,
        // the plans of statements inside the execution have a CONTEXT.
        let is_marked = (has_plan && has_contexts) || has_optional_fields(outer);
        // If `outer` is the plan of a cursor or portal, the server logged it when it closed the cursor or portal. Until
        // this time, the session may have run other statements, for example between two fetches. By their times, these
        // statements seem to be part of `outer`, but they are not. Therefore the times alone do not decide.
        let tells_times = !is_plan || !(is_marked || declares_cursor(outer.sql()));
        let has_transactions = LazyCell::new(|| !is_plan && may_end_transaction(outer.sql()));
        let is_one = LazyCell::new(|| is_single(outer.sql()));
        let may_close_portal = LazyCell::new(|| has_contexts && !is_plan && !had_own_transaction(outer.sql(), outer));
        let before = kept.len();
        kept.retain_mut(|InnerPlan { plan, end, is_unclear }| {
            // If a rule (CREATE RULE) adds a query to a statement, the server logs the plan of this query with the SQL
            // of the statement and without a CONTEXT. Such a plan looks like the plan of the statement itself.
            let has_same_sql = same_sql(plan.entry(), outer);
            let is_same = has_same_sql && !is_of_other_execution(plan.entry(), outer, || *is_one, &mut self.clock);
            let is_later = end.zip(start).is_some_and(|(end, start)| end >= start.saturating_add(unit));
            // The statements of a rule run one after the other. If two plans with the same SQL overlap, they are plans
            // of two portals.
            let is_other =
                (is_plan && has_same_sql && is_later) || (!is_plan && are_other_transactions(outer, plan.entry()));
            *is_unclear |= (!is_marked || is_same) && may_be_inside(*end) && !is_other;
            // The log has the duration of `outer`. If the planned statement took at least as long as `outer`, the log
            // should have its duration, too. The log lacks this duration, so the plan may belong to a cursor that a
            // function has opened: the server logs no duration for the query of such a cursor.
            let is_longer = || duration_micros(plan.entry().get(Field::Duration)).is_some_and(|own| own >= micros);
            *is_unclear |= !is_plan && (is_same || !has_same_sql) && is_longer();
            // If `outer` consists of several statements, each of its transactions may have its own plan, with the SQL
            // of `outer`. Such a plan is part of `outer`.
            let is_part = is_same && end.is_some() && may_be_inside(*end) && *has_transactions;
            // A statement that began earlier did not run inside `outer`. The server logs its plan late, when `outer`
            // closes the unnamed portal.
            let may_be_late = !is_same && began_earlier(*end, plan.entry(), start, unit);
            let may_run_inside = (tells_times || is_same) && is_later && !(is_plan && has_same_sql);
            *is_unclear |= may_run_inside && may_be_late;
            let is_inside = is_part || (may_run_inside && !may_be_late);
            self.unclear += u64::from(is_inside && !is_same && *may_close_portal);
            self.bytes -= if is_inside { plan.memory_size() } else { 0 };
            !is_inside
        });
        while !is_marked && released.back().is_some_and(|end| may_be_inside(*end)) {
            released.pop_back();
            self.unclear += 1;
        }
        (before - kept.len()) as u64
    }

    /// Drops the plans of a session that were logged between the start of the execution `outer` and the message `end`
    /// with its duration. The planned statements ran inside `outer`, unless they began earlier. Returns the number of
    /// dropped plans. `is_marked`: whether the plans of statements inside functions have a CONTEXT.
    pub fn drop_between(&mut self, session: u64, outer: Entry<'_>, end: Entry<'_>, is_marked: bool) -> u64 {
        let Some(Plans { kept, released }) = self.sessions.get_mut(&session) else { return 0 };
        let (start, unit) = (start_micros(&mut self.clock, outer), time_unit(outer));
        self.unclear += std::mem::take(released).len() as u64;
        let may_be_late = is_marked && !had_own_transaction(outer.sql(), end);
        let before = kept.len();
        kept.retain_mut(|InnerPlan { plan, end, is_unclear }| {
            let is_earlier = |slack: i64| began_earlier(*end, plan.entry(), start, slack);
            *is_unclear = is_earlier(unit);
            self.unclear += u64::from(!*is_unclear && may_be_late && is_earlier(-unit));
            self.bytes -= if *is_unclear { 0 } else { plan.memory_size() };
            *is_unclear
        });
        (before - kept.len()) as u64
    }

    /// Removes and returns the plan of `execution`, which uses the simple protocol. Also drops the plans of the same
    /// transaction that are in the log between this plan and the duration of `execution`, because their statements ran
    /// inside `execution`. Returns the number of dropped plans.
    pub fn take_own(&mut self, session: u64, execution: Entry<'_>) -> Option<(Box<OwnedEntry>, u64)> {
        let is_one = LazyCell::new(|| is_single(execution.sql()));
        let clock = &mut self.clock;
        let may_execute = LazyCell::new(|| has_execute(execution.sql()));
        let is_own = |inner: &InnerPlan| is_plan_of(inner.plan.entry(), execution, || *is_one, || *may_execute, clock);
        let kept = &mut self.sessions.get_mut(&session)?.kept;
        let at = kept.iter().rposition(is_own)?;
        let own = kept.remove(at).plan;
        self.bytes -= own.memory_size();
        // If the statement had a transaction of its own, the plans before `own` ran inside `execution`, too, for
        // example because of a rule. Otherwise they may be plans of earlier statements.
        let first = if had_own_transaction(execution.sql(), execution) { 0 } else { at };
        let is_inside = |inner: &mut InnerPlan| is_same_transaction(inner.plan.entry(), own.entry());
        let inside = kept.extract_if(first.., is_inside);
        let (count, bytes) = inside.fold((0, 0), |(count, bytes), inner| (count + 1, bytes + inner.plan.memory_size()));
        self.bytes -= bytes;
        Some((own, count))
    }

    /// Marks the plans of a session as unclear.
    pub fn doubt(&mut self, session: u64) {
        let kept = self.sessions.get_mut(&session).into_iter().flat_map(|plans| &mut plans.kept);
        kept.for_each(|plan| plan.is_unclear = true);
    }

    /// Removes and returns the plans of a session. Each of them is a separate execution.
    pub fn take(&mut self, session: u64) -> Vec<Box<OwnedEntry>> {
        let kept = self.sessions.remove(&session).unwrap_or_default().kept;
        self.unclear += kept.iter().filter(|inner| inner.is_unclear).count() as u64;
        self.bytes -= kept.iter().map(|inner| inner.plan.memory_size()).sum::<usize>();
        kept.into_iter().map(|inner| inner.plan).collect()
    }

    pub fn has(&self, session: u64) -> bool {
        self.sessions.contains_key(&session)
    }

    /// Returns the oldest plan of a session.
    pub fn oldest(&self, session: u64) -> Option<&OwnedEntry> {
        self.sessions.get(&session)?.kept.first().map(|inner| &*inner.plan)
    }

    pub fn entries_mut(&mut self) -> impl Iterator<Item = &mut Box<OwnedEntry>> {
        self.sessions.values_mut().flat_map(|plans| &mut plans.kept).map(|inner| &mut inner.plan)
    }

    /// Removes and returns all plans, in the log's order.
    pub fn take_all(&mut self) -> Vec<Box<OwnedEntry>> {
        let sessions: Vec<u64> = self.sessions.keys().copied().collect();
        let mut all: Vec<_> = sessions.into_iter().flat_map(|session| self.take(session)).collect();
        all.sort_by_key(|plan| plan.entry().position().offset);
        all
    }
}
