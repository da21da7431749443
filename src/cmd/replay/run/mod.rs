//! Runs a plan in one loop over all connections. A statement is sent when it is due; it waits only for the previous
//! statement of its session.

mod connections;
mod intake;
mod opener;
mod options;
mod results;
mod schedule;
mod session;
mod stop;
mod timer;
mod transactions;
mod types;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use mio::{Events, Poll, Token, Waker};

use self::opener::Opener;
pub use self::options::{RunArgs, RunSettings};
pub use self::results::Results;
use self::schedule::Schedule;
use self::session::{Sent, Session, State};
use self::stop::StopRequest;
use self::timer::Timer;
use self::types::GuessedTypes;
use super::plan::Plan;
use super::step::{Skip, Step};
use crate::run::report::progress::Ticker;

/// A statement is taken from the plan this long before it is due. If its session needs a connection, the connection is
/// opened at this time.
const AHEAD: Duration = Duration::from_secs(5);
/// The exact timer is used for waits shorter than this.
const EXACT: Duration = Duration::from_millis(20);
/// Token of the waker. The token of a session is the number of the session.
const WAKER: Token = Token(usize::MAX);
const TIMER: Token = Token(usize::MAX - 1);

/// Runs a plan to its end. Problems with the server are recorded in the results.
///
/// # Errors
/// The plan cannot be read, or system resources are exhausted.
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
    /// Sessions that wait for a free connection.
    waiting: VecDeque<u32>,
    /// Due times of the next statements of idle sessions.
    due: BinaryHeap<Reverse<(Instant, u64, u32)>>,
    /// Number of connections that are open or being opened.
    connections: usize,
    /// Number of open connections.
    open: usize,
    /// Whether no server could be reached.
    unreachable: bool,
    /// Whether the first connections are open and statements are sent.
    has_begun: bool,
    stop: StopRequest,
    queued: usize,
    last_answer: Instant,
    schedule: Schedule,
    types: GuessedTypes,
    results: Results,
}

impl Runner {
    fn new(mut plan: Plan, settings: RunSettings) -> Result<Self> {
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let next = plan.steps.next().transpose()?;
        let skipped = std::mem::take(&mut plan.head.without_step);
        Ok(Self {
            schedule: Schedule {
                begun: Instant::now(),
                first: next.as_ref().map_or(0, |step| step.start),
                speed: settings.args.speed,
            },
            plan,
            next,
            opener: Opener::new(&waker, settings.check.clone()),
            settings,
            timer: Timer::new(poll.registry(), TIMER)?,
            poll,
            sessions: HashMap::new(),
            waiting: VecDeque::new(),
            due: BinaryHeap::new(),
            connections: 0,
            open: 0,
            unreachable: false,
            has_begun: false,
            stop: StopRequest::new(waker),
            queued: 0,
            last_answer: Instant::now(),
            types: GuessedTypes::default(),
            results: Results { skipped, ..Results::default() },
        })
    }

    /// Opens the connections of the first statements before the clock starts.
    fn prepare(&mut self) -> Result<()> {
        self.take_steps()?;
        let mut events = Events::with_capacity(1024);
        while !self.ends_early() && self.sessions.values().any(|session| session.state == State::Opening) {
            self.poll_events(&mut events, Some(Duration::from_millis(100)))?;
            self.take_opened()?;
        }
        self.schedule.begun = Instant::now();
        self.has_begun = true;
        // Recomputes due times, because the clock starts now.
        self.due.clear();
        let idle = self.sessions.iter().filter(|(_, session)| session.state == State::Idle);
        let idle: Vec<u32> = idle.map(|(number, _)| *number).collect();
        idle.into_iter().for_each(|number| self.wait_until_due(number));
        Ok(())
    }

