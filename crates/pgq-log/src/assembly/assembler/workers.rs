//! Errors that the log has twice: a parallel worker logs its error, and its leader logs the same one. Recognizes
//! the second where the log has no types of processes (`%b`); where it has them, batch.rs drops the worker's.

use std::collections::VecDeque;

use crate::assembly::entry::Entry;
use crate::message::event::is_of_worker;
use crate::message::field::Field;

/// Errors of possible workers that are kept, oldest first.
const MAX_KEPT: usize = 64;

/// The last errors of processes without a user.
#[derive(Default)]
pub struct WorkerErrors {
    /// Process IDs and messages.
    kept: VecDeque<(u32, Box<[u8]>)>,
    /// Whether the log names users.
    has_users: bool,
}

impl WorkerErrors {
    /// Whether an error is the duplicate: the worker's if the log names users, which workers do not have; else the
    /// leader's.
    pub fn is_duplicate(&mut self, error: Entry<'_>) -> bool {
        if !error.get(Field::User).is_empty() {
            self.has_users = true;
        } else if self.has_users {
            return error.get(Field::Database).is_empty() && !error.get(Field::Statement).is_empty();
        }
        if self.has_users {
            return false;
        }
        let message = error.get(Field::Message);
        if is_of_worker(error.get(Field::Context)) {
            let same = |(pid, kept): &(u32, Box<[u8]>)| *pid != error.pid() && **kept == *message;
            return self.kept.iter().position(same).and_then(|at| self.kept.remove(at)).is_some();
        }
        if self.kept.len() == MAX_KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back((error.pid(), message.into()));
        false
    }
}
