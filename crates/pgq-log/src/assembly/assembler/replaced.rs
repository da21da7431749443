//! Executions whose portal is replaced by the session's next statement. In a transaction, the unnamed portal of the
//! extended protocol stays open until the next statement replaces it, and the server logs the plan of an execution only
//! when it closes the portal. If the next statement uses the simple protocol, the server logs this statement before it
//! closes the portal. In this case, the plan of the earlier execution follows the next statement in the log. psycopg 3
//! sends such sequences.

use super::Assembler;
use super::cursors::{is_cursor_like, is_empty};
use super::evidence::same_sql;
use super::executed::is_parse_bind;
use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::records::{Record, Records};
use crate::message::field::Field;
use crate::message::parts::{Message, MessageKind};
use crate::message::portal;

/// Whether a message logs a statement of the simple protocol.
pub(super) fn is_simple(entry: Entry<'_>) -> bool {
    portal::is_simple(entry.get(Field::Heading))
}

impl Assembler {
    /// If statement `index` replaces the portal of the session's waiting execution, makes this execution wait for
    /// its plan instead of its duration.
    pub(super) fn replace_portal(&mut self, index: usize, out: &mut Records) {
        let session = out.batch.messages[index].session;
        let is_plan = self.is_plan_waiting(session);
        let is_replaced = self.pending_entry(session, &out.batch).is_some_and(|execution| {
            !is_simple(execution) && !is_cursor_like(execution) && execution.get(Field::Duration).is_empty()
        });
        // An empty statement closes no portal.
        let next = out.batch.entry(index);
        if is_replaced && !is_plan && is_simple(next) && !is_empty(next.sql()) {
            self.lacks_durations = true;
            if let Some(deferred) = self.take_deferred(session) {
                self.add(Record::Owned(deferred), session, false, false, out);
            }
            let serial = self.awaiting_duration.remove(&session);
            self.replaced.extend(serial.map(|serial| (session, serial)));
        }
    }

    /// Stores the session's waiting execution if its unnamed portal is still open after message `index`. The plan of
    /// this execution may follow much later. This plan must not count as another execution.
    pub(super) fn keep_unnamed_portal(&mut self, index: usize, out: &mut Records) {
        let Message { session, kind, .. } = out.batch.messages[index];
        let is_open = |entry: Entry<'_>| {
            portal::may_have_portal(entry.get(Field::Heading)) || (is_simple(entry) && is_empty(entry.sql()))
        };
        if kind == MessageKind::Statement
            && !is_open(out.batch.entry(index))
            && !is_parse_bind(out.batch.entry(index), &out.batch)
        {
            return;
        }
        let is_plan = self.is_plan_waiting(session);
        let is_unnamed = |execution: &Entry<'_>| {
            !is_simple(*execution) && !is_cursor_like(*execution) && execution.get(Field::Duration).is_empty()
        };
        let waiting = self.pending_entry(session, &out.batch).filter(|execution| !is_plan && is_unnamed(execution));
        if let Some(waiting) = waiting.map(OwnedEntry::new) {
            self.executed.store_cursor(session, waiting.entry());
        }
    }

    /// Ends the session's wait for the plan of a replaced execution if message `index` shows that no plan follows.
    pub(super) fn replaced_until(&mut self, index: usize, out: &mut Records) {
        use MessageKind::{Event, OrphanStatement, Plan, Unrelated};
        if !matches!(out.batch.messages[index].kind, Plan | Event | OrphanStatement | Unrelated) {
            self.end_replaced(out.batch.messages[index].session, None, out);
        }
    }

    /// Ends the session's wait for the plan of a replaced execution. If `plan` is the index of this plan, sets the
    /// execution's duration from the plan and returns true.
    pub(super) fn end_replaced(&mut self, session: u64, plan: Option<usize>, out: &mut Records) -> bool {
        let Some(serial) = self.replaced.remove(&session) else { return false };
        let next = self.awaiting_duration.insert(session, serial);
        let plan = plan.filter(|plan| {
            self.pending_entry(session, &out.batch).is_some_and(|own| same_sql(own, out.batch.entry(*plan)))
        });
        if let Some(plan) = plan {
            let digits = out.batch.entry(plan).get(Field::Duration).to_vec();
            self.set_duration(session, &digits, plan, out);
        }
        if let Some(queued) = self.take_awaiting(session) {
            queued.ready = true;
        }
        self.awaiting_duration.extend(next.map(|next| (session, next)));
        self.drain(false, out);
        plan.is_some()
    }

    /// Ends the wait of all replaced executions.
    pub(super) fn end_all_replaced(&mut self, out: &mut Records) {
        let sessions: Vec<u64> = self.replaced.keys().copied().collect();
        sessions.into_iter().for_each(|session| _ = self.end_replaced(session, None, out));
    }
}
