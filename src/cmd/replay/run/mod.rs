//! Runs a plan in one loop over all connections. A statement is sent when it is due; it waits only for the previous
//! statement of its session.

mod connections;
mod intake;
mod opener;
mod results;
mod session;
mod stop;
#[cfg(target_os = "linux")]
mod timer;
mod transactions;
mod types;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use mio::{Events, Poll, Token, Waker};
use pgq_postgres::Settings;

use self::opener::Opener;
pub use self::results::Results;
use self::session::{Queue, Session, State};
use self::stop::{LOOK, watch_signals};
#[cfg(target_os = "linux")]
use self::timer::Timer;
use self::types::GuessedTypes;
use super::args::RunArgs;
use super::plan::Plan;
use super::step::Step;
use super::target::TargetCheck;
use crate::run::report::progress::Ticker;

/// A statement is taken from the plan this long before it is due, so that there is time to open a connection for its
/// session.
const AHEAD: Duration = Duration::from_secs(5);
/// Maximum time to open connections before the clock of the run starts. If no connection is open after this time, the
/// clock starts later.
const MAX_PREPARE: Duration = Duration::from_secs(5);
/// A wait that is shorter than this uses a high-resolution timer.
const EXACT: Duration = Duration::from_millis(20);
/// Token of the waker and the timer. The token of a session is the number of the session.
const WAKER: Token = Token(usize::MAX);

/// Runs a plan to its end. Problems with the server are recorded in the results.
///
/// # Errors
/// The plan cannot be read, or system resources are exhausted.
pub fn run(plan: Plan, server: Settings, check: TargetCheck, args: RunArgs, ticker: Ticker) -> Result<Results> {
    let mut runner = Runner::new(plan, server, check, args)?;
    runner.prepare()?;
    runner.run(ticker)?;
    runner.results.tables_with_hidden_rows = runner.opener.check.tables_with_hidden_rows.load(Ordering::Relaxed);
    Ok(runner.results)
}

struct Runner {
    plan: Plan,
    /// The next step of the plan.
    next: Option<Step>,
    server: Settings,
    args: RunArgs,
    poll: Poll,
    #[cfg(target_os = "linux")]
    timer: Timer,
    opener: Opener,
    /// Sessions with a connection, and sessions that were given up.
    sessions: HashMap<u32, Session>,
    /// Statements of the sessions that wait for a free connection.
    waiting: HashMap<u32, Queue>,
    /// The waiting sessions in the order of their first statements.
    order: VecDeque<u32>,
    /// Next statement of each idle session: its start in the log, its sequence number, and the number of the session.
    due: BinaryHeap<Reverse<(i64, u64, u32)>>,
    /// Number of connections that are open or being opened.
    connections: usize,
    /// Number of open connections.
    open: usize,
    /// Number of open connections that have sent a statement.
    used: usize,
    /// Whether no server could be reached, or no session can continue.
    is_stuck: bool,
    /// Whether the clock of the run has started. It starts when the first connections are open.
    has_begun: bool,
    signal: Arc<AtomicI32>,
    /// Time of the last check for slow statements.
    last_look: Instant,
    /// Memory of the queued statements and of the waiting sessions, in bytes.
    queued: usize,
    last_answer: Instant,
    schedule: Schedule,
    types: GuessedTypes,
    results: Results,
}

impl Runner {
    fn new(mut plan: Plan, server: Settings, check: TargetCheck, args: RunArgs) -> Result<Self> {
        let poll = Poll::new()?;
        let waker = Arc::new(Waker::new(poll.registry(), WAKER)?);
        let next = plan.steps.next().transpose()?;
        let skipped = std::mem::take(&mut plan.head.without_step);
        // Not before the first step, because the head of a damaged plan may have a wrong time.
        let first = plan.head.first.max(next.as_ref().map(|step| step.start)).unwrap_or(0);
        Ok(Self {
            schedule: Schedule { begun: Instant::now(), first, speed: args.speed },
            plan,
            next,
            opener: Opener::new(Arc::clone(&waker), check).context("no thread can be created")?,
            server,
            args,
            #[cfg(target_os = "linux")]
            timer: Timer::new(poll.registry(), WAKER)?,
            poll,
            sessions: HashMap::new(),
            waiting: HashMap::new(),
            order: VecDeque::new(),
            due: BinaryHeap::new(),
            connections: 0,
            open: 0,
            used: 0,
            is_stuck: false,
            has_begun: false,
            signal: watch_signals(waker),
            last_look: Instant::now(),
            queued: 0,
            last_answer: Instant::now(),
            types: GuessedTypes::default(),
            results: Results { skipped, ..Results::default() },
        })
    }

    /// Opens the connections of the first statements before the clock starts. Waits at most [`MAX_PREPARE`] for all of
    /// them. After this time, the clock starts when at least one connection is open: a pooler may have no connection
    /// for the other sessions until the connected sessions have ended.
    fn prepare(&mut self) -> Result<()> {
        while self.take_steps()? {}
        let mut events = Events::with_capacity(1024);
        let since = Instant::now();
        while !self.ends_early()
            && (self.open == 0 || since.elapsed() < MAX_PREPARE)
            && self.sessions.values().any(|session| session.state == State::Opening)
        {
            self.poll_events(&mut events, Duration::from_millis(100))?;
            self.take_opened()?;
        }
        (self.schedule.begun, self.last_answer) = (Instant::now(), Instant::now());
        self.has_begun = true;
        Ok(())
    }

