//! Logged executions whose plan may still follow. In the extended protocol, the server logs an execution's duration
//! first, and its plan later, when it closes the portal. For a cursor, it logs the plan when the cursor is closed. If a
//! function leaves a cursor open, the plan of this cursor follows, too, and has no CONTEXT.

use foldhash::HashMap;

use super::cursors::{declared_cursor, declares_cursor, fetched_cursor, hash, is_cursor_like, is_empty};
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
    /// Hash of the SQL, or 0 in the simple protocol.
    sql: InTransaction,
    /// Whether no plan of this execution follows. In the simple protocol, the plan precedes the duration.
    has_plan: bool,
    /// Duration in microseconds.
    micros: u64,
    /// Time of the end in microseconds since 1970, if known.
    end: Option<i64>,
    /// Hash of the virtual transaction ID, or 0 if it is unknown.
    transaction: u64,
    /// Whether the session probably has no named portals: the execution uses the simple protocol, or its transaction
    /// fetches from a cursor in SQL.
    has_no_portals: bool,
}

/// The execution to which a plan belongs.
pub enum Origin {
    /// A logged execution, whose plan it is.
    Logged,
    /// A logged execution of a function that ran the planned statement.
    Outer,
    /// An execution that is not logged.
    Own,
    /// Unclear: [`Self::Outer`] or [`Self::Own`].
    Unclear,
}

