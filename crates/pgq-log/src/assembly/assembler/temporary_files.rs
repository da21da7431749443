//! Temporary files of the extended protocol. The server logs a temporary file after the execution, when it closes the
//! portal. Outside of a transaction block, the server closes the portal at the Sync, and the message has no STATEMENT.
//! In a transaction block, it closes the portal at the next Bind, and the message has the STATEMENT of the next
//! execution. It closes a named portal at a Close or at the end of the transaction. In all cases, the file belongs to
//! the execution whose portal was closed.

use foldhash::{HashMap, HashSet};
use pgq_lexer::statement_keyword;

use super::evidence::{end_micros, is_simple, is_transaction, time_unit};
use super::{Assembler, is_parse_bind};
use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::records::{Record, Records};
use crate::format::batch::Batch;
use crate::message::field::Field;
use crate::message::parts::MessageKind;
use crate::message::portal::may_have_portal;
use crate::message::prepared::{ends_transaction, is_single};
use crate::time::clock::Clock;

/// Maximum number of sessions.
const MAX_SESSIONS: usize = 16 << 10;
/// Maximum size of all executions, in bytes.
const MAX_BYTES: usize = 64 << 20;
/// If the log has no virtual transaction IDs, a file that is removed at a Sync belongs to the last execution only if
/// this execution ended at most this number of microseconds earlier. In such a short time, no other (unlogged) execution
/// can have written the file.
const MAX_DELAY: u64 = 10_000;

/// The last execution of a session.
enum Last {
    Simple,
    /// An execution of the extended protocol, or a fetch from a named portal.
    Portal {
        execution: Box<OwnedEntry>,
        is_named: bool,
    },
    /// An execution that is not logged, or a running statement after a portal (in the simple protocol).
    Unknown,
}

/// The last execution of each session, in a log with temporary files.
#[derive(Default)]
pub struct LastExecutions {
    sessions: HashMap<u64, Last>,
    /// Size of the executions, in bytes.
    bytes: usize,
    /// Whether the log has temporary files.
    pub is_needed: bool,
    clock: Clock,
}

impl LastExecutions {
    /// Stores the execution in message `index`, or the duration of the stored execution.
    pub fn note(&mut self, index: usize, batch: &Batch) {
        let (entry, kind) = (batch.entry(index), batch.messages[index].kind);
        match kind {
            MessageKind::Statement if !is_parse_bind(entry, batch) => self.add(entry),
            MessageKind::Fetch => self.insert_portal(entry, true),
            MessageKind::Plan | MessageKind::Duration => self.add_end(entry, batch.marks_inner_plans),
            _ => {}
        }
    }

    fn add(&mut self, entry: Entry<'_>) {
        if !is_simple(entry) {
            return self.insert_portal(entry, may_have_portal(entry.get(Field::Heading)));
        }
        // The server logs `statement:` before it closes the portal of the previous execution. Until the statement ends,
        // a file may belong to either of the two. Exception: a COMMIT or ROLLBACK writes no files.
        if is_running_end(entry) {
            return;
        }
        let is_running = entry.get(Field::Duration).is_empty();
        let is_portal = matches!(self.sessions.get(&entry.session()), Some(Last::Portal { .. }));
        self.insert(entry.session(), if is_running && is_portal { Last::Unknown } else { Last::Simple });
    }

    fn insert_portal(&mut self, execution: Entry<'_>, is_named: bool) {
        let last = Last::Portal { execution: Box::new(OwnedEntry::new(execution)), is_named };
        self.insert(execution.session(), last);
    }

    /// Handles a duration without SQL, or a plan. If the message does not belong to the stored execution, it belongs to
    /// a later execution that is not logged. Ignores the durations of parsing and binding.
    fn add_end(&mut self, end: Entry<'_>, marks_inner_plans: bool) {
        let is_plan = !end.sql().is_empty();
        if !is_plan && matches!(end.get(Field::CommandTag), b"PARSE" | b"BIND") {
            return;
        }
        match self.sessions.get_mut(&end.session()) {
            None | Some(Last::Unknown) if is_plan => self.insert_portal(end, false),
            Some(Last::Portal { execution, .. }) if is_end(end, execution.entry()) => {
                execution.end_at(end.get(Field::Duration), end.get(Field::Time));
            }
            Some(Last::Portal { is_named: false, .. }) if is_plan => self.insert_portal(end, false),
            // In the simple protocol, the plan precedes the duration, so this is the plan of a later execution.
            Some(Last::Simple) if is_plan && marks_inner_plans => self.insert_portal(end, false),
            Some(Last::Portal { .. }) => self.insert(end.session(), Last::Unknown),
            _ => {}
        }
    }

    fn insert(&mut self, session: u64, last: Last) {
        if self.sessions.len() > MAX_SESSIONS || self.bytes > MAX_BYTES {
            self.sessions.clear();
            self.bytes = 0;
        }
        let size = |last: &Last| if let Last::Portal { execution, .. } = last { execution.memory_size() } else { 0 };
        self.bytes += size(&last);
        let before = self.sessions.insert(session, last);
        self.bytes = self.bytes.saturating_sub(before.as_ref().map_or(0, size));
    }

