//! Durations of parse and bind messages, which are added to the next execution of the same SQL. In a pipeline, a client
//! may prepare or execute other statements before this execution.

use std::hash::BuildHasher;

use foldhash::HashMap;

use super::Assembler;
use super::evidence::is_simple;
use crate::assembly::records::Records;
use crate::assembly::stats::LogStats;
use crate::message::field::Field;
use crate::time::clock::{duration_digits, duration_micros};

/// Maximum number of prepared statements that wait for their execution, in all sessions.
const MAX_PREPARED: usize = 1 << 18;

/// Minimum duration of a reported preparation (parse or bind), in microseconds. Only preparations without an execution
/// are reported.
const SLOW: u64 = 10_000;

/// The preparations of all sessions.
#[derive(Default)]
pub struct Preparations {
    sessions: HashMap<u64, Session>,
    /// Number of prepared statements in all sessions.
    count: usize,
}

#[derive(Default)]
struct Session {
    /// Microseconds of parse and bind so far, by the hash of the SQL.
    waiting: HashMap<u64, u64>,
    /// Microseconds of parse and bind of the execution that has begun. The duration of this execution follows on a
    /// separate line.
    executing: u64,
}

impl Preparations {
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    fn hash(&self, sql: &[u8]) -> u64 {
        self.sessions.hasher().hash_one(sql)
    }

    fn add(&mut self, session: u64, hash: u64, micros: u64, stats: &mut LogStats) {
        if self.count >= MAX_PREPARED {
            self.end_all(stats);
        }
        let waiting = &mut self.sessions.entry(session).or_default().waiting;
        let before = waiting.len();
        let sum = waiting.entry(hash).or_default();
        *sum = sum.saturating_add(micros);
        self.count += waiting.len() - before;
    }

    /// Removes the preparation (parse and bind) of the SQL with this hash. Returns its duration in microseconds, or 0
    /// if there is no such preparation.
    fn take(&mut self, session: u64, hash: u64) -> u64 {
        let Some(session) = self.sessions.get_mut(&session) else { return 0 };
        let Some(micros) = session.waiting.remove(&hash) else { return 0 };
        self.count -= 1;
        micros
    }

    /// Removes and returns the microseconds of parse and bind of the running execution.
    pub fn take_executing(&mut self, session: u64) -> u64 {
        self.sessions.get_mut(&session).map_or(0, |session| std::mem::take(&mut session.executing))
    }

    /// Forgets a session. Counts the session's slow preparations without a later execution.
    pub fn end(&mut self, session: u64, stats: &mut LogStats) {
        let Some(ended) = self.sessions.remove(&session) else { return };
        self.count -= ended.waiting.len();
        ended.waiting.into_values().for_each(|micros| count_unused(micros, stats));
    }

    /// Forgets all sessions.
    pub fn end_all(&mut self, stats: &mut LogStats) {
        let sessions: Vec<u64> = self.sessions.keys().copied().collect();
        sessions.into_iter().for_each(|session| self.end(session, stats));
    }
}

fn count_unused(micros: u64, stats: &mut LogStats) {
    if micros >= SLOW {
        stats.slow_preparation_micros += micros;
    }
}

impl Assembler {
    /// Stores the duration of a parse or a bind for the next execution of the same SQL.
    pub(super) fn preparation(&mut self, index: usize, out: &mut Records) {
        let session = out.batch.messages[index].session;
        let entry = out.batch.entry(index);
        let Some(micros) = duration_micros(entry.get(Field::Duration)).filter(|_| session != 0) else { return };
        let hash = self.preparations.hash(entry.sql());
        self.preparations.add(session, hash, micros, &mut out.batch.stats);
    }

    /// Adds the stored durations of parse and bind to the duration of the execution in message `index`. If that
    /// duration follows on a separate line, keeps the durations of parse and bind until then.
    pub(super) fn add_preparation(&mut self, index: usize, out: &mut Records) {
        let session = out.batch.messages[index].session;
        let entry = out.batch.entry(index);
        // In the simple protocol, the logged duration of a statement already includes parse and bind.
        let micros =
            if is_simple(entry) { 0 } else { self.preparations.take(session, self.preparations.hash(entry.sql())) };
        let is_complete = !entry.get(Field::Duration).is_empty();
        if let Some(session) = self.preparations.sessions.get_mut(&session) {
            session.executing = if is_complete { 0 } else { micros };
        }
        if is_complete {
            add_micros(index, micros, out);
        }
    }

    /// Drops the stored durations of parse and bind of the failed statement in message `index`. Counts them as unused.
    pub(super) fn drop_preparation(&mut self, index: usize, out: &mut Records) {
        let failed = out.batch.entry(index);
        let micros = self.preparations.take(failed.session(), self.preparations.hash(failed.sql()));
        count_unused(micros, &mut out.batch.stats);
    }

    /// Adds the durations of parse and bind to the duration of their execution, which is in message `index`.
    pub(super) fn add_preparation_to(&mut self, index: usize, out: &mut Records) {
        let micros = self.preparations.take_executing(out.batch.messages[index].session);
        add_micros(index, micros, out);
    }
}

/// Adds microseconds to the duration of message `index`.
fn add_micros(index: usize, micros: u64, out: &mut Records) {
    let Some(duration) = duration_micros(out.batch.entry(index).get(Field::Duration)).filter(|_| micros > 0) else {
        return;
    };
    let sum = duration.saturating_add(micros);
    let mut message = std::mem::take(&mut out.batch.messages[index]);
    out.batch.add_field(&mut message, Field::Duration, duration_digits(sum).as_bytes());
    out.batch.messages[index] = message;
}