    fn run(&mut self, mut ticker: Ticker) -> Result<()> {
        let mut events = Events::with_capacity(1024);
        loop {
            let has_more = self.take_steps()?;
            self.take_opened()?;
            self.send_due();
            self.open_waiting();
            if self.ends_early() || (self.next.is_none() && self.sessions.is_empty() && self.waiting.is_empty()) {
                self.results.time = self.schedule.begun.elapsed();
                self.results.guessed_types = self.types.len();
                self.stop_now();
                return Ok(());
            }
            let due = self.next_due().map(|due| due.saturating_duration_since(Instant::now()));
            // Maximum wait for events, because the loop must also take steps from the plan and cancel slow statements.
            let look = if self.args.statement_timeout.is_some() { LOOK } else { Duration::from_millis(500) };
            let timeout = if has_more { Duration::ZERO } else { due.map_or(look, |due| due.min(look)) };
            #[cfg(target_os = "linux")]
            if timeout < EXACT {
                self.timer.set(timeout)?;
            }
            self.poll_events(&mut events, if timeout < EXACT { timeout } else { timeout - EXACT / 2 })?;
            for event in &events {
                if event.token() != WAKER {
                    self.receive(event.token().0 as u32);
                }
            }
            self.end_slow_statements();
            let behind = self.next_due().map_or(Duration::ZERO, |due| due.elapsed());
            ticker.tick(|| format!("{} done, behind by {:.1} s", self.results.executed, behind.as_secs_f64()));
        }
    }

    fn poll_events(&mut self, events: &mut Events, timeout: Duration) -> Result<()> {
        match self.poll.poll(events, Some(timeout)) {
            Err(error) if error.kind() != std::io::ErrorKind::Interrupted => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Returns when the next statement of an idle session is due.
    fn next_due(&self) -> Option<Instant> {
        self.due.peek().map(|Reverse((start, ..))| self.schedule.due_time(*start))
    }

    /// Sends the statements that are due.
    fn send_due(&mut self) {
        let now = Instant::now();
        while self.next_due().is_some_and(|due| due <= now) {
            let Some(Reverse((_, sequence, number))) = self.due.pop() else { break };
            // Skips an entry of `due` that is out of date: the statement was scheduled twice and is already sent, or
            // its session has lost its connection.
            let is_next = |step: &Step| step.sequence == sequence;
            let is_ready = |session: &&mut Session| {
                session.state == State::Idle && session.queue.steps.front().is_some_and(is_next)
            };
            let Some(session) = self.sessions.get_mut(&number).filter(is_ready) else { continue };
            self.queued -= session.queue.steps.front().map_or(0, Step::bytes);
            self.used += usize::from(!std::mem::replace(&mut session.uses_connection, true));
            match session.send_next(&mut self.types, &mut self.results) {
                Ok(()) => self.go_on(number),
                Err(error) => self.lose(number, &error),
            }
        }
    }

    /// Processes the answers of a session.
    fn receive(&mut self, number: u32) {
        let Some(session) = self.sessions.get_mut(&number) else { return };
        let executed = match session.receive(&mut self.types) {
            Ok(executed) => executed,
            Err(error) => return self.lose(number, &error),
        };
        let now = Instant::now();
        // First send the statements that are due, then record the results of the ended statement. Otherwise, the
        // server would be idle in the meantime.
        self.go_on(number);
        self.send_due();
        if let Some(executed) = executed {
            self.last_answer = now;
            let lag = executed.sent.saturating_duration_since(self.schedule.due_time(executed.step.start));
            self.results.add(&executed, lag, now);
        }
    }

    /// Schedules the next statement of an idle session. Closes the session if it has no more statements.
    fn go_on(&mut self, number: u32) {
        if self.sessions.get(&number).is_some_and(|session| session.needs_event)
            && let Err(error) = self.request_event(number)
        {
            return self.lose(number, &error.into());
        }
        let idle = |session: &&Session| session.state == State::Idle;
        let Some(session) = self.sessions.get(&number).filter(idle) else { return };
        if let Some(step) = session.queue.steps.front() {
            self.due.push(Reverse((step.start, step.sequence, number)));
        } else if session.queue.has_all {
            self.close(number);
            self.sessions.remove(&number);
        }
    }
}

/// Maps times of the log to times of the run.
struct Schedule {
    /// Start of the first statement in the run.
    begun: Instant,
    /// Start of the first selected statement in the log. Earlier statements are due at once.
    first: i64,
    /// Multiple of the log's speed. Infinite with `--speed max`.
    speed: f64,
}

impl Schedule {
    /// Returns when a statement is due. `start` is its start in the log.
    fn due_time(&self, start: i64) -> Instant {
        let micros = start.saturating_sub(self.first).max(0) as f64 / self.speed;
        self.begun + Duration::try_from_secs_f64(micros / 1e6).unwrap_or(Duration::from_secs(u64::from(u32::MAX)))
    }
}
