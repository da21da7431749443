//! Detects errors that are in the log twice: as messages of a parallel worker and of its leader.

use std::collections::VecDeque;

use crate::format::batch::Batch;
use crate::message::event::{PARALLEL_WORKER, is_of_worker};
use crate::message::field::Field;
use crate::message::parts::Message;
use crate::message::severity::Severity;

/// Message that a parallel worker logs if its leader ends the worker (bgworker.c: bgworker_die).
const ENDED: &[u8] = b"terminating background worker \"parallel worker\" due to administrator command";

/// Messages that a parallel worker logs if its leader ends while the worker starts (parallel.c: ParallelWorkerMain;
/// dsa.c: attach_internal).
const LATE: [&[u8]; 2] = [b"could not map dynamic shared memory segment", b"could not attach to dynamic shared area"];
/// SQLSTATE of the messages [`LATE`].
const LATE_STATE: &[u8] = b"55000";

/// Maximum number of stored errors of processes that may be workers.
const MAX_KEPT: usize = 64;

/// Recent errors of processes that may be workers.
#[derive(Default)]
pub struct WorkerErrors {
    /// Oldest first.
    kept: VecDeque<KeptError>,
    /// Number of worker errors that were removed from `kept` before a leader repeated them.
    unpaired: u64,
    /// Whether at least one message of the log has both a user and a database. If so, each line of a client has both,
    /// and a line of a worker has neither. Otherwise, the application name may be the only name on a line. This name
    /// does not distinguish clients from workers, because a client can leave it empty.
    has_users: bool,
    /// Whether the log has SQLSTATEs. If so, a line without a SQLSTATE may be from a worker. A worker has no session of
    /// its own. Its lines therefore lack the part of the prefix after `%q`, which may contain the SQLSTATE (`%e`).
    has_states: bool,
    /// Whether [`Self::read`] has read the current batch.
    has_read: bool,
}

/// An error of a process that may be a worker.
struct KeptError {
    /// 0 if the log lacks process IDs.
    pid: u32,
    message: Box<[u8]>,
    /// Whether the process was a worker and has ended.
    is_of_worker: bool,
}

/// Which other process logs the same error.
pub enum Repeats {
    Nothing,
    /// The leader has caused or logged the error.
    OfLeader,
    /// A worker has logged the error. The leader logs it, too, unless a function of the leader catches it.
    MaybeOfLeader,
    /// The worker with this process ID has logged the error.
    OfWorker(u32),
}

impl WorkerErrors {
    /// Returns which process also logs the error in message `index`.
    pub fn repeats(&mut self, index: usize, batch: &Batch) -> Repeats {
        self.read(batch);
        let error = batch.entry(index);
        let [user, database, state] = [Field::User, Field::Database, Field::SqlState].map(|field| error.get(field));
        // If a leader ends its worker, for example because of a timeout, the worker's message contains `"parallel
        // worker"` in every language. A client can cause another message with the same words: it uses them as its user
        // name, and the server refuses the login. That message has a user, so it is not mistaken for the message of a
        // worker.
        let message = error.get(Field::Message);
        let may_be_of_worker = match error.get(Field::BackendType) {
            b"" => user.is_empty() && database.is_empty() && (self.has_users || message.starts_with(ENDED)),
            backend => backend == PARALLEL_WORKER,
        };
        let is_ended = may_be_of_worker && memchr::memmem::find(message, PARALLEL_WORKER).is_some();
        if error.severity() == Severity::Fatal && is_ended {
            return Repeats::OfLeader;
        }
        // In other languages, only the SQLSTATE identifies `LATE`. An error of the statement may have the same
        // SQLSTATE.
        let has_late_state = error.get(Field::BackendType) == PARALLEL_WORKER && state == LATE_STATE;
        let is_late = LATE.contains(&message) || has_late_state && error.get(Field::Statement).is_empty();
        if may_be_of_worker && is_late {
            return Repeats::OfLeader;
        }
        match error.get(Field::BackendType) {
            b"" => {}
            PARALLEL_WORKER => return Repeats::MaybeOfLeader,
            _ => return Repeats::Nothing,
        }
        // A line of a worker has no application name. Exception: PostgreSQL 12 and earlier write one in a csvlog, so
        // the name in a csvlog is ignored.
        let is_row = !state.is_empty() && !error.get(Field::Session).is_empty();
        let has_no_application = is_row || error.get(Field::Application).is_empty();
        let has_no_names = user.is_empty() && database.is_empty();
        if has_no_names && (self.has_users && has_no_application || self.has_states && state.is_empty()) {
            return if error.get(Field::Statement).is_empty() { Repeats::Nothing } else { Repeats::MaybeOfLeader };
        }
        if self.has_users {
            return Repeats::Nothing;
        }
        if is_of_worker(error.get(Field::Context)) {
            let same = |kept: &KeptError| (kept.pid != error.pid() || kept.pid == 0) && *kept.message == *message;
            let worker = self.kept.iter().position(same).and_then(|at| self.kept.remove(at));
            return match worker {
                // Without process IDs, the worker's message cannot be found, so drop the leader's message instead.
                Some(KeptError { pid: 0, .. }) => Repeats::OfLeader,
                Some(KeptError { pid, .. }) => Repeats::OfWorker(pid),
                None => Repeats::Nothing,
            };
        }
        if self.kept.len() == MAX_KEPT {
            let oldest = self.kept.pop_front();
            self.unpaired += oldest.map_or(0, |oldest| u64::from(oldest.is_of_worker));
        }
        self.kept.push_back(KeptError { pid: error.pid(), message: message.into(), is_of_worker: false });
        Repeats::Nothing
    }

    /// Resets the detected properties of the log, because the next file may be another log.
    pub fn start_file(&mut self) {
        (self.has_users, self.has_states) = (false, false);
    }

    /// Prepares for the next batch. Must be called before the errors of the batch are handled.
    pub fn start_batch(&mut self) {
        self.has_read = false;
    }

    /// Detects whether the log has users, databases and SQLSTATEs. Inspects all messages of a batch, once.
    fn read(&mut self, batch: &Batch) {
        if std::mem::replace(&mut self.has_read, true) || (self.has_users && self.has_states) {
            return;
        }
        let has_names = |message: &Message| message.has(Field::User) && message.has(Field::Database);
        self.has_users |= batch.messages.iter().any(has_names);
        self.has_states |= batch.messages.iter().any(|message| message.has(Field::SqlState));
    }

    /// Handles the end of a worker. `is_waiting`: whether the worker's error is held until the leader logs the same
    /// error.
    pub fn end(&mut self, worker: u32, is_waiting: bool) {
        if is_waiting {
            self.kept.retain(|kept| kept.pid != worker);
        } else if let Some(kept) = self.kept.iter_mut().rfind(|kept| kept.pid == worker) {
            kept.is_of_worker = true;
        }
    }

    /// Returns the number of counted errors of workers that may be repetitions of a leader's error. For example, two
    /// workers log an error, and their leader logs it once. The leader's error can replace only one of the two.
    pub fn unpaired(&self) -> u64 {
        self.unpaired + self.kept.iter().filter(|kept| kept.is_of_worker).count() as u64
    }
}
