//! Results of a run: times before and after, errors, and statements that were not executed.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use pgq_digest::{Digest, Execution, GroupKey, Limit, LogMessage};

use super::session::{Executed, Session};
use crate::cmd::replay::step::{Skip, Step};

/// Maximum number of queries in the digests.
const MAX_QUERIES: usize = 20_000;

/// Upper bound of recorded lags: ten days in microseconds.
const MAX_LAG: u64 = 10 * 24 * 3600 * 1_000_000;

/// An error compared with the error in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorChange {
    /// The log has the same error.
    Same,
    /// The log has a different error.
    Other,
    /// The statement did not fail in the log.
    New,
    /// The statement failed in the log, but not in the replay.
    Gone,
}

/// Results and counts of a run.
pub struct Results {
    /// The executed statements with the figures of the log.
    pub before: Digest,
    /// The executed statements with the figures of the replay.
    pub after: Digest,
    /// Delay before statements were sent, in microseconds.
    pub lag: Histogram<u64>,
    pub executed: u64,
    /// Counts by change and SQLSTATE. For [`ErrorChange::Gone`], the SQLSTATE is that of the log's error.
    pub errors: BTreeMap<(ErrorChange, String), u64>,
    pub skipped: BTreeMap<Skip, u64>,
    /// Statements that may write and were not sent, and statements that the server refused because they write.
    pub writes: u64,
    /// Statements such as COMMIT that pgq replaces by its own.
    pub replaced: u64,
    /// Statements in progress when their connection was lost.
    pub lost: u64,
    /// Unsent statements of sessions that were given up.
    pub given_up: u64,
    /// Unsent statements of sessions that ended after an error, with `--on-error end-session`.
    pub behind_error: u64,
    /// Reasons for failed or lost connections, with counts.
    pub connection_errors: BTreeMap<String, u64>,
    pub reopened: u64,
    /// Sessions that waited for a connection because of `--connections`.
    pub waited: u64,
    /// The signal that ended the run.
    pub stopped: Option<i32>,
    /// Whether the plan has more steps.
    pub has_unread: bool,
    pub sessions: u64,
    pub most_connections: usize,
    /// Number of statements whose parameter types were guessed from values.
    pub guessed: usize,
    /// Time from the first statement to the end of the last one.
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

    /// Adds a statement that ended at `ended`. `lag` is its delay before sending.
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

    /// Counts statements that a session does not execute.
    pub fn not_executed(&mut self, session: &Session, count: u64) {
        *(if session.ended_by_error { &mut self.behind_error } else { &mut self.given_up }) += count;
    }

    /// Counts a connection that could not be opened or was lost.
    pub fn connection_error(&mut self, error: &str) {
        *self.connection_errors.entry(error.to_string()).or_default() += 1;
    }

    /// Whether all statements were executed.
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
