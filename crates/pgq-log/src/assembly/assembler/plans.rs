//! Detects the plans of statements inside functions if the log does not mark them: with log_error_verbosity = terse,
//! they have no CONTEXT on stderr. A session runs one statement at a time, so a plan that ends during an execution is
//! part of that execution.
#![allow(clippy::vec_box, reason = "one word in every session that has none")]

use foldhash::HashMap;

use crate::assembly::entry::{Entry, OwnedEntry};
use crate::message::field::Field;
use crate::time::clock::{Clock, duration_micros};

/// Maximum number of plans stored per session.
const MAX_PLANS: usize = 64;

/// Plans that may be parts of a later execution, by session, oldest first.
#[derive(Default)]
pub struct InnerPlans {
    sessions: HashMap<u64, Vec<InnerPlan>>,
    clock: Clock,
}

struct InnerPlan {
    plan: Box<OwnedEntry>,
    /// Whether the plan was counted in [`Settled::unclear`].
    is_unclear: bool,
}

/// Result of assigning plans to an execution.
#[derive(Default)]
pub struct Settled {
    pub inner: u64,
    pub unclear: u64,
}

impl InnerPlans {
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    /// Stores a plan. Returns the oldest plan if there are more than [`MAX_PLANS`].
    pub fn add(&mut self, session: u64, plan: Box<OwnedEntry>) -> Option<Box<OwnedEntry>> {
        let plans = self.sessions.entry(session).or_default();
        plans.push(InnerPlan { plan, is_unclear: false });
        (plans.len() > MAX_PLANS).then(|| plans.remove(0).plan)
    }

    /// Removes a session's plans that are parts of an execution.
    pub fn settle(&mut self, session: u64, outer: Entry<'_>) -> Settled {
        let mut settled = Settled::default();
        let Some(plans) = self.sessions.get_mut(&session) else { return settled };
        let clock = &mut self.clock;
        let mut end = |entry: Entry<'_>| Some(clock.parse(entry.get(Field::Time))?.unix_micros());
        // The precision of the log's times, in microseconds. The server truncates times to milliseconds, or to seconds
        // with `%t`.
        let unit = if outer.get(Field::Time).contains(&b'.') { 1000 } else { 1_000_000 };
        let (Some(outer_end), Some(micros)) = (end(outer), duration_micros(outer.get(Field::Duration))) else {
            return settled;
        };
        let start = outer_end - i64::try_from(micros).unwrap_or(i64::MAX);
        plans.retain_mut(|InnerPlan { plan, is_unclear }| {
            let plan_end = end(plan.entry()).unwrap_or(i64::MIN);
            let is_inside = plan_end >= start + unit;
            settled.inner += u64::from(is_inside);
            // The plan ended in the millisecond or second in which the execution started, so their order is unknown.
            if !is_inside && plan_end + unit > start && !std::mem::replace(is_unclear, true) {
                settled.unclear += 1;
            }
            !is_inside
        });
        settled
    }

    /// Removes and returns the plans of a session. Each of them is a separate execution.
    pub fn take(&mut self, session: u64) -> Vec<Box<OwnedEntry>> {
        self.sessions.remove(&session).unwrap_or_default().into_iter().map(|inner| inner.plan).collect()
    }

    /// Returns the oldest plan of a session.
    pub fn oldest(&self, session: u64) -> Option<&OwnedEntry> {
        self.sessions.get(&session)?.first().map(|inner| &*inner.plan)
    }

    pub fn entries_mut(&mut self) -> impl Iterator<Item = &mut Box<OwnedEntry>> {
        self.sessions.values_mut().flatten().map(|inner| &mut inner.plan)
    }

    /// Removes and returns all plans, in the log's order.
    pub fn take_all(&mut self) -> Vec<Box<OwnedEntry>> {
        let mut all: Vec<Box<OwnedEntry>> =
            self.sessions.drain().flat_map(|(_, plans)| plans).map(|inner| inner.plan).collect();
        all.sort_by_key(|plan| plan.entry().position().offset);
        all
    }
}
