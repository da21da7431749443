//! Results of a run: times in the log and in the replay, errors, and statements that were not executed.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use pgq_digest::{Digest, Durations, GroupKey, Limit, LogMessage};
use pgq_postgres::ServerError;
use serde::Serialize;

use super::types::may_lack_types;
use crate::cmd::digest::masked_secret_message;
use crate::cmd::replay::command::Command;
use crate::cmd::replay::step::{Skip, Step};

/// A statement that is in progress or was executed.
pub struct Execution {
    pub step: Step,
    pub command: Command,
    pub sent: Instant,
    pub failed: Option<Box<ServerError>>,
    /// Whether the statement requested COPY data, which the log does not contain.
    pub is_copy: bool,
    /// Whether the statement was sent again with guessed parameter types.
    pub again: bool,
    /// Whether the statement's cancellation was requested.
    pub cancelled: bool,
}

/// Counts of errors by SQLSTATE, compared with the log.
#[derive(Default, Serialize)]
pub struct Errors {
    /// Statements that failed in the log and in the replay, with the same SQLSTATE or with an unknown SQLSTATE in the
    /// log.
    pub same: BTreeMap<String, u64>,
    /// Statements that failed in the log and in the replay, with different SQLSTATEs. The key is the SQLSTATE in the
    /// replay.
    pub other: BTreeMap<String, u64>,
    /// Statements that failed in the replay but not in the log.
    pub new: BTreeMap<String, u64>,
    /// Statements that failed in the log but not in the replay. The key is the SQLSTATE in the log.
    pub gone: BTreeMap<String, u64>,
}

/// Times of a run.
pub struct Times {
    /// The executed statements, with the figures of the log.
    pub before: Digest,
    /// The executed statements, with the figures of the replay.
    pub after: Digest,
    /// Time between the moment when a statement was due and the moment when it was sent.
    pub lag: Durations,
}

impl Default for Times {
    fn default() -> Self {
        // 128 MB each.
        let digest = || Digest::new(Limit::Bytes(128 << 20));
        Self { before: digest(), after: digest(), lag: Durations::default() }
    }
}

/// Results and counts of a run. The serialized fields are part of the JSON report.
#[derive(Default, Serialize)]
pub struct Results {
    #[serde(skip)]
    pub times: Times,
    pub executed: u64,
    /// Executed statements with a COPY FROM STDIN that received no rows. They are not compared.
    pub copies_without_rows: u64,
    pub errors: Errors,
    /// Statements of [`Errors::new`] that may have failed because the log does not contain the types of parameters.
    pub errors_without_types: u64,
    /// Executed statements that `--statement-timeout` ended. Their times are unknown.
    pub timed_out: u64,
    #[serde(skip)]
    pub skipped: BTreeMap<Skip, u64>,
    /// Number of statements of the log, such as COMMIT, that pgq replaces by other statements.
    pub replaced: u64,
    /// Statements in progress when their connection was lost.
    pub lost: u64,
    /// Number of statements that were not sent, because pgq gave up their sessions.
    pub given_up: u64,
    /// Reasons for failed or lost connections, with counts.
    pub connection_errors: BTreeMap<String, u64>,
    /// Sessions that waited for a connection because of `--connections`.
    pub waited_for_connection: u64,
    /// The signal that ended the run.
    pub stopped_by_signal: Option<i32>,
    /// Whether the run ended before all statements were taken from the plan. The remaining statements are not in any
    /// count.
    pub ended_early: bool,
    pub sessions: u64,
    pub most_connections: usize,
    /// Number of statements whose parameter types were guessed from values.
    pub guessed_types: usize,
    /// Number of tables in which row-level security may hide rows from the role. If the run uses several databases,
    /// this is the maximum over the databases.
    pub tables_with_hidden_rows: u64,
    /// Time from the first statement to the end of the last one.
    #[serde(skip)]
    pub time: Duration,
}

impl Results {
    /// Adds a statement that ended at `ended`. `lag` is the delay before the statement was sent.
    pub fn add(&mut self, executed: &Execution, lag: Duration, ended: Instant) {
        let Execution { step, failed, .. } = executed;
        if step.skip.is_some() {
            return self.leave_out(step);
        }
        self.executed += u64::from(!step.is_context);
        // 22P04 (bad_copy_file_format) is the error of a COPY whose header or signature is missing.
        if executed.is_copy && (step.error.is_some() || failed.as_ref().is_none_or(|error| error.code == "22P04")) {
            return self.copies_without_rows += 1;
        }
        let code = failed.as_ref().map(|error| &error.code);
        let counts = match (&step.error, code) {
            (Some(before), Some(now)) if before == now || before.is_empty() => &mut self.errors.same,
            (Some(_), Some(_)) => &mut self.errors.other,
            (None, _) => &mut self.errors.new,
            (Some(_), None) => &mut self.errors.gone,
        };
        // If a statement failed in the log and the filters reject it, pgq does not send it. Therefore, without
        // `--writes`, later statements of its block may succeed although they failed in the log. If the filters reject
        // these later statements too, they are not counted.
        let code_in_log = step.error.as_ref().filter(|_| !step.is_context);
        code.or(code_in_log).into_iter().for_each(|code| *counts.entry(code.clone()).or_default() += 1);
        let lacks_types = code.is_some_and(|code| may_lack_types(code)) && !step.params.is_empty();
        self.errors_without_types += u64::from(lacks_types && step.error.is_none());
        if step.is_context {
            return;
        }
        let service = ended.saturating_duration_since(executed.sent).as_micros() as u64;
        self.timed_out += u64::from(executed.cancelled && failed.is_some());
        self.times.lag.record(lag.as_micros() as u64);
        let key = step.fingerprint.map_or(GroupKey::Unparsed("not parsed by pgq"), GroupKey::Query);
        let sql = step.prepared.as_ref().unwrap_or(&step.sql).as_bytes();
        let add = |digest: &mut Digest, duration, error: Option<&[u8]>| {
            let error = error.map(|message| LogMessage { message, ..LogMessage::default() });
            let execution = pgq_digest::Execution {
                sql,
                duration,
                user: step.user.as_bytes(),
                database: step.database.as_bytes(),
                application: step.application.as_bytes(),
                error: error.as_ref(),
                ..pgq_digest::Execution::default()
            };
            digest.add(&key, &execution);
        };
        let before = step.error.as_deref().map(|code| if code.is_empty() { "failed" } else { code }.as_bytes());
        add(&mut self.times.before, step.duration, before);
        let now = failed.as_ref().map(|error| masked_secret_message(sql, error.message.as_bytes(), false));
        add(&mut self.times.after, failed.is_none().then_some(service), now.as_deref());
    }

    /// Returns a quantile of the lags, in milliseconds.
    pub fn lag(&self, quantile: f64) -> f64 {
        self.times.lag.quantile(quantile) as f64 / 1000.0
    }

    /// Counts a statement that is not executed, because it is skipped or because its session was given up.
    pub fn leave_out(&mut self, step: &Step) {
        match step.skip {
            Some(Skip::Rejected) => {}
            Some(skip) => *self.skipped.entry(skip).or_default() += 1,
            None => self.given_up += u64::from(!step.is_context),
        }
    }

    /// Counts the statement in progress of a lost connection.
    pub fn lose(&mut self, step: &Step, was_sent: bool) {
        if was_sent { self.lost += 1 } else { self.leave_out(step) }
    }
}
