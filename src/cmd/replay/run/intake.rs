//! Takes steps from the plan shortly before they are due, and limits the number of queued statements.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::session::{Queue, Session, State};
use super::{AHEAD, Runner};
use crate::cmd::replay::step::{Skip, Step};

/// Maximum memory of queued statements in all sessions, in bytes. At this limit, no more statements are taken from the
/// plan. Therefore a hanging session delays all other sessions if its statements fill the queue.
const MAX_QUEUED: usize = 128 << 20;
/// If no statement has ended for this long, [`MAX_QUEUED`] is multiplied by ten. The reason: all running statements may
/// be waiting for a lock, and the statement that would release the lock cannot be queued because the queue is full.
const STALLED: Duration = Duration::from_secs(1);
/// Maximum number of steps to take before the event loop looks at the connections and the clock again.
const MAX_TAKEN: usize = 1000;
/// Memory of a session that waits for a connection, in bytes. Does not include the session's statements.
pub const WAITING: usize = 256;

impl Runner {
    /// Takes steps that are due soon, at most [`MAX_TAKEN`]. Returns whether more steps may be due soon.
    pub(super) fn take_steps(&mut self) -> Result<bool> {
        let until = Instant::now() + AHEAD;
        for _ in 0..MAX_TAKEN {
            if self.ends_early() || (self.queued >= MAX_QUEUED && !self.needs_more()) {
                return Ok(false);
            }
            let due = |step: &mut Step| self.schedule.due_time(step.start) <= until;
            let Some(step) = self.next.take_if(due) else { return Ok(false) };
            self.next = self.plan.steps.next().transpose()?;
            self.take_step(step);
            if self.next.is_none() {
                let mut queues = self.sessions.values().map(|session| &session.queue).chain(self.waiting.values());
                ensure!(queues.all(|it| it.has_all), "the plan is damaged: the last statement of a session is missing");
            }
        }
        Ok(true)
    }

    /// Whether the run needs more steps although the queue is full. Without more steps, it could hang: sessions
    /// without a queued statement may occupy all connections, or may hold locks that other sessions wait for.
    fn needs_more(&mut self) -> bool {
        let runs = |session: &Session| matches!(session.state, State::Busy(_) | State::Opening);
        let nothing_runs = self.due.is_empty() && !self.sessions.values().any(runs);
        if self.queued < 10 * MAX_QUEUED {
            return nothing_runs || (self.has_begun && self.last_answer.elapsed() > STALLED);
        }
        if nothing_runs {
            self.is_stuck = true;
            let error = "all connections belong to sessions that wait for later statements: raise --connections";
            *self.results.connection_errors.entry(error.into()).or_default() += 1;
        }
        false
    }

    fn take_step(&mut self, mut step: Step) {
        let number = step.session;
        let is_new = !self.sessions.contains_key(&number) && !self.waiting.contains_key(&number);
        step.skip = step.reason_to_skip(self.args.writes);
        // A statement that will not be sent is queued nevertheless if it may change the settings of its session. A
        // statement that failed in the log undoes the settings of its transaction block. A text of several statements
        // may change or reset settings.
        let has_effect = step.error.is_some() || step.skip == Some(Skip::Several);
        let may_run = step.skip.is_none() || (has_effect && !is_new);
        // A session without statements to run needs no connection.
        if is_new && !may_run {
            return self.results.leave_out(&step);
        }
        if is_new {
            self.results.sessions += 1;
            self.queued += WAITING;
            self.order.push_back(number);
            // The capacity is 1, because in a log with many sessions, most waiting sessions have only one statement.
            self.waiting.insert(number, Queue { steps: VecDeque::with_capacity(1), has_all: false });
        }
        let session = self.sessions.get_mut(&number);
        let state = session.as_ref().map(|session| session.state);
        let queue = session.map(|session| &mut session.queue).or_else(|| self.waiting.get_mut(&number));
        let queue = queue.expect("a session that is not new is known");
        queue.has_all |= step.is_last;
        if may_run && state != Some(State::GivenUp) {
            self.queued += step.bytes();
            queue.steps.push_back(step);
        } else {
            self.results.leave_out(&step);
        }
        // Schedules an idle session only for the first statement in its queue. If the queue already contained a
        // statement, the session is already scheduled.
        let is_first = may_run && queue.steps.len() == 1;
        match state {
            None if is_new => {
                self.open_waiting();
                let waits = self.args.connections.is_some() && self.waiting.contains_key(&number);
                self.results.waited_for_connection += u64::from(waits);
            }
            Some(State::Idle) if is_first || queue.steps.is_empty() => self.go_on(number),
            Some(State::GivenUp) if queue.has_all => _ = self.sessions.remove(&number),
            _ => {}
        }
    }
}
