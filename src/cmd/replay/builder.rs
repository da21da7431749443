//! Builds a plan (the statements to replay, sorted by start) from the entries of a log, which are in log order. Assigns
//! entries to sessions, computes start times, and matches errors with statements.

use std::collections::HashMap;

use anyhow::{Context, Result};

use super::command::Command;
use super::plan::{Plan, PlanHead};
use super::sorter::Sorter;
use super::step::{Skip, Step};
use super::worker::{Draft, Drafts};
use pgq_log::counted;

use crate::run::report::Diagnostics;
use crate::run::statements::{ChunkReport, OrderedOutput};

/// Maximum number of statements that are held back because an error may follow.
const MAX_WAITING: usize = 10_000;

/// Notice about statements without a time.
const WITHOUT_TIME: &str = "without a time in the log: started with the statement before (%m in log_line_prefix)";

/// Notice about statements without a session.
const WITHOUT_SESSION: &str = "without a session or process in the log: run in one session for each user and database \
                               (%c or %p in log_line_prefix)";

/// Builds a plan from entries in log order.
#[derive(Default)]
pub struct PlanBuilder {
    sorter: Sorter,
    /// The number that each session has in the plan, and the start time of its last statement.
    sessions: HashMap<u128, (u32, i64)>,
    /// Indexed by session number.
    last_steps: Vec<LastStep>,
    /// Statements without a duration, keyed by session. The next entry of the session may be the error of the
    /// statement.
    waiting: HashMap<u128, (u64, Draft)>,
    sequence: u64,
    last_start: i64,
    head: PlanHead,
    without_time: u64,
    without_session: u64,
}

/// The last step of a session. Normally, this is the last statement that the filters select. If this statement is in a
/// transaction block, the last step is the end of the block.
#[derive(Default, Clone, Copy)]
struct LastStep {
    /// `None` if no statement is selected.
    sequence: Option<u64>,
    /// Whether the last selected statement may be in a transaction block that has not ended yet.
    may_be_open: bool,
}

impl PlanBuilder {
    /// Returns the plan, with its steps sorted by start.
    ///
    /// # Errors
    /// A temporary file cannot be written or read.
    pub fn into_plan(self, diagnostics: &Diagnostics) -> Result<Plan> {
        for (count, text) in [(self.without_time, WITHOUT_TIME), (self.without_session, WITHOUT_SESSION)] {
            if count > 0 {
                diagnostics.notice(&format!("{} {text}", counted(count, "statements")));
            }
        }
        let Self { last_steps, head, .. } = self;
        let select = move |step: Step| {
            let last = last_steps[step.session as usize].sequence.filter(|last| step.sequence <= *last)?;
            Some(Step { is_last: last == step.sequence, ..step })
        };
        let steps = self.sorter.finish()?.filter_map(move |step| step.map(&select).transpose());
        Ok(Plan { steps: Box::new(steps), head })
    }

    fn draft(&mut self, draft: Draft) -> Result<()> {
        let key = draft.session;
        if let Some((_, waiting)) = self.waiting.remove(&key) {
            // The end of the waiting execution is not logged yet. An error with the same SQL normally means that this
            // execution has failed. However, if parsing or binding failed (`is_unexecuted`), the error belongs to a
            // later execution of the same statement, and the waiting execution has succeeded.
            if draft.step.error.is_some() && !draft.is_unexecuted && draft.step.sql == waiting.step.sql {
                // The log has two messages for one statement. Keeps the step of the first message, which shows the
                // protocol and the name of the prepared statement, and adds the error of the second message.
                let is_context = waiting.step.is_context && draft.step.is_context;
                let step = Step { error: draft.step.error, is_context, ..waiting.step };
                return self.add(Draft { step, ..waiting });
            }
            self.add(waiting)?;
        }
        if draft.step.duration.is_some() || draft.step.error.is_some() {
            return self.add(draft);
        }
        self.waiting.insert(key, (self.sequence, draft));
        self.sequence += 1;
        if self.waiting.len() > MAX_WAITING {
            // Stop waiting for errors of the older statements: the server logs an error soon after its statement.
            let recent = self.sequence - MAX_WAITING as u64 / 2;
            self.add_waiting(recent)?;
        }
        Ok(())
    }

    /// Adds the waiting statements whose sequence number is less than `end`.
    fn add_waiting(&mut self, end: u64) -> Result<()> {
        let mut waiting: Vec<_> = self.waiting.extract_if(|_, (sequence, _)| *sequence < end).collect();
        waiting.sort_by_key(|(_, (sequence, _))| *sequence);
        waiting.into_iter().try_for_each(|(_, (_, draft))| self.add(draft))
    }

    fn add(&mut self, draft: Draft) -> Result<()> {
        let Draft { session, latest, mut step, .. } = draft;
        if !step.is_context {
            self.head.end = self.head.end.max(Some(latest.unwrap_or(i64::MAX)));
        }
        self.without_time += u64::from(latest.is_none());
        self.last_start = latest.map_or(self.last_start, |_| step.start);
        let number = u32::try_from(self.sessions.len()).context("the log has too many sessions")?;
        let (number, last_start) = self.sessions.entry(session).or_insert((number, i64::MIN));
        // Log times are truncated to milliseconds, but the messages of a session are in order. Therefore a step does
        // not start before the previous step of its session.
        *last_start = self.last_start.max(*last_start);
        (step.start, step.session, step.sequence) = (*last_start, *number, self.sequence);
        self.last_steps.resize(self.sessions.len(), LastStep::default());
        let last = &mut self.last_steps[step.session as usize];
        match step.is_context.then(|| Command::of(&step.sql)) {
            None => {
                *last = LastStep { sequence: Some(self.sequence), may_be_open: true };
                self.head.first = Some(self.head.first.map_or(step.start, |first| first.min(step.start)));
            }
            Some(Command::End { .. }) if last.may_be_open => {
                *last = LastStep { sequence: Some(self.sequence), may_be_open: false };
            }
            Some(Command::Begin) => last.may_be_open = false,
            Some(_) => {}
        }
        self.sequence += 1;
        self.sorter.add(step)
    }
}

impl OrderedOutput<Drafts> for PlanBuilder {
    fn take(&mut self, drafts: Drafts, report: &ChunkReport) -> Result<()> {
        if report.log.fetches > 0 {
            *self.head.without_step.entry(Skip::Fetch).or_default() += report.log.fetches;
        }
        self.without_session += drafts.without_session;
        drafts.list.into_iter().try_for_each(|draft| self.draft(draft))
    }

    fn finish(&mut self) -> Result<()> {
        self.add_waiting(u64::MAX)
    }
}