    fn run(&mut self, mut ticker: Ticker) -> Result<()> {
        let mut events = Events::with_capacity(1024);
        loop {
            self.take_steps()?;
            self.take_opened()?;
            self.send_due()?;
            if self.ends_early() || (self.next.is_none() && self.sessions.is_empty()) {
                self.results.time = self.schedule.begun.elapsed();
                self.results.guessed_types = self.types.len();
                self.stop_now();
                return Ok(());
            }
            let now = Instant::now();
            let due = self.due.peek().map(|Reverse((due, ..))| due.saturating_duration_since(now));
            let ahead = self.next.as_ref().filter(|_| self.queued < self.max_queued());
            let ahead = ahead.map(|step| self.schedule.due_time(step).saturating_duration_since(now + AHEAD));
            let timeout = due.into_iter().chain(ahead).min().unwrap_or(AHEAD).min(Duration::from_millis(500));
            if timeout < EXACT {
                self.timer.set(timeout)?;
                self.poll_events(&mut events, Some(timeout))?;
            } else {
                self.poll_events(&mut events, Some(timeout - EXACT / 2))?;
            }
            for event in &events {
                if event.token() != WAKER && event.token() != TIMER {
                    let number = event.token().0 as u32;
                    self.receive(number)?;
                    self.watch(number)?;
                }
            }
            self.end_slow_statements()?;
            let behind = self.due.peek().map_or(Duration::ZERO, |Reverse((due, ..))| due.elapsed());
            ticker.tick(|| {
                let errors: u64 = self.results.errors.new.values().chain(self.results.errors.other.values()).sum();
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

    /// Sends the statements that are due.
    fn send_due(&mut self) -> Result<()> {
        let now = Instant::now();
        while let Some(Reverse((due, ..))) = self.due.peek()
            && *due <= now
        {
            let Some(Reverse((_, _, number))) = self.due.pop() else { break };
            let Some(session) = self.sessions.get_mut(&number) else { continue };
            // The session was idle when it was scheduled, but it may have lost its connection since then.
            if session.state != State::Idle || session.queue.is_empty() {
                continue;
            }
            self.send(number)?;
        }
        Ok(())
    }

    /// Sends the next statement of an idle session.
    fn send(&mut self, number: u32) -> Result<()> {
        let Some(session) = self.sessions.get_mut(&number) else { return Ok(()) };
        self.queued -= 1;
        match session.send_next(&self.types) {
            Ok(sent) => {
                match sent {
                    Sent::Statement => {}
                    Sent::Replaced => self.results.replaced += 1,
                    Sent::NotPrepared => self.results.skip(Skip::NotPrepared),
                }
                self.watch(number)?;
                self.go_on(number);
                Ok(())
            }
            Err(error) => self.lose(number, &error),
        }
    }

    /// Processes the answers of a session.
    fn receive(&mut self, number: u32) -> Result<()> {
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
        let now = Instant::now();
        self.last_answer = now;
        let schedule = self.schedule;
        let lag = executed.sent.saturating_duration_since(schedule.due_time(&executed.step));
        let Some(session) = self.sessions.get_mut(&number) else { return Ok(()) };
        // Sends the next statement before counting this one, so that the server is not idle meanwhile.
        let is_due = session.queue.front().is_some_and(|step| schedule.due_time(step) <= now);
        if is_due && session.state == State::Idle {
            self.send(number)?;
        } else {
            self.go_on(number);
        }
        self.results.add(&executed, lag, now);
        Ok(())
    }

    /// Schedules the next statement of an idle session. Closes the session if it has no more statements.
    fn go_on(&mut self, number: u32) {
        let idle = |session: &&Session| session.state == State::Idle;
        let Some(session) = self.sessions.get(&number).filter(idle) else { return };
        if !session.queue.is_empty() {
            self.wait_until_due(number);
        } else if session.has_all {
            self.close(number);
            self.sessions.remove(&number);
        }
    }

    fn wait_until_due(&mut self, number: u32) {
        if let Some(step) = self.sessions.get(&number).and_then(|session| session.queue.front()) {
            let (due, sequence) = (self.schedule.due_time(step), step.sequence);
            self.due.push(Reverse((due, sequence, number)));
        }
    }
}
