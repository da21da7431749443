//! Assigns durations on separate lines to their statements, and releases statements whose duration
//! will not follow.

use std::ops::Range;

use super::Assembler;
use crate::assembly::entry::OwnedEntry;
use crate::assembly::records::{Record, Records};
use crate::format::batch::Batch;
use crate::message::field::Field;
use crate::message::parts::Message;
use crate::message::portal::portal_name;

impl Assembler {
    /// Assigns a duration on a separate line to the session's most recent statement.
    pub(super) fn duration(&mut self, index: usize, out: &mut Records) {
        let Message { session, .. } = out.batch.messages[index];
        let is_of_other = session != 0 && self.is_of_other_statement(index, &out.batch);
        let is_waiting = !is_of_other && (self.awaiting(session).is_some() || self.deferred.contains_key(&session));
        if is_waiting && !self.preparations.is_empty() {
            self.add_preparation_to(index, out);
        }
        let [digits, time] = [Field::Duration, Field::Time].map(|field| out.batch.messages[index].range(field));
        if session == 0 {
            out.batch.stats.unassigned_durations += 1;
        } else if is_of_other {
            self.flush_pending(session, out);
            out.batch.stats.orphan_durations += 1;
        } else if let Some(fetch) = self.uncounted.remove(&session) {
            // A fast-path call (`None`) needs no record, because its message was already counted.
            if let Some(mut fetch) = fetch {
                fetch.set(Field::Duration, &out.batch.bytes[digits]);
                self.fetch(fetch, out);
            }
        } else if self.awaiting(session).is_some() {
            self.complete(session, index, out);
            self.has_separate_durations = true;
            self.drain(false, out);
        } else if let Some(mut entry) = self.take_deferred(session) {
            entry.end_at(&out.batch.bytes[digits], &out.batch.bytes[time]);
            let mut record = Record::Owned(entry);
            set_state(&mut record, index, &mut out.batch);
            let entry = record.into_owned(&out.batch);
            self.has_separate_durations = true;
            if self.is_portal(entry.entry()) {
                return self.hold(entry, out);
            }
            out.list.push(Record::Owned(entry));
        } else {
            out.batch.stats.orphan_durations += 1;
        }
    }

    /// Completes a session's waiting statement with the duration and the time of message `index`.
    fn complete(&mut self, session: u64, index: usize, out: &mut Records) {
        let Some(serial) = self.awaiting_duration.remove(&session) else { return };
        let Some(queued) = self.queue.get_mut((serial - self.dequeued) as usize) else { return };
        queued.ready = true;
        let Some(record) = &mut queued.record else { return };
        let [digits, time] = [Field::Duration, Field::Time].map(|field| out.batch.messages[index].range(field));
        set_state(record, index, &mut out.batch);
        match record {
            Record::InBatch(record) => out.batch.messages[*record as usize].end_at(digits, time),
            Record::Owned(entry) => entry.end_at(&out.batch.bytes[digits], &out.batch.bytes[time]),
        }
        if self.waits_for_fetches && portal_name(record.entry(&out.batch).get(Field::Heading)).is_some() {
            let execution = queued.record.take().map(|record| record.into_owned(&out.batch));
            execution.into_iter().for_each(|execution| self.hold(execution, out));
        }
    }

    /// Releases a session's waiting statement. The session has continued, so the statement's duration will not follow.
    pub(super) fn flush_pending(&mut self, session: u64, out: &mut Records) {
        if !self.uncounted.is_empty() {
            self.uncounted.remove(&session);
        }
        if self.awaiting_duration.is_empty() && self.deferred.is_empty() {
            return;
        }
        // If only slow statements have a duration (log_min_duration_statement), the log may have the durations of a
        // portal's fetches but not the duration of its execution. Therefore keep the execution of a portal until its
        // transaction ends, so that later fetches can be joined with it.
        let is_portal = self.pending_entry(session, &out.batch).is_some_and(|entry| self.is_portal(entry));
        if let Some(queued) = self.take_awaiting(session) {
            queued.ready = true;
            let execution = if is_portal { queued.record.take() } else { None };
            execution.into_iter().for_each(|record| self.hold(record.into_owned(&out.batch), out));
            self.drain(false, out);
        } else if let Some(entry) = self.take_deferred(session) {
            if is_portal {
                return self.hold(entry, out);
            }
            out.list.push(Record::Owned(entry));
        }
    }
}

/// Sets the query ID, transaction ID and command tag of a statement to those of message `end`, which has the
/// statement's duration. The server logs `statement:` before these values are known.
pub(super) fn set_state(statement: &mut Record, end: usize, batch: &mut Batch) {
    match statement {
        Record::InBatch(index) => {
            let index = *index as usize;
            state(end, batch).for_each(|(field, range)| batch.messages[index].set(field, range));
        }
        Record::Owned(entry) => set_owned_state(entry, end, batch),
    }
}

/// Like [`set_state`], for a statement that is not in the batch.
pub(super) fn set_owned_state(statement: &mut OwnedEntry, end: usize, batch: &Batch) {
    state(end, batch).for_each(|(field, range)| statement.set(field, &batch.bytes[range]));
}

/// Returns the query ID, transaction ID and command tag of a message, if they are selected and known.
fn state(end: usize, batch: &Batch) -> impl Iterator<Item = (Field, Range<usize>)> + use<> {
    let known = [Field::QueryId, Field::Txid, Field::CommandTag].map(|field| {
        let range = batch.messages[end].range(field);
        let is_known = batch.selection.session_fields && !matches!(&batch.bytes[range.clone()], b"" | b"0");
        is_known.then_some((field, range))
    });
    known.into_iter().flatten()
}
