//! Puts a plan together from the entries of a log, in the log's order: which session each belongs to, when it
//! started, and which error belongs to which statement.

use std::collections::{BTreeMap, HashMap, VecDeque};

use anyhow::{Context, Result};

use super::sorter::{Sorted, Sorter};
use super::step::{Skip, Step};
use super::worker::{Draft, Drafts};
use crate::run::report::Diagnostics;
use crate::run::statements::{ChunkReport, OrderedOutput};

/// Statements that wait for an error that may belong to them.
const MAX_WAITING: usize = 10_000;

/// What is known of a session.
struct SessionCursor {
    number: u32,
    /// When its last step started.
    last_start: i64,
}

/// The ordered part: collects a plan.
pub struct PlanBuilder<'a> {
    diagnostics: &'a Diagnostics,
    sorter: Sorter,
    sessions: HashMap<u128, SessionCursor>,
    /// By number of the session, the place of its last step in the log.
    last_steps: Vec<u64>,
    /// By session, a statement without a duration: the log may say next that it failed.
    waiting: HashMap<u128, (u64, Draft)>,
    /// The order in which they began to wait.
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

    /// The plan: steps in the order of their starts.
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
                // One statement, of which the log has two messages: the first tells how it was sent.
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
        // Times of a log are cut to milliseconds; the order of a session's messages is exact.
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
                "{} statements have no time in the log: they start with the one before (%m in log_line_prefix)",
                self.without_time
            );
            self.diagnostics.notice(&text);
        }
        if self.without_session > 0 {
            let text = format!(
                "{} statements have neither a session nor a process in the log: they run in one session for each user \
                 and database (%c or %p in log_line_prefix)",
                self.without_session
            );
            self.diagnostics.notice(&text);
        }
        Ok(())
    }
}

/// A plan that was made in this run.
pub struct BuiltPlan {
    steps: Sorted,
    last_steps: Vec<u64>,
    /// What of the log has no statement, of all users and databases.
    pub without_step: BTreeMap<Skip, u64>,
    /// The time of the log's last statement, in microseconds since 1970, if it has times.
    pub ends: Option<i64>,
}

impl BuiltPlan {
    /// The next step.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub fn next(&mut self) -> Result<Option<Step>> {
        let Some(mut step) = self.steps.next()? else { return Ok(None) };
        step.is_last = self.last_steps[step.session as usize] == step.sequence;
        Ok(Some(step))
    }
}
