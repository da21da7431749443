//! Assembles records. A statement and its duration or error may be separate messages of one process. The assembler
//! joins these messages. It takes the batches of a log in order, in any log format.
//!
//! In a log with durations on separate lines, a statement waits in a queue for its duration. To keep the log's order,
//! all later records wait until the statement has left the queue. If the queue is full, the statement at the front is
//! deferred: it leaves the queue, and becomes a record when its session logs the next message. Memory is bounded: a
//! session has at most one deferred statement, and if the size of all deferred statements exceeds a limit, the older
//! half of them becomes records.

mod durations;
mod errors;
mod evidence;
mod failures;
mod files;
mod locks;
mod plans;
mod portals;
mod preparations;
mod queue;
mod sessions;
mod temporary_files;
mod workers;

use std::collections::VecDeque;

use foldhash::{HashMap, HashSet};

use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::records::{Record, Records};
use crate::format::batch::Batch;
use crate::message::field::Field;
use crate::message::parts::{Message, MessageKind};
use crate::message::severity::Severity;
use crate::message::text::{MessageText, classify};
use crate::time::clock::Clock;
use errors::Pending;
use plans::Plans;
use portals::Portals;
use preparations::Preparations;
use queue::Queued;
use temporary_files::LastExecutions;
use workers::WorkerErrors;

/// Maximum number of records in the queue.
pub const MAX_QUEUED: usize = 1024;
/// Maximum size of the queue, in bytes.
const MAX_QUEUED_BYTES: usize = 16 << 20;
const MAX_DEFERRED_BYTES: usize = 64 << 20;
const MAX_PENDING_ERRORS: usize = 64;
const MAX_LEADER_ERRORS: usize = 16;

/// Maximum number of messages that may arrive while an error waits for its statement. The server
/// writes an error and its statement together, but lines of other processes may be between the two.
pub const MAX_WAIT: u64 = 1024;
/// Maximum number of seconds, by the log's times, that an error waits for its statement.
pub const MAX_SECONDS: u32 = 2;

/// Assembles the records of one log from its batches.
#[derive(Default)]
pub struct Assembler {
    queue: VecDeque<Queued>,
    queued_bytes: usize,
    /// Number of records that have left the queue. A record's serial number is this number plus its index in the queue.
    dequeued: u64,
    /// For each session, the serial number of the queued record that waits for its duration.
    awaiting_duration: HashMap<u64, u64>,
    /// For each session, the deferred record with its serial number. A deferred record has left the full queue, but
    /// still waits for its duration.
    deferred: HashMap<u64, (u64, Box<OwnedEntry>)>,
    deferred_bytes: usize,
    /// Errors and events that wait for their statement, oldest first.
    pending_errors: VecDeque<Pending>,
    /// Recent errors of the leaders of parallel workers, newest first.
    leader_errors: VecDeque<Pending>,
    /// Number of messages that arrived while errors waited.
    waited: u64,
    /// For each session that waits for the duration of a fetch, the fetch (`Some`). `None` if the session waits for the
    /// duration of a message that does not count as an execution, such as a fast-path call.
    uncounted: HashMap<u64, Option<Box<OwnedEntry>>>,
    /// Executed portals. Later fetches may belong to them.
    portals: Portals,
    preparations: Preparations,
    plans: Plans,
    workers: WorkerErrors,
    /// The last execution of each session, to which a temporary file may belong.
    last_executions: LastExecutions,
    /// For each session that waits for a lock, the known duration of the wait in microseconds.
    lock_waits: HashMap<u64, u64>,
    has_separate_durations: bool,
    /// Whether the log lacks the duration of at least one successful statement.
    lacks_durations: bool,
    /// Whether the log has a statement without a duration and without a session key (a process ID or session ID).
    has_bare_statements: bool,
    /// Sessions that logged an error with its statement.
    errors_with_statement: HashSet<u64>,
    waits_for_fetches: bool,
    /// Whether messages of earlier files may still wait for their duration or statement ([`Assembler::finish_file`]).
    has_earlier_files: bool,
    /// Whether an earlier file lacks durations.
    earlier_lack_durations: bool,
    clock: Clock,
}

impl Assembler {
    /// Assembles the records of a batch that is not the last one.
    pub fn assemble(&mut self, batch: Batch) -> Records {
        self.waits_for_fetches = batch.selection.durations;
        self.workers.start_batch();
        if batch.selection.events && batch.stats.temporary_files > 0 {
            self.expect_temporary_files(&batch);
        }
        let mut out = Records { list: Vec::with_capacity(batch.messages.len()), batch };
        for index in 0..out.batch.messages.len() {
            self.message(index, &mut out);
        }
        self.own_queued_records(&out.batch);
        self.last_executions.note_last(&out);
        out
    }

