//! Runs a plan: one loop over all connections. A statement is sent when it is due, whatever others take; it waits only
//! for the one before it in its session.

mod connections;
mod opener;
mod results;
mod session;
mod timer;
mod types;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use mio::{Events, Poll, Token, Waker};
use pgq_postgres::Settings;

use self::opener::Opener;
pub use self::results::{ErrorChange, Results};
use self::session::{Session, State};
use self::timer::Timer;
use self::types::GuessedTypes;
use super::args::{OnError, Speed};
use super::class::Class;
use super::plan::Plan;
use super::step::Step;
use crate::report::progress::Ticker;

/// How long before they are due statements are taken from the plan, and connections opened.
const AHEAD: Duration = Duration::from_secs(5);
/// Statements that wait in all sessions together. With more, one session that hangs would hold up the others.
const MAX_QUEUED: usize = 200_000;
/// As many, where no statement waits for its time.
const MAX_QUEUED_AT_ONCE: usize = 20_000;
/// The token of the waker; sessions have their numbers.
const WAKER: Token = Token(usize::MAX);
const TIMER: Token = Token(usize::MAX - 1);

/// How to run.
pub struct RunSettings {
    pub server: Settings,
    pub speed: Speed,
    pub writes: bool,
    pub connections: Option<usize>,
    pub database_map: Vec<(String, String)>,
    pub user_map: Vec<(String, String)>,
    pub on_error: OnError,
}

/// Runs a plan to its end. What goes wrong with the server is in the results.
///
/// # Errors
/// The plan cannot be read, or the system has no more resources.
pub fn run(plan: Plan, settings: RunSettings, ticker: Ticker) -> Result<Results> {
    let mut runner = Runner::new(plan, settings)?;
    runner.prepare()?;
    runner.run(ticker)?;
    Ok(runner.results)
}

struct Runner {
    plan: Plan,
    /// The next step of the plan.
    next: Option<Step>,
    settings: RunSettings,
    poll: Poll,
    timer: Timer,
    opener: Opener,
    sessions: HashMap<u32, Session>,
    /// Sessions that wait until there may be one more connection.
    waiting: VecDeque<u32>,
    /// Sessions that are idle and have a statement: when it is due.
    due: BinaryHeap<Reverse<(Instant, u64, u32)>>,
    /// Connections that are open or being opened.
    connections: usize,
    queued: usize,
    /// When the first statement starts: now, and in the log.
    begun: Instant,
    first: i64,
    types: GuessedTypes,
    results: Results,
}

impl Runner {
    fn new(mut plan: Plan, settings: RunSettings) -> Result<Self> {
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let next = plan.next()?;
        Ok(Self {
            first: next.as_ref().map_or(0, |step| step.start),
            plan,
            next,
            settings,
            timer: Timer::new(poll.registry(), TIMER)?,
            poll,
            opener: Opener::new(&waker),
            sessions: HashMap::new(),
            waiting: VecDeque::new(),
            due: BinaryHeap::new(),
            connections: 0,
            queued: 0,
            begun: Instant::now(),
            types: GuessedTypes::default(),
            results: Results::new(),
        })
    }

    /// Opens the connections of the first statements, before the time begins.
    fn prepare(&mut self) -> Result<()> {
        self.take_steps()?;
        let mut events = Events::with_capacity(1024);
        while self.sessions.values().any(|session| session.state == State::Opening) {
            self.poll_events(&mut events, Some(Duration::from_millis(100)))?;
            self.take_opened()?;
        }
        self.begun = Instant::now();
        // They were due from when they were taken.
        self.due.clear();
        let idle = self.sessions.iter().filter(|(_, session)| session.state == State::Idle);
        let idle: Vec<u32> = idle.map(|(number, _)| *number).collect();
        idle.into_iter().for_each(|number| self.schedule(number));
        Ok(())
    }

    fn run(&mut self, mut ticker: Ticker) -> Result<()> {
        let mut events = Events::with_capacity(1024);
        loop {
            self.take_steps()?;
            self.take_opened()?;
            self.send_due()?;
            if self.next.is_none() && self.sessions.is_empty() {
                self.results.time = self.begun.elapsed();
                self.results.guessed = self.types.len();
                return Ok(());
            }
            let now = Instant::now();
            let due = self.due.peek().map(|Reverse((due, ..))| due.saturating_duration_since(now));
            let ahead = self.next.as_ref().filter(|_| self.queued < self.max_queued());
            let ahead = ahead.map(|step| self.due_time(step).saturating_duration_since(now + AHEAD));
            let timeout = due.into_iter().chain(ahead).min().unwrap_or(AHEAD).min(Duration::from_millis(500));
            self.timer.set(timeout)?;
            self.poll_events(&mut events, Some(timeout))?;
            for event in &events {
                if event.token() != WAKER && event.token() != TIMER {
                    self.receive(event.token().0 as u32)?;
                }
            }
            let behind = self.due.peek().map_or(Duration::ZERO, |Reverse((due, ..))| due.elapsed());
            ticker.tick(|| {
                let errors = self.results.errors_of(ErrorChange::New) + self.results.errors_of(ErrorChange::Other);
                format!("{} done, behind by {:.1} s, {errors} new errors", self.results.executed, behind.as_secs_f64())
            });
        }
    }