    /// If the log has no temporary files yet, stores the last execution of each session in a batch.
    pub fn note_last(&mut self, out: &Records) {
        if self.is_needed || !out.batch.selection.events {
            return;
        }
        let mut sessions = HashSet::default();
        for record in out.list.iter().rev() {
            let entry = record.entry(&out.batch);
            let is_execution = entry.event().is_none() && !entry.severity().is_error();
            if is_execution
                && !is_parse_bind(entry, &out.batch)
                && !is_running_end(entry)
                && sessions.insert(entry.session())
            {
                self.add(entry);
            }
        }
    }

    /// Removes an ended session.
    pub fn end(&mut self, session: u64) {
        if !self.sessions.is_empty() {
            self.insert(session, Last::Simple);
            self.sessions.remove(&session);
        }
    }

    pub fn end_all(&mut self) {
        self.sessions.clear();
        self.bytes = 0;
    }

    /// Returns the execution whose portal was closed when the server logged `file`.
    fn closed(&mut self, file: Entry<'_>) -> Option<&OwnedEntry> {
        let Some(Last::Portal { execution: last, is_named }) = self.sessions.get(&file.session()) else { return None };
        let [own, other] = [last.entry(), file].map(|entry| entry.get(Field::VirtualXid));
        if !own.is_empty() && !other.is_empty() {
            return (own == other && is_transaction(own)).then_some(last);
        }
        let is_exact = !is_named && time_unit(last.entry()) == 1000 && file.sql().is_empty();
        let (end, removed) = (end_micros(&mut self.clock, last.entry())?, end_micros(&mut self.clock, file)?);
        (is_exact && end.abs_diff(removed) <= MAX_DELAY).then_some(last)
    }
}

/// Whether a message logs a COMMIT or ROLLBACK of the simple protocol that has not ended yet.
fn is_running_end(entry: Entry<'_>) -> bool {
    let is_running = entry.get(Field::Duration).is_empty() && is_simple(entry);
    is_running && ends_transaction(entry.sql()) && is_single(entry.sql())
}

/// Whether a duration without SQL, or a plan, is that of an execution.
fn is_end(end: Entry<'_>, execution: Entry<'_>) -> bool {
    let is_plan_of = || [Field::Sql, Field::VirtualXid].into_iter().all(|field| end.get(field) == execution.get(field));
    if end.sql().is_empty() { execution.get(Field::Duration).is_empty() } else { is_plan_of() }
}

impl Assembler {
    /// Starts to store the executions of every message, because the log has temporary files. Also stores the waiting
    /// statements, which are not records yet.
    pub(super) fn expect_temporary_files(&mut self, batch: &Batch) {
        if std::mem::replace(&mut self.last_executions.is_needed, true) {
            return;
        }
        let waiting = self.queue.iter().filter(|queued| !queued.ready).filter_map(|queued| queued.record.as_ref());
        let deferred = self.deferred.values().map(|(_, entry)| entry.entry());
        let statements = deferred.chain(waiting.map(|record| record.entry(batch)));
        statements.for_each(|statement| self.last_executions.add(statement));
    }

    /// Assigns the temporary file in message `index` to the session's last execution if the message has no STATEMENT,
    /// or has the STATEMENT of the next execution. Returns true if the message has become a record. Returns false if
    /// the caller must handle the message, because its STATEMENT is right or may still follow.
    pub(super) fn temporary_file(&mut self, index: usize, out: &mut Records) -> bool {
        let file = out.batch.entry(index);
        let session = file.session();
        if session == 0 || !file.get(Field::Context).is_empty() {
            return false;
        }
        let (sql, tag) = (file.sql(), file.get(Field::CommandTag));
        let is_of_other = tag == b"BIND" || ends_transaction(sql) || statement_keyword(sql).as_str() == "close";
        if !sql.is_empty() && !is_of_other {
            // Whether the STATEMENT is known to be right. With a command tag, the STATEMENT is right, because here the
            // tag is not `BIND`. Without a command tag, the kind of the session's last execution decides. If there is
            // no such execution, the STATEMENT is taken to be right: the session may be a parallel worker's, or may
            // begin with this statement.
            let is_clear = match self.last_executions.sessions.get(&session) {
                _ if !tag.is_empty() => true,
                Some(Last::Simple) => true,
                Some(Last::Portal { execution, is_named: false }) => execution.entry().sql() == sql,
                Some(Last::Portal { .. } | Last::Unknown) => false,
                None => true,
            };
            if is_clear {
                return false;
            }
        }
        let is_of_sync = sql.is_empty();
        let closed = self.last_executions.closed(file).filter(|_| is_of_sync || is_of_other);
        let sql = closed.map(|closed| (closed.entry().sql().to_vec(), closed.entry().is_truncated()));
        let mut message = std::mem::take(&mut out.batch.messages[index]);
        let (sql, is_truncated) = sql.unwrap_or_default();
        message.truncated |= is_truncated;
        // A message without a STATEMENT waits, because its STATEMENT may still follow after lines of other processes.
        // Until then, the SQL of the session's last execution is only a guess, so it is stored as `Field::Statement`.
        // If no STATEMENT follows, this guess becomes the message's SQL.
        let field = if is_of_sync { Field::Statement } else { Field::Sql };
        out.batch.add_field(&mut message, field, &sql);
        out.batch.messages[index] = message;
        if !is_of_sync {
            self.add(Record::InBatch(index as u32), session, true, out);
        }
        !is_of_sync
    }
}