    /// Assembles the records of a batch after which the log is idle. Also returns:
    ///
    /// - records that wait only for earlier records;
    /// - statements that wait for their duration. Exception: if durations are selected, or if the log has had
    ///   durations on separate lines, these statements keep waiting.
    ///
    /// Errors keep waiting for their statement, because a program that buffers the log may pause in the middle of a
    /// message.
    pub fn assemble_idle(&mut self, batch: Batch) -> Records {
        let mut out = self.assemble(batch);
        if self.has_separate_durations || out.batch.selection.durations {
            self.empty_queue(&mut out);
        } else {
            self.return_deferred(&mut out);
            self.drain(true, &mut out);
        }
        out
    }

    /// Assembles the records of the last batch. Also returns all waiting records.
    pub fn finish(&mut self, batch: Batch) -> Records {
        let mut out = self.assemble(batch);
        self.give_up_all(&mut out);
        self.preparations.end_all(&mut out.batch.stats);
        out.batch.stats.unpaired_workers += self.workers.unpaired();
        out.batch.stats.still_running += self.still_running();
        out.list.extend(self.portals.take_all().into_iter().map(Record::Owned));
        self.return_deferred(&mut out);
        self.drain(true, &mut out);
        self.end_plans_of_file(&mut out);
        out
    }

    fn message(&mut self, index: usize, out: &mut Records) {
        let Message { session, kind, .. } = out.batch.messages[index];
        if !self.pending_errors.is_empty() && kind != MessageKind::OrphanStatement {
            self.drop_pending_errors(index, out);
        }
        if kind == MessageKind::Event || !self.lock_waits.is_empty() {
            self.lock_wait(index, out);
        }
        if self.last_executions.is_needed {
            self.last_executions.note(index, &out.batch);
        }
        let has_duration = out.batch.messages[index].has(Field::Duration);
        match kind {
            MessageKind::Statement => {
                if !self.preparations.is_empty() {
                    self.add_preparation(index, out);
                }
                self.note_execution(index, out);
                self.go_on(session, out);
                if !self.portals.is_empty() {
                    self.end_portals(index, out);
                }
                if has_duration && self.is_portal(out.batch.entry(index)) {
                    let execution = Box::new(OwnedEntry::new(out.batch.entry(index)));
                    return self.hold(execution, out);
                }
                // Without a session key, a later duration cannot be assigned to the statement, so the statement does
                // not wait.
                let ready = has_duration || session == 0;
                self.has_bare_statements |= session == 0 && !has_duration;
                self.add(Record::InBatch(index as u32), session, ready, out);
            }
            MessageKind::Fetch => {
                self.note_execution(index, out);
                self.go_on(session, out);
                let fetch = Box::new(OwnedEntry::new(out.batch.entry(index)));
                if has_duration {
                    self.fetch(fetch, out);
                } else if session != 0 {
                    self.uncounted.insert(session, Some(fetch));
                }
            }
            MessageKind::SessionEnd => {
                self.flush_pending(session, out);
                self.end_session(session, out);
            }
            MessageKind::ServerStart => self.end_all_sessions(out),
            MessageKind::WorkerEnd => {
                // The session key of this message is the process ID of the ended worker.
                if let Ok(pid) = u32::try_from(session) {
                    let is_waiting = self.await_leader(pid);
                    self.workers.end(pid, is_waiting);
                }
            }
            MessageKind::Plan => self.plan(index, out),
            MessageKind::Uncounted => {
                self.go_on(session, out);
                if session != 0 && !has_duration {
                    self.uncounted.insert(session, None);
                }
            }
            MessageKind::Duration => self.duration(index, out),
            MessageKind::Preparation => {
                self.go_on(session, out);
                self.preparation(index, out);
            }
            MessageKind::Error => {
                if !self.preparations.is_empty() {
                    self.drop_preparation(index, out);
                }
                self.drop_failed(index, out);
                self.flush_pending(session, out);
                self.error(index, out);
                if matches!(out.batch.messages[index].severity, Severity::Fatal | Severity::Panic) {
                    self.end_session(session, out);
                }
            }
            MessageKind::Event => self.event(index, out),
            MessageKind::OrphanStatement => self.orphan_statement(index, out),
            MessageKind::Unrelated => {}
        }
    }

    /// Stops waiting for the duration of the session's previous statement, because the session has logged another
    /// statement.
    fn go_on(&mut self, session: u64, out: &mut Records) {
        self.lacks_durations |= self.awaiting(session).is_some() || self.deferred.contains_key(&session);
        self.flush_pending(session, out);
    }
}

/// Whether a message is a parse or bind message that becomes a record (`RecordSelection::parse_bind`).
#[inline]
fn is_parse_bind(entry: Entry<'_>, batch: &Batch) -> bool {
    batch.selection.parse_bind && matches!(classify(entry.get(Field::Heading)), MessageText::ParseBind { .. })
}
