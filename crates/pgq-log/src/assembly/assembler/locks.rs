//! Determines the duration of lock waits that ended in an error. The server logs the end of a lock wait only if the
//! lock was granted. After an error, only a lower bound is known: the duration in the last message about the wait.

use super::Assembler;
use crate::assembly::records::Records;
use crate::message::event::Event;
use crate::message::field::Field;
use crate::message::parts::MessageKind;

impl Assembler {
    /// Starts or ends a session's wait for a lock. If the wait ended in an error, sets `lock_wait` of message `index`
    /// to the known duration of the wait. This message reports the error, or the duration of the statement that caught
    /// the error.
    pub(super) fn lock_wait(&mut self, index: usize, out: &mut Records) {
        let message = &mut out.batch.messages[index];
        match (message.kind, message.event) {
            (_, Some(Event::LockWait { waited })) if message.session != 0 => {
                self.lock_waits.insert(message.session, waited);
            }
            (_, Some(Event::LockAcquired { .. })) => drop(self.lock_waits.remove(&message.session)),
            (MessageKind::Event | MessageKind::OrphanStatement | MessageKind::Unrelated, _) => {}
            (kind, _) => {
                let waited = self.lock_waits.remove(&message.session).unwrap_or(0);
                let is_end = kind == MessageKind::Statement && message.has(Field::Duration);
                if kind == MessageKind::Error || is_end {
                    message.lock_wait = waited;
                }
            }
        }
    }
}
