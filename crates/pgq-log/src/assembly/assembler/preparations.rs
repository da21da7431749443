//! Durations of parse and bind messages, which are added to the next execution of the same SQL. In a pipeline, other
//! statements may be prepared or executed in between.

use std::hash::BuildHasher;

use foldhash::HashMap;

use super::Assembler;
use crate::assembly::records::Records;
use crate::assembly::stats::LogStats;
use crate::message::field::Field;
use crate::time::clock::duration_micros;

/// Maximum number of prepared statements per session that wait for their execution.
const MAX_PREPARED: usize = 64;

/// Maximum number of sessions.
const MAX_SESSIONS: usize = 16 << 10;

/// Minimum duration of preparations that are reported if no execution follows, in microseconds.
const SLOW: u64 = 10_000;

/// The preparations of all sessions.
#[derive(Default)]
pub struct Preparations(HashMap<u64, Session>);

#[derive(Default)]
struct Session {
    /// The hash of the SQL and the microseconds of its parse and bind so far, oldest first.
    waiting: Vec<(u64, u64)>,
    /// The microseconds of the execution that has begun, and whose duration follows on a separate line.
    executing: u64,
}

impl Preparations {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn hash(&self, sql: &[u8]) -> u64 {
        self.0.hasher().hash_one(sql)
    }

    fn add(&mut self, session: u64, hash: u64, micros: u64, stats: &mut LogStats) {
        if self.0.len() > MAX_SESSIONS {
            self.end_all(stats);
        }
        let waiting = &mut self.0.entry(session).or_default().waiting;
        if let Some((_, sum)) = waiting.iter_mut().find(|(other, _)| *other == hash) {
            *sum = sum.saturating_add(micros);
            return;
        }
        if waiting.len() == MAX_PREPARED {
            count_unused(waiting.remove(0).1, stats);
        }
        waiting.push((hash, micros));
    }

    /// Removes and returns the microseconds of a preparation.
    fn take(&mut self, session: u64, hash: u64) -> u64 {
        let Some(Session { waiting, .. }) = self.0.get_mut(&session) else { return 0 };
        let found = waiting.iter().position(|(other, _)| *other == hash);
        found.map_or(0, |at| waiting.remove(at).1)
    }

    /// Forgets a session. Counts the slow preparations that no execution followed.
    pub fn end(&mut self, session: u64, stats: &mut LogStats) {
        let ended = self.0.remove(&session);
        ended.into_iter().flat_map(|ended| ended.waiting).for_each(|(_, micros)| count_unused(micros, stats));
    }

    /// Forgets all sessions.
    pub fn end_all(&mut self, stats: &mut LogStats) {
        let sessions = std::mem::take(&mut self.0).into_values();
        sessions.flat_map(|session| session.waiting).for_each(|(_, micros)| count_unused(micros, stats));
    }
}

fn count_unused(micros: u64, stats: &mut LogStats) {
    if micros >= SLOW {
        stats.slow_preparations += 1;
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

    /// Adds the stored durations of parse and bind to the duration of the execution in message `index`. If the
    /// execution's duration follows on a separate line, stores them until then.
    pub(super) fn add_preparation(&mut self, index: usize, out: &mut Records) {
        let session = out.batch.messages[index].session;
        let entry = out.batch.entry(index);
        let micros = self.preparations.take(session, self.preparations.hash(entry.sql()));
        let is_complete = !entry.get(Field::Duration).is_empty();
        if let Some(session) = self.preparations.0.get_mut(&session) {
            session.executing = if is_complete { 0 } else { micros };
        }
        if is_complete {
            add_micros(index, micros, out);
        }
    }

    /// Adds the durations of parse and bind to the duration of their execution, which is in message `index`.
    pub(super) fn add_preparation_to(&mut self, index: usize, out: &mut Records) {
        if let Some(session) = self.preparations.0.get_mut(&out.batch.messages[index].session) {
            add_micros(index, std::mem::take(&mut session.executing), out);
        }
    }
}

/// Adds microseconds to the duration of message `index`.
fn add_micros(index: usize, micros: u64, out: &mut Records) {
    let Some(duration) = duration_micros(out.batch.entry(index).get(Field::Duration)).filter(|_| micros > 0) else {
        return;
    };
    let sum = duration.saturating_add(micros);
    let mut message = std::mem::take(&mut out.batch.messages[index]);
    out.batch.add_field(&mut message, Field::Duration, format!("{}.{:03}", sum / 1000, sum % 1000).as_bytes());
    out.batch.messages[index] = message;
}
