//! What a run has found out: times before and after, errors, and what was not executed.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use pgq_digest::{Digest, Execution, GroupKey, Limit, LogMessage};

use super::session::{Executed, Session};
use crate::cmd::replay::step::{Skip, Step};

/// Most queries that are told apart.
const MAX_QUERIES: usize = 20_000;

/// The longest lag that is told apart: ten days, in microseconds.
const MAX_LAG: u64 = 10 * 24 * 3600 * 1_000_000;

/// How an error compares with the log's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorChange {
    /// The log has it, too.
    Same,
    /// The log has another one.
    Other,
    /// The statement did not fail before.
    New,
    /// It fails no more.
    Gone,
}

/// What is counted.
pub struct Results {
    /// The executed statements, as in the log.
    pub before: Digest,
    /// The same ones, as they ran now.
    pub after: Digest,
    /// How late statements were sent, in microseconds.
    pub lag: Histogram<u64>,
    pub executed: u64,
    /// By change and SQLSTATE; of an error that is gone, the log's.
    pub errors: BTreeMap<(ErrorChange, String), u64>,
    pub skipped: BTreeMap<Skip, u64>,
    /// Statements that were not sent because they write, or may, or that the server refused because they do.
    pub writes: u64,
    /// Statements of transactions and the like, which pgq replaces by its own.
    pub replaced: u64,
    /// Statements that were under way when their connection was lost.
    pub lost: u64,
    /// Statements of sessions that were given up.
    pub given_up: u64,
    /// Statements behind one that failed, with --on-error end-session.
    pub behind_error: u64,
    /// Why connections could not be had, or were lost, and how often.
    pub connection_errors: BTreeMap<String, u64>,
    pub reopened: u64,
    /// Sessions that waited for a connection, because of --connections.
    pub waited: u64,
    /// The signal that ended the run.
    pub stopped: Option<i32>,
    /// There is more in the plan.
    pub has_unread: bool,
    pub sessions: u64,
    pub most_connections: usize,
    /// Statements whose parameters got types from their values.
    pub guessed: usize,
    /// From the first statement to the end of the last.
    pub time: Duration,
}

impl Results {
    pub fn new() -> Self {
        Self {
            before: Digest::new(Limit::Groups(MAX_QUERIES)),
            after: Digest::new(Limit::Groups(MAX_QUERIES)),
            lag: Histogram::new_with_bounds(1, MAX_LAG, 3).expect("the bounds are sound"),
            executed: 0,
            errors: BTreeMap::new(),
            skipped: BTreeMap::new(),
            writes: 0,
            replaced: 0,
            lost: 0,
            given_up: 0,
            behind_error: 0,
            connection_errors: BTreeMap::new(),
            waited: 0,
            stopped: None,
            has_unread: false,
            reopened: 0,
            sessions: 0,
            most_connections: 0,
            guessed: 0,
            time: Duration::ZERO,
        }
    }

    /// A statement was executed, until `ended`. `lag` is how late it was sent.
    pub fn add(&mut self, executed: &Executed, lag: Duration, ended: Instant) {
        if let Some(skip) = executed.skip {
            *self.skipped.entry(skip).or_default() += 1;
            return;
        }
        if executed.is_write {
            self.writes += 1;
            return;
        }
        let service = ended.saturating_duration_since(executed.sent);
        self.executed += 1;
        self.lag.saturating_record(micros(lag));
        let Executed { step, failed, .. } = executed;
        let code = failed.as_ref().map(|error| error.code.clone());
        let change = match (&step.error, &code) {
            (None, None) => None,
            (Some(before), Some(now)) if before == now || before.is_empty() => Some((ErrorChange::Same, now.clone())),
            (Some(_), Some(now)) => Some((ErrorChange::Other, now.clone())),
            (None, Some(now)) => Some((ErrorChange::New, now.clone())),
            (Some(before), None) => Some((ErrorChange::Gone, before.clone())),
        };
        if let Some(change) = change {
            *self.errors.entry(change).or_default() += 1;
        }
        let key = step.fingerprint.map_or(GroupKey::Unparsed("not parsed by pgq"), GroupKey::Query);
        let error_before = step.error.as_ref().map(|code| if code.is_empty() { "failed" } else { code }.as_bytes());
        let before = execution(step, step.duration, error_before);
        self.before.add(&key, &before);
        let message = failed.as_ref().map(|error| error.message.as_bytes());
        let duration = failed.is_none().then(|| micros(service));
        self.after.add(&key, &execution(step, duration, message));
    }

    /// Statements of a session that executes no more.
    pub fn not_executed(&mut self, session: &Session, count: u64) {
        *(if session.ended_by_error { &mut self.behind_error } else { &mut self.given_up }) += count;
    }

    /// A connection could not be had, or was lost.
    pub fn connection_error(&mut self, error: &str) {
        *self.connection_errors.entry(error.to_string()).or_default() += 1;
    }

    /// Whether all that was to be executed was.
    pub fn is_complete(&self) -> bool {
        self.lost == 0 && self.given_up == 0 && self.stopped.is_none()
    }

    pub fn errors_of(&self, change: ErrorChange) -> u64 {
        self.errors.iter().filter(|((found, _), _)| *found == change).map(|(_, count)| count).sum()
    }
}

fn execution<'a>(step: &'a Step, duration: Option<u64>, error: Option<&'a [u8]>) -> Execution<'a> {
    Execution {
        sql: step.sql.as_bytes(),
        duration,
        user: step.user.as_bytes(),
        database: step.database.as_bytes(),
        application: step.application.as_bytes(),
        error: error.map(|message| LogMessage { message, ..LogMessage::default() }),
        ..Execution::default()
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
