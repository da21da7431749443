//! Builds a plan from the entries of a log in log order. Assigns entries to sessions, computes start times, and matches
//! errors with statements.

use std::collections::{BTreeMap, HashMap, VecDeque};

use anyhow::{Context, Result};
use pgq_log::counted;

use super::sorter::{Sorted, Sorter};
use super::step::{Skip, Step};
use super::worker::{Draft, Drafts};
use crate::run::report::Diagnostics;
use crate::run::statements::{ChunkReport, OrderedOutput};

/// Maximum number of statements that wait for a possible error.
const MAX_WAITING: usize = 10_000;

/// State of a session of the log.
struct SessionCursor {
    number: u32,
    /// Start of the session's last step.
    last_start: i64,
}

/// Builds a plan from entries in log order.
pub struct PlanBuilder<'a> {
    diagnostics: &'a Diagnostics,
    sorter: Sorter,
    sessions: HashMap<u128, SessionCursor>,
    /// Indexed by session number: the sequence number of its last step.
    last_steps: Vec<u64>,
    /// Keyed by session: a statement without a duration. The session's next entry may be its error.
    waiting: HashMap<u128, (u64, Draft)>,
    /// Order in which statements started to wait.
    waiting_order: VecDeque<(u64, u128)>,
    sequence: u64,
    last_time: Option<i64>,
    /// The latest time of any message.
    ends: Option<i64>,
    without_time: u64,
    without_session: u64,
    without_step: BTreeMap<Skip, u64>,
}

impl<'a> PlanBuilder<'a> {
    pub fn new(diagnostics: &'a Diagnostics) -> Self {
        Self {
            diagnostics,
            sorter: Sorter::default(),
            sessions: HashMap::new(),
            last_steps: Vec::new(),
            waiting: HashMap::new(),
            waiting_order: VecDeque::new(),
            sequence: 0,
            last_time: None,
            ends: None,
            without_time: 0,
            without_session: 0,
            without_step: BTreeMap::new(),
        }
    }

    /// Returns the plan, with its steps sorted by start.
    ///
    /// # Errors
    /// A temporary file cannot be written or read.
    pub fn into_plan(self) -> Result<BuiltPlan> {
        let Self { last_steps, without_step, ends, .. } = self;
        Ok(BuiltPlan { steps: self.sorter.finish()?, last_steps, without_step, ends })
    }

    fn draft(&mut self, draft: Draft) -> Result<()> {
        let key = draft.session;
        if let Some((_, waiting)) = self.waiting.remove(&key) {
            let fails = draft.step.error.is_some() && draft.step.sql == waiting.step.sql;
            if fails {
                // The log has two messages for one statement. Only the first has the protocol and the name.
                let step = Step { error: draft.step.error, ..waiting.step };
                return self.add(Draft { step, ..waiting });
            }
            self.add(waiting)?;
        }
        let complete = draft.step.duration.is_some() || draft.step.error.is_some();
        if complete {
            return self.add(draft);
        }
        self.waiting_order.push_back((self.sequence, key));
        self.waiting.insert(key, (self.sequence, draft));
        self.sequence += 1;
        while self.waiting_order.len() > MAX_WAITING {
            let Some((sequence, key)) = self.waiting_order.pop_front() else { break };
            if self.waiting.get(&key).is_some_and(|(found, _)| *found == sequence)
                && let Some((_, draft)) = self.waiting.remove(&key)
            {
                self.add(draft)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, draft: Draft) -> Result<()> {
        let Draft { session, time, latest, time_is_end, mut step } = draft;
        self.ends = self.ends.max(latest);
        self.without_time += u64::from(time.is_none());
        let time = time.or(self.last_time).unwrap_or_default();
        self.last_time = Some(time);
        let duration = step.duration.filter(|_| time_is_end).and_then(|duration| i64::try_from(duration).ok());
        let start = time.saturating_sub(duration.unwrap_or(0));
        let number = u32::try_from(self.sessions.len()).context("the log has too many sessions")?;
        let session = self.sessions.entry(session).or_insert(SessionCursor { number, last_start: i64::MIN });
        // Log times are truncated to milliseconds, but the order of a session's messages is exact.
        session.last_start = session.last_start.max(start);
        (step.start, step.session, step.sequence) = (session.last_start, session.number, self.sequence);
        self.last_steps.resize(self.sessions.len(), 0);
        self.last_steps[step.session as usize] = self.sequence;
        self.sequence += 1;
        self.sorter.add(&step)
    }
}

impl OrderedOutput<Drafts> for PlanBuilder<'_> {
    fn take(&mut self, drafts: Drafts, report: &ChunkReport) -> Result<()> {
        for (skip, count) in [(Skip::Fetch, report.log.fetches), (Skip::Fastpath, report.log.fastpath)] {
            if count > 0 {
                *self.without_step.entry(skip).or_default() += count;
            }
        }
        self.without_session += drafts.without_session;
        for draft in drafts.list {
            self.draft(draft)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        let mut waiting: Vec<_> = self.waiting.drain().map(|(_, waiting)| waiting).collect();
        waiting.sort_by_key(|(sequence, _)| *sequence);
        for (_, draft) in waiting {
            self.add(draft)?;
        }
        if self.without_time > 0 {
            let text = format!(
                "{} without a time in the log: started with the statement before (%m in log_line_prefix)",
                counted(self.without_time, "statements")
            );
            self.diagnostics.notice(&text);
        }
        if self.without_session > 0 {
            let text = format!(
                "{} without a session or process in the log: run in one session for each user and database (%c or %p \
                 in log_line_prefix)",
                counted(self.without_session, "statements")
            );
            self.diagnostics.notice(&text);
        }
        Ok(())
    }
}

/// A plan built in this run.
pub struct BuiltPlan {
    steps: Sorted,
    last_steps: Vec<u64>,
    /// Statements of all users and databases that have no step, by reason.
    pub without_step: BTreeMap<Skip, u64>,
    /// Upper bound of the time of the log's last statement, in microseconds since 1970. `None` if the log has no times.
    pub ends: Option<i64>,
}

impl BuiltPlan {
    /// Returns the next step.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub fn next(&mut self) -> Result<Option<Step>> {
        let Some(mut step) = self.steps.next()? else { return Ok(None) };
        step.is_last = self.last_steps[step.session as usize] == step.sequence;
        Ok(Some(step))
    }
}