    fn poll_events(&mut self, events: &mut Events, timeout: Option<Duration>) -> Result<()> {
        match self.poll.poll(events, timeout) {
            Err(error) if error.kind() != std::io::ErrorKind::Interrupted => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn max_queued(&self) -> usize {
        if self.settings.speed == Speed::Max { MAX_QUEUED_AT_ONCE } else { MAX_QUEUED }
    }

    /// When a statement is due.
    fn due_time(&self, step: &Step) -> Instant {
        match self.settings.speed {
            Speed::Max => self.begun,
            Speed::Factor(factor) => {
                let micros = step.start.saturating_sub(self.first).max(0) as f64 / factor;
                self.begun
                    + Duration::try_from_secs_f64(micros / 1e6).unwrap_or(Duration::from_secs(u64::from(u32::MAX)))
            }
        }
    }

    /// Takes from the plan what is due soon.
    fn take_steps(&mut self) -> Result<()> {
        let until = Instant::now() + AHEAD;
        while (self.queued < self.max_queued() || self.is_stuck())
            && let Some(step) = self.next.take()
        {
            if self.due_time(&step) > until {
                self.next = Some(step);
                return Ok(());
            }
            self.next = self.plan.next()?;
            self.take_step(step);
        }
        Ok(())
    }

    /// All that is queued waits for connections, and those that there are wait for statements: only more of the plan
    /// helps.
    fn is_stuck(&self) -> bool {
        let runs = |session: &Session| matches!(session.state, State::Busy | State::Opening);
        self.due.is_empty() && !self.sessions.values().any(runs)
    }

    fn take_step(&mut self, step: Step) {
        let number = step.session;
        let is_new = !self.sessions.contains_key(&number);
        let may_run = match step.skip {
            Some(skip) => {
                *self.results.skipped.entry(skip).or_default() += 1;
                false
            }
            None if step.class >= Class::Write && !self.settings.writes => {
                self.results.writes += 1;
                false
            }
            None => true,
        };
        // A session without statements to run needs no connection.
        if is_new && !may_run {
            return;
        }
        let session = self.sessions.entry(number).or_insert_with(Session::new);
        session.has_all |= step.is_last;
        if may_run && session.state == State::GivenUp {
            self.results.not_executed(session, 1);
        } else if may_run {
            session.queue.push_back(step);
            self.queued += 1;
        }
        self.results.sessions += u64::from(is_new);
        // Of several, only the first that waits is news.
        let is_first = may_run && session.queue.len() == 1;
        match session.state {
            State::Waiting if is_first => {
                self.waiting.push_back(number);
                self.open_waiting();
            }
            State::Idle if is_first => self.schedule(number),
            State::Idle if session.queue.is_empty() => self.go_on(number),
            State::Waiting | State::GivenUp if session.queue.is_empty() && session.has_all => {
                self.sessions.remove(&number);
            }
            _ => {}
        }
    }

    /// Sends what is due.
    fn send_due(&mut self) -> Result<()> {
        let now = Instant::now();
        while let Some(Reverse((due, ..))) = self.due.peek()
            && *due <= now
        {
            let Some(Reverse((_, _, number))) = self.due.pop() else { break };
            let Some(session) = self.sessions.get_mut(&number) else { continue };
            // It was idle when this was noted, and may have lost its connection since.
            if session.state != State::Idle || session.queue.is_empty() {
                continue;
            }
            self.queued -= 1;
            match session.send_next(&self.types) {
                Ok(()) => self.receive(number)?,
                Err(error) => self.lose(number, &error)?,
            }
        }
        Ok(())
    }

    /// Takes the answers of a session.
    fn receive(&mut self, number: u32) -> Result<()> {
        loop {
            let Some(session) = self.sessions.get_mut(&number) else { return Ok(()) };
            if session.connection.is_none() {
                return Ok(());
            }
            let was_busy = session.state == State::Busy;
            let executed = match session.receive(&mut self.types) {
                Ok(Some(executed)) => executed,
                Ok(None) => {
                    if was_busy && session.state == State::Idle {
                        self.go_on(number);
                    }
                    return Ok(());
                }
                Err(error) => return self.lose(number, &error),
            };
            let due = self.due_time(&executed.step);
            self.results.add(&executed, executed.sent.saturating_duration_since(due));
            let Some(session) = self.sessions.get_mut(&number) else { return Ok(()) };
            let rolled_back = match self.settings.on_error {
                OnError::Rollback if executed.transaction_failed => session.roll_back(),
                OnError::EndSession if executed.failed.is_some() => {
                    session.ended_by_error = true;
                    self.close(number);
                    self.give_up(number);
                    return Ok(());
                }
                _ => {
                    self.go_on(number);
                    return Ok(());
                }
            };
            if let Err(error) = rolled_back {
                return self.lose(number, &error);
            }
        }
    }

    /// An idle session waits for its next statement, or has ended.
    fn go_on(&mut self, number: u32) {
        let Some(session) = self.sessions.get(&number) else { return };
        if !session.queue.is_empty() {
            self.schedule(number);
        } else if session.has_all {
            self.close(number);
            self.sessions.remove(&number);
        }
    }

    fn schedule(&mut self, number: u32) {
        if let Some(step) = self.sessions.get(&number).and_then(|session| session.queue.front()) {
            let (due, sequence) = (self.due_time(step), step.sequence);
            self.due.push(Reverse((due, sequence, number)));
        }
    }
}
