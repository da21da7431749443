//! Executions of named portals, whose rows clients fetch in parts (JDBC's fetch size). The durations of fetches are
//! added to the duration of the execution. Fetches may follow until the transaction ends, so an execution is stored
//! until then.
#![allow(clippy::vec_box, reason = "`Record::Owned` takes the boxes without a copy")]

use foldhash::HashMap;
use pgq_lexer::Lexer;

use super::Assembler;
use super::evidence::{are_other_transactions, may_be_same_client};
use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::records::{Record, Records};
use crate::message::field::Field;
use crate::message::portal::portal_name;
use crate::message::prepared::ends_transaction;
use crate::time::clock::{duration_digits, duration_micros};

/// Maximum number of portals stored per session.
const MAX_PORTALS: usize = 256;

/// Maximum size of all stored portals, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// Open portals by session, oldest first.
#[derive(Default)]
pub struct Portals {
    sessions: HashMap<u64, Vec<Box<OwnedEntry>>>,
    /// Approximate size of all portals. It is only approximate, because it is not updated when a fetch replaces the
    /// stored text of a duration.
    bytes: usize,
}

impl Portals {
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    /// Stores an execution. Returns the replaced execution: the earlier execution of the same portal, or the oldest
    /// execution if there are already [`MAX_PORTALS`].
    pub fn add(&mut self, session: u64, execution: Box<OwnedEntry>) -> Option<Box<OwnedEntry>> {
        let portals = self.sessions.entry(session).or_default();
        let name = portal_name(execution.entry().get(Field::Heading));
        let same = portals.iter().position(|kept| portal_name(kept.entry().get(Field::Heading)) == name);
        let leaves = same.or((portals.len() == MAX_PORTALS).then_some(0)).map(|at| portals.remove(at));
        self.bytes += execution.memory_size();
        portals.push(execution);
        self.subtract(leaves.iter());
        leaves
    }

    pub fn entries_mut(&mut self) -> impl Iterator<Item = &mut Box<OwnedEntry>> {
        self.sessions.values_mut().flatten()
    }

    /// Adds the duration of a fetch to its execution. Returns `false` if the execution is not stored.
    pub fn add_fetch(&mut self, fetch: Entry<'_>) -> bool {
        let Some(portals) = self.sessions.get_mut(&fetch.session()) else { return false };
        let name = portal_name(fetch.get(Field::Heading));
        let is_same = |kept: &Entry<'_>| {
            let [one, other] = [*kept, fetch].map(|entry| entry.get(Field::Params));
            portal_name(kept.get(Field::Heading)) == name
                && kept.sql() == fetch.sql()
                && (one == other || one.is_empty() || other.is_empty())
                && may_be_same_client(*kept, fetch)
                && !outlives(*kept, fetch)
        };
        let Some(execution) = portals.iter_mut().rfind(|kept| is_same(&kept.entry())) else { return false };
        let micros = |entry: Entry<'_>| duration_micros(entry.get(Field::Duration)).unwrap_or(0);
        let sum = micros(execution.entry()).saturating_add(micros(fetch));
        execution.set(Field::Duration, duration_digits(sum).as_bytes());
        true
    }

    /// Removes and returns the portals of a session.
    pub fn take(&mut self, session: u64) -> Vec<Box<OwnedEntry>> {
        let portals = self.sessions.remove(&session).unwrap_or_default();
        self.subtract(portals.iter());
        portals
    }

    fn subtract<'a>(&mut self, portals: impl Iterator<Item = &'a Box<OwnedEntry>>) {
        self.bytes = self.bytes.saturating_sub(portals.map(|portal| portal.memory_size()).sum());
    }

    /// Removes and returns a session's portals whose transaction ended before message `next` of the session.
    fn take_ended(&mut self, next: Entry<'_>) -> Vec<Box<OwnedEntry>> {
        let Some(portals) = self.sessions.get_mut(&next.session()) else { return Vec::new() };
        let ended: Vec<_> = portals.extract_if(.., |portal| outlives(portal.entry(), next)).collect();
        if portals.is_empty() {
            self.sessions.remove(&next.session());
        }
        self.subtract(ended.iter());
        ended
    }

    /// Removes and returns all portals, in the log's order.
    pub fn take_all(&mut self) -> Vec<Box<OwnedEntry>> {
        self.bytes = 0;
        let mut all: Vec<Box<OwnedEntry>> = self.sessions.drain().flat_map(|(_, portals)| portals).collect();
        all.sort_by_key(|entry| entry.entry().position().offset);
        all
    }
}

impl Assembler {
    /// Whether fetches may follow an execution.
    pub(super) fn is_portal(&self, execution: Entry<'_>) -> bool {
        self.waits_for_fetches && execution.session() != 0 && portal_name(execution.get(Field::Heading)).is_some()
    }

    /// Stores the execution of a portal until its transaction ends.
    pub(super) fn hold(&mut self, execution: Box<OwnedEntry>, out: &mut Records) {
        let session = execution.message.session;
        if let Some(leaves) = self.portals.add(session, execution) {
            self.add(Record::Owned(leaves), session, true, out);
        }
        if self.portals.bytes > MAX_BYTES {
            for portal in self.portals.take_all() {
                let session = portal.message.session;
                self.add(Record::Owned(portal), session, true, out);
            }
        }
    }

    /// Adds the duration of a fetch to its execution. If the log lacks the execution, stores the fetch in place of the
    /// execution.
    pub(super) fn fetch(&mut self, fetch: Box<OwnedEntry>, out: &mut Records) {
        if !self.portals.add_fetch(fetch.entry()) {
            out.batch.stats.lost_fetches += 1;
            self.hold(fetch, out);
        }
    }

    /// Returns the executions of portals that were closed before statement `index` of their session.
    pub(super) fn end_portals(&mut self, index: usize, out: &mut Records) {
        let next = out.batch.entry(index);
        if ends_transaction(next.sql()) {
            return self.return_portals(next.session(), out);
        }
        let session = next.session();
        for execution in self.portals.take_ended(next) {
            self.add(Record::Owned(execution), session, true, out);
        }
    }

    /// Returns a session's executions of portals as records.
    pub(super) fn return_portals(&mut self, session: u64, out: &mut Records) {
        for execution in self.portals.take(session) {
            self.add(Record::Owned(execution), session, true, out);
        }
    }
}

/// Whether message `next` is of a later transaction than a portal, so that the portal is closed. False for a cursor
/// that SQL has declared, because `WITH HOLD` may keep the cursor open after its transaction.
fn outlives(portal: Entry<'_>, next: Entry<'_>) -> bool {
    are_other_transactions(portal, next) && !declares_cursor(portal.sql())
}

/// Whether a statement of the text declares a cursor.
fn declares_cursor(sql: &[u8]) -> bool {
    let sql = sql.trim_ascii();
    let is_declare = |word: &[u8]| word.eq_ignore_ascii_case(b"declare");
    let has_comment = sql.first().is_some_and(|byte| b"/-".contains(byte));
    let may_be_several = memchr::memchr(b';', sql).is_some_and(|end| end + 1 < sql.len());
    if !has_comment && !may_be_several {
        return sql.get(..7).is_some_and(is_declare);
    }
    let tokens = Lexer::new(sql).filter(|token| !token.is_comment());
    let mut words = tokens.map(|token| &sql[token.start as usize..token.end as usize]);
    let mut is_first = true;
    words.any(|word| std::mem::replace(&mut is_first, word == b";") && is_declare(word))
}
