//! Logged executions whose plan may still follow. In the extended protocol, the server logs an execution's duration
//! first, and its plan later, when it closes the portal. For a cursor, it logs the plan when the cursor is closed.

use foldhash::HashMap;
use pgq_lexer::Lexer;

use super::evidence::{end_micros, is_transaction, start_micros, time_unit};
use crate::assembly::entry::Entry;
use crate::assembly::records::Record;
use crate::format::batch::Batch;
use crate::message::field::Field;
use crate::message::portal::{is_simple, may_have_portal};
use crate::message::text::{MessageText, classify};
use crate::time::clock::{Clock, duration_micros};

/// Maximum number of sessions.
const MAX_SESSIONS: usize = 16 << 10;
/// Maximum number of cursors per session.
const MAX_CURSORS: usize = 64;
/// Maximum number of microseconds by which a plan's duration may exceed the logged duration of its execution, if both
/// are of the same transaction. The plan's duration includes work that the server does after it has logged the
/// execution's duration. On a busy server, this work may wait for a processor.
const MAX_EXCESS: u64 = 10_000;

#[derive(Default)]
struct Session {
    /// The most recent execution.
    last: Option<Last>,
    /// Hashes of the SQL of open cursors and named portals.
    cursors: Vec<InTransaction>,
    /// Hashes of the names of cursors that have a logged FETCH with its duration.
    fetched: Vec<InTransaction>,
}

/// The most recent execution of a session.
#[derive(Clone, Copy)]
struct Last {
    sql: InTransaction,
    /// Duration in microseconds.
    micros: u64,
    /// Time of the end in microseconds since 1970, if known.
    end: Option<i64>,
}

/// A hash, and the transaction in which it was logged.
#[derive(Clone, Copy, PartialEq, Eq)]
struct InTransaction {
    hash: u64,
    /// Hash of the virtual transaction ID, or 0 if it is unknown.
    transaction: u64,
}

impl InTransaction {
    fn new(hash: u64, message: Entry<'_>) -> Self {
        Self { hash, transaction: transaction_hash(message.get(Field::VirtualXid)) }
    }

    /// Whether the hashes are equal, and the transactions may be the same.
    fn may_be(self, other: Self) -> bool {
        let is_known = self.transaction != 0 && other.transaction != 0;
        self.hash == other.hash && (!is_known || self.transaction == other.transaction)
    }
}

/// The last executions of each session.
#[derive(Default)]
pub struct Executed {
    sessions: HashMap<u64, Session>,
    /// Whether the log has plans. Until the first plan, only these executions are stored: those of cursors and named
    /// portals, and the last ones of the previous batch.
    pub is_needed: bool,
    clock: Clock,
}

impl Executed {
    /// Stores an execution with its duration if the log has plans, or if the execution belongs to a cursor or named
    /// portal. Exception: if the plan was already logged (`has_plan`), stores the execution only if its SQL declares a
    /// cursor. In this case, the SQL has several statements: the logged plan belongs to another one of them, and the
    /// plan of the cursor is logged later.
    pub fn add(&mut self, session: u64, entry: Entry<'_>, has_plan: bool) {
        if !self.may_store(entry) {
            return;
        }
        if let Some(cursor) = fetched_cursor(entry.sql()).filter(|_| session != 0) {
            push(&mut self.session(session).fetched, InTransaction::new(cursor, entry));
        }
        let is_cursor = is_cursor_like(entry);
        if (self.is_needed || is_cursor) && (!has_plan || declares_cursor(entry.sql())) {
            self.store(session, entry, is_cursor);
        }
    }

    /// Whether an execution may need to be stored. True for every execution if the log has plans. Otherwise true only
    /// for an execution that may declare a cursor or fetch from one, or that has a named portal. To save time, this
    /// test reads only the first byte of the SQL, and therefore misses a DECLARE that follows another statement.
    #[inline]
    pub fn may_store(&self, entry: Entry<'_>) -> bool {
        let is_word = |byte: &u8| !byte.is_ascii_alphabetic() || b"DdFfMm".contains(byte);
        self.is_needed || entry.sql().first().is_some_and(is_word) || may_have_portal(entry.get(Field::Heading))
    }

