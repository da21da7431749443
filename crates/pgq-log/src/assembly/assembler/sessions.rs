//! Ends sessions. In a log without session IDs, a later session may have the same key (the process ID).

use super::Assembler;
use crate::assembly::records::{Record, Records};

impl Assembler {
    /// Forgets an ended session. Its waiting statement has already been released ([`Self::flush_pending`]).
    pub(super) fn end_session(&mut self, session: u64, out: &mut Records) {
        self.return_portals(session, out);
        self.preparations.end(session, &mut out.batch.stats);
        self.plans.end(session);
        self.last_executions.end(session);
    }

    /// Ends all sessions, because the server has started. Returns all records that wait for messages of their sessions.
    pub(super) fn end_all_sessions(&mut self, out: &mut Records) {
        self.preparations.end_all(&mut out.batch.stats);
        self.last_executions.end_all();
        self.uncounted.clear();
        self.lock_waits.clear();
        out.list.extend(self.portals.take_all().into_iter().map(Record::Owned));
        self.return_deferred(out);
        self.drain(true, out);
    }
}