/// A hash, and the transaction in which it was logged.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
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
        if self.is_needed || is_cursor {
            let has_plan = has_plan && !declares_cursor(entry.sql());
            match is_cursor {
                true if has_plan => {}
                true => self.store_cursor(session, entry),
                false => self.store(session, entry, has_plan),
            }
        }
    }

    /// Whether an execution may need to be stored. True for every execution if the log has plans. Otherwise true only
    /// for an execution that may declare a cursor or fetch from one, or that has a named portal. To save time, this
    /// test reads only the first byte of the SQL. Therefore it finds the DECLARE in `BEGIN; DECLARE …` (psqlODBC), but
    /// not a DECLARE that follows other statements.
    #[inline]
    pub fn may_store(&self, entry: Entry<'_>) -> bool {
        let is_word = |byte: &u8| !byte.is_ascii_alphabetic() || b"BbDdFfMm".contains(byte);
        self.is_needed || entry.sql().first().is_some_and(is_word) || may_have_portal(entry.get(Field::Heading))
    }

    /// Stores an execution whose plan may follow after other executions.
    pub fn store_cursor(&mut self, session: u64, entry: Entry<'_>) {
        if session != 0 {
            push(&mut self.session(session).cursors, InTransaction::new(hash(entry.sql()), entry));
        }
    }

    /// Stores the last execution of a session.
    fn store(&mut self, session: u64, entry: Entry<'_>, has_plan: bool) {
        let (sql, heading) = (entry.sql(), entry.get(Field::Heading));
        let is_simple = is_simple(heading);
        // An empty statement closes no portal, so the plan of the execution before it may still follow.
        if session == 0 || (is_simple && is_empty(sql)) {
            return;
        }
        let own = if is_simple { InTransaction::default() } else { InTransaction::new(hash(sql), entry) };
        let end = end_micros(&mut self.clock, entry);
        let transaction = hash(entry.get(Field::VirtualXid));
        let last = &mut self.session(session).last;
        let is_same = |last: &Last| transaction != 0 && last.transaction == transaction;
        let has_no_portals = is_simple
            || fetched_cursor(sql).is_some()
            || last.is_some_and(|last| last.has_no_portals && is_same(&last));
        // A fetch from an unnamed portal continues the execution, so the plan's duration includes the duration of
        // the fetch.
        let before = last.filter(|last| !last.has_plan && last.sql.may_be(own) && is_fetch(heading));
        let micros = duration_micros(entry.get(Field::Duration)).unwrap_or(0);
        let micros = before.map_or(0, |before| before.micros).saturating_add(micros);
        let has_plan = is_simple || has_plan;
        *last = Some(Last { sql: own, has_plan, micros, end, transaction, has_no_portals });
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

    /// Returns the execution to which a plan belongs. If this is a stored execution or a cursor whose fetches are
    /// logged, removes the stored execution or the stored fetches, so that no later plan is assigned to them: an
    /// execution and a cursor have only one plan.
    pub fn take(&mut self, session: u64, plan: Entry<'_>) -> Origin {
        let Some(state) = self.sessions.get_mut(&session) else { return Origin::Own };
        let sql = InTransaction::new(hash(plan.sql()), plan);
        if let Some(last) = &mut state.last
            && last.may_have(plan, sql, &mut self.clock)
        {
            last.has_plan = true;
            // The unnamed portal was open until now.
            last.end = end_micros(&mut self.clock, plan);
            return Origin::Logged;
        }
        let is_fetched = !state.fetched.is_empty() && state.take_fetched(plan);
        let cursor = state.cursors.iter().position(|cursor| cursor.may_be(sql));
        if cursor.map(|at| state.cursors.remove(at)).is_some() || is_fetched {
            return Origin::Logged;
        }
        state.last.map_or(Origin::Own, |last| last.origin_of(plan, &mut self.clock))
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
    /// Whether a plan may be the plan of this execution. `sql`: the SQL of the plan.
    fn may_have(self, plan: Entry<'_>, sql: InTransaction, clock: &mut Clock) -> bool {
        if self.has_plan || !self.sql.may_be(sql) {
            return false;
        }
        // The logged duration is truncated to microseconds. The plan's duration is rounded, so it
        // may be longer by one microsecond.
        let is_known = sql.transaction != 0 && self.sql == sql;
        let micros = duration_micros(plan.get(Field::Duration)).unwrap_or(0);
        if micros <= self.micros.saturating_add(if is_known { MAX_EXCESS } else { 1 }) {
            return true;
        }
        // A plan whose duration is longer than that of the execution belongs to it if the plan began during it.
        start_micros(clock, plan).zip(self.end).is_some_and(|(began, end)| {
            let unit = time_unit(plan);
            began < end.saturating_add(unit) && began.saturating_add(unit) > end.saturating_sub_unsigned(self.micros)
        })
    }

    /// Returns the origin of a plan that follows this execution and does not belong to it. If the plan began before
    /// this execution ended, it is not the plan of the client's next statement, because a session runs one statement at
    /// a time. In this case, it is the plan of a cursor or portal that was closed late, and only a function can open a
    /// cursor without a DECLARE.
    fn origin_of(self, plan: Entry<'_>, clock: &mut Clock) -> Origin {
        let transaction = hash(plan.get(Field::VirtualXid));
        let is_known = transaction != 0 && self.transaction != 0;
        if declares_cursor(plan.sql()) || (is_known && transaction != self.transaction) {
            return Origin::Own;
        }
        let unit = time_unit(plan);
        let is_later = self.end <= end_micros(clock, plan);
        let pause = start_micros(clock, plan).zip(self.end).map(|(began, end)| began.saturating_sub(end));
        if self.has_no_portals && is_later && pause.is_some_and(|pause| pause <= -unit) {
            return Origin::Outer;
        }
        // A cursor stays open until the end of its transaction at the latest.
        if is_known || pause.is_some_and(|pause| pause < unit) { Origin::Unclear } else { Origin::Own }
    }
}

/// Whether a message is a parse or bind message that becomes a record (`RecordSelection::parse_bind`). The plan of the
/// session's previous execution may follow such a message, because the server logs this plan when a bind closes the
/// unnamed portal.
#[inline]
pub fn is_parse_bind(entry: Entry<'_>, batch: &Batch) -> bool {
    batch.selection.parse_bind && matches!(classify(entry.get(Field::Heading)), MessageText::ParseBind { .. })
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