    /// Stores an execution. `is_cursor`: whether its plan may follow after other executions.
    pub fn store(&mut self, session: u64, entry: Entry<'_>, is_cursor: bool) {
        let (sql, heading) = (entry.sql(), entry.get(Field::Heading));
        // In the simple protocol, the server logs the plan before the duration, so no plan follows.
        if session == 0 || (!is_cursor && is_simple(heading)) {
            // An empty statement closes no portal, so the plan of the execution before it may still follow.
            if !self.sessions.is_empty() && !is_empty(sql) {
                self.sessions.entry(session).and_modify(|state| state.last = None);
            }
            return;
        }
        let sql = InTransaction::new(hash(sql), entry);
        let end = if is_cursor { None } else { end_micros(&mut self.clock, entry) };
        let state = self.session(session);
        if is_cursor {
            push(&mut state.cursors, sql);
        } else {
            let micros = duration_micros(entry.get(Field::Duration)).unwrap_or(0);
            // A fetch from an unnamed portal continues the execution, so the plan's duration includes the duration of
            // the fetch.
            let before = state.last.filter(|last| last.sql.may_be(sql) && is_fetch(heading));
            let micros = before.map_or(0, |before| before.micros).saturating_add(micros);
            state.last = Some(Last { sql, micros, end });
        }
    }

    fn session(&mut self, session: u64) -> &mut Session {
        if self.sessions.len() > MAX_SESSIONS {
            self.sessions.clear();
        }
        self.sessions.entry(session).or_default()
    }

    /// Removes an ended session.
    pub fn end(&mut self, session: u64) {
        self.sessions.remove(&session);
    }

    /// Stores a record if it is an execution with a duration. Skips cursors, which are already stored.
    pub fn add_record(&mut self, record: &Record, batch: &Batch) {
        let entry = record.entry(batch);
        let is_execution = entry.event().is_none() && !entry.severity().is_error() && !is_parse_bind(entry, batch);
        if is_execution && !entry.get(Field::Duration).is_empty() && !is_cursor_like(entry) {
            self.store(entry.session(), entry, false);
        }
    }

    /// Removes the last execution of each session.
    pub fn forget(&mut self) {
        self.sessions.retain(|_, state| {
            state.last = None;
            !(state.cursors.is_empty() && state.fetched.is_empty())
        });
    }

    /// Whether a plan belongs to a stored execution, or to a cursor whose fetches are logged. If so, removes the stored
    /// execution or the stored fetches, so that no later plan is assigned to them: an execution and a cursor have only
    /// one plan.
    pub fn take(&mut self, session: u64, plan: Entry<'_>) -> bool {
        let Some(state) = self.sessions.get_mut(&session) else { return false };
        let sql = InTransaction::new(hash(plan.sql()), plan);
        if state.last.is_some_and(|last| last.sql.may_be(sql) && last.may_have(plan, sql, &mut self.clock)) {
            state.last = None;
            return true;
        }
        let is_fetched = !state.fetched.is_empty() && state.take_fetched(plan);
        let cursor = state.cursors.iter().position(|cursor| cursor.may_be(sql));
        cursor.map(|at| state.cursors.remove(at)).is_some() || is_fetched
    }
}

impl Session {
    /// Removes the stored FETCH statements of a plan's cursor. Returns whether at least one of them may be of the
    /// plan's transaction.
    fn take_fetched(&mut self, plan: Entry<'_>) -> bool {
        let Some(cursor) = declared_cursor(plan.sql()) else { return false };
        let cursor = InTransaction::new(cursor, plan);
        let is_fetched = self.fetched.iter().any(|fetched| fetched.may_be(cursor));
        self.fetched.retain(|fetched| fetched.hash != cursor.hash);
        is_fetched
    }
}

impl Last {
    /// Whether a plan may have the duration of this execution. `sql`: the SQL of the plan.
    fn may_have(self, plan: Entry<'_>, sql: InTransaction, clock: &mut Clock) -> bool {
        // The logged duration is truncated to microseconds. The plan's duration is rounded, so it
        // may be longer by one microsecond.
        let is_known = sql.transaction != 0 && self.sql == sql;
        let micros = duration_micros(plan.get(Field::Duration)).unwrap_or(0);
        if micros <= self.micros.saturating_add(if is_known { MAX_EXCESS } else { 1 }) {
            return true;
        }
        // A plan with a longer duration belongs to the execution if the plan began during the execution.
        start_micros(clock, plan).zip(self.end).is_some_and(|(began, end)| {
            let unit = time_unit(plan);
            began < end.saturating_add(unit) && began.saturating_add(unit) > end.saturating_sub_unsigned(self.micros)
        })
    }
}

/// Whether a message is a parse or bind message that becomes a record (`RecordSelection::parse_bind`). The plan of the
/// session's previous execution may follow such a message, because the server logs this plan when a bind closes the
/// unnamed portal.
#[inline]
pub fn is_parse_bind(entry: Entry<'_>, batch: &Batch) -> bool {
    batch.selection.parse_bind && matches!(classify(entry.get(Field::Heading)), MessageText::ParseBind { .. })
}

/// Whether an execution may continue after its message was logged, because it declares a cursor or has a named portal.
/// The server logs the plan when the cursor or the portal is closed.
pub fn is_cursor_like(entry: Entry<'_>) -> bool {
    may_have_portal(entry.get(Field::Heading)) || declares_cursor(entry.sql())
}

/// Whether a statement of the text declares a cursor.
pub fn declares_cursor(sql: &[u8]) -> bool {
    let sql = sql.trim_ascii();
    let is_declare = |word: &[u8]| word.eq_ignore_ascii_case(b"declare");
    let has_comment = sql.first().is_some_and(|byte| b"/-".contains(byte));
    let may_be_several = memchr::memchr(b';', sql).is_some_and(|end| end + 1 < sql.len());
    if !has_comment && !may_be_several {
        return sql.get(..7).is_some_and(is_declare);
    }
    let mut is_first = true;
    words(sql).any(|word| std::mem::replace(&mut is_first, word == b";") && is_declare(word))
}

/// Whether SQL consists of white space, comments and semicolons.
pub fn is_empty(sql: &[u8]) -> bool {
    sql.trim_ascii_start().first().is_none_or(|byte| b"/-;".contains(byte)) && words(sql).all(|word| word == b";")
}

/// Returns the hash of the name of the cursor in a FETCH or MOVE.
fn fetched_cursor(sql: &[u8]) -> Option<u64> {
    sql.trim_ascii_start().first().filter(|byte| b"FfMm/-".contains(byte))?;
    let mut words = words(sql);
    words.next().filter(|word| word.eq_ignore_ascii_case(b"fetch") || word.eq_ignore_ascii_case(b"move"))?;
    words.filter(|word| *word != b";").last().map(name_hash)
}

/// Returns the hash of the name of the cursor in a DECLARE.
fn declared_cursor(sql: &[u8]) -> Option<u64> {
    let mut words = words(sql);
    words.next().filter(|word| word.eq_ignore_ascii_case(b"declare"))?;
    words.next().map(name_hash)
}

/// Returns the text of each token that is not a comment.
fn words(sql: &[u8]) -> impl Iterator<Item = &[u8]> {
    let tokens = Lexer::new(sql).filter(|token| !token.is_comment());
    tokens.map(|token| &sql[token.start as usize..token.end as usize])
}

/// Splits SQL at white space.
pub fn space_separated(sql: &[u8]) -> impl Iterator<Item = &[u8]> {
    sql.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn name_hash(name: &[u8]) -> u64 {
    let quoted = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
    quoted.map_or_else(|| hash(&name.to_ascii_lowercase()), hash)
}

/// Returns the hash of a virtual transaction ID, or 0 if the message is not part of a transaction (`3/0`).
fn transaction_hash(id: &[u8]) -> u64 {
    if is_transaction(id) { hash(id).max(1) } else { 0 }
}

/// Adds a hash. At [`MAX_CURSORS`], removes the oldest one.
fn push(hashes: &mut Vec<InTransaction>, hash: InTransaction) {
    if hashes.len() == MAX_CURSORS {
        hashes.remove(0);
    }
    hashes.push(hash);
}

fn is_fetch(heading: &[u8]) -> bool {
    matches!(classify(heading), MessageText::Fetch { .. })
}

/// Fast hash of the words of SQL. It ignores the white space between words, like the comparison of SQL by `same_text`.
/// Collisions are unlikely, because a session has few statements to distinguish.
fn hash(sql: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let add = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    space_separated(sql).fold(0, |hash, word| {
        let (words, rest) = word.as_chunks::<8>();
        let hash = words.iter().fold(add(hash, word.len() as u64), |hash, word| add(hash, u64::from_le_bytes(*word)));
        rest.iter().fold(hash, |hash, byte| add(hash, u64::from(*byte)))
    })
}
