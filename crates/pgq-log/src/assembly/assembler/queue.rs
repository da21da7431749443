//! The queue of records preserves the log's order. A deferred statement is kept outside the queue until its duration is
//! known.

use super::durations::{set_owned_state, set_state};
use super::{Assembler, MAX_DEFERRED_BYTES, MAX_QUEUED, MAX_QUEUED_BYTES};
use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::records::{Record, Records};
use crate::format::batch::Batch;
use crate::message::field::Field;

pub(super) struct Queued {
    /// `None` if the message was dropped.
    pub record: Option<Record>,
    pub session: u64,
    /// Memory of the record, in bytes.
    pub size: usize,
    /// Whether the record is complete and waits for no other message of its session.
    pub ready: bool,
    /// Whether the record is a plan. A plan waits for the first message with a duration of the same database user.
    pub is_plan: bool,
    /// Whether the record is a plan of a statement that may have been executed inside another statement.
    pub is_unclear: bool,
}

impl Assembler {
    /// Queues a record. If the record is ready and the queue is empty, appends it to `out` instead.
    pub(super) fn add(&mut self, record: Record, session: u64, ready: bool, out: &mut Records) {
        if ready && self.queue.is_empty() {
            return out.list.push(record);
        }
        if !ready {
            self.awaiting_duration.insert(session, self.dequeued + self.queue.len() as u64);
            self.uncounted.remove(&session);
        }
        self.push(Queued { record: Some(record), session, size: 0, ready, is_plan: false, is_unclear: false }, out);
    }

    /// Queues the plan in message `index` until the first duration of its user. `is_unclear`: whether the plan may be
    /// part of another execution.
    pub(super) fn queue_plan(&mut self, index: usize, is_unclear: bool, out: &mut Records) {
        let record = Some(Record::InBatch(index as u32));
        let session = out.batch.messages[index].session;
        self.push(Queued { record, session, size: 0, ready: false, is_plan: true, is_unclear }, out);
    }

    fn push(&mut self, mut queued: Queued, out: &mut Records) {
        queued.size = match &queued.record {
            Some(Record::InBatch(index)) => out.batch.entry(*index as usize).sql().len(),
            Some(Record::Owned(entry)) => entry.memory_size(),
            None => 0,
        };
        self.queued_bytes += queued.size;
        self.queue.push_back(queued);
        self.drain(false, out);
    }

    /// Returns the record in the queue that waits for the session's next duration.
    pub(super) fn awaiting(&mut self, session: u64) -> Option<&mut Queued> {
        let serial = self.awaiting_duration.get(&session)?;
        self.queue.get_mut(serial.checked_sub(self.dequeued)? as usize)
    }

    /// Like `awaiting`, but also ends the record's wait.
    pub(super) fn take_awaiting(&mut self, session: u64) -> Option<&mut Queued> {
        let serial = self.awaiting_duration.remove(&session)?;
        self.queue.get_mut(serial.checked_sub(self.dequeued)? as usize)
    }

    /// Returns the entry that waits for the session's next duration, either in the queue or among the deferred
    /// statements.
    pub(super) fn pending_entry<'a>(&'a self, session: u64, batch: &'a Batch) -> Option<Entry<'a>> {
        if let Some(serial) = self.awaiting_duration.get(&session) {
            return match self.queue.get(serial.checked_sub(self.dequeued)? as usize)?.record.as_ref()? {
                Record::InBatch(index) => Some(batch.entry(*index as usize)),
                Record::Owned(entry) => Some(entry.entry()),
            };
        }
        self.deferred.get(&session).map(|(_, entry)| entry.entry())
    }

    /// Sets the duration of a session's waiting record, and sets the record's time to the time of
    /// message `end`.
    pub(super) fn set_duration(&mut self, session: u64, digits: &[u8], end: usize, out: &mut Records) {
        let time = out.batch.messages[end].range(Field::Time);
        let mut queued = self.awaiting(session).and_then(|queued| queued.record.as_mut());
        queued.iter_mut().for_each(|record| set_state(record, end, &mut out.batch));
        match queued {
            Some(Record::InBatch(record)) => {
                let index = *record as usize;
                let mut message = std::mem::take(&mut out.batch.messages[index]);
                out.batch.add_field(&mut message, Field::Duration, digits);
                message.end_at(message.range(Field::Duration), time);
                out.batch.messages[index] = message;
            }
            Some(Record::Owned(entry)) => entry.end_at(digits, &out.batch.bytes[time]),
            None => {
                if let Some((_, entry)) = self.deferred.get_mut(&session) {
                    let before = entry.memory_size();
                    entry.end_at(digits, &out.batch.bytes[time]);
                    set_owned_state(entry, end, &out.batch);
                    self.deferred_bytes = self.deferred_bytes + entry.memory_size() - before;
                }
            }
        }
    }

    /// Drops a session's waiting statement.
    pub(super) fn drop_pending(&mut self, session: u64, out: &mut Records) {
        if let Some(queued) = self.take_awaiting(session) {
            (queued.record, queued.ready) = (None, true);
            self.drain(false, out);
        } else {
            self.take_deferred(session);
        }
    }

    /// Moves the ready records at the front of the queue to `out`. With `all`, moves every record. If the queue is
    /// full, also removes a record at the front that still waits: a statement is deferred, and a plan becomes an
    /// execution.
    pub(super) fn drain(&mut self, all: bool, out: &mut Records) {
        while let Some(front) = self.queue.front() {
            let is_full = self.queue.len() > MAX_QUEUED || self.queued_bytes > MAX_QUEUED_BYTES;
            if front.ready || all || (is_full && front.is_plan) {
                self.drain_front(out);
            } else if is_full {
                self.defer_front(out);
            } else {
                return;
            }
        }
    }

    /// Moves the record at the front of the queue to `out`, even if it still waits.
    fn drain_front(&mut self, out: &mut Records) {
        let Some(Queued { record, session, size, ready, is_plan, is_unclear }) = self.queue.pop_front() else { return };
        self.dequeued += 1;
        self.queued_bytes -= size;
        match (ready, is_plan) {
            (true, _) => {}
            (false, false) => _ = self.awaiting_duration.remove(&session),
            (false, true) if is_unclear => out.batch.stats.unclear_plans += 1,
            (false, true) => record.iter().for_each(|plan| self.plans.count(plan.entry(&out.batch))),
        }
        out.list.extend(record);
    }

    /// Empties the queue. Defers its statements. Moves all other records to `out`.
    pub(super) fn empty_queue(&mut self, out: &mut Records) {
        while let Some(front) = self.queue.front() {
            if front.ready || front.is_plan {
                self.drain_front(out);
            } else {
                self.defer_front(out);
            }
        }
    }

    /// Removes the record at the front of the queue. This record must be waiting for a duration.
    fn take_front(&mut self, out: &Records) -> Option<(u64, Box<OwnedEntry>)> {
        let Queued { record, session, size, .. } = self.queue.pop_front()?;
        self.dequeued += 1;
        self.queued_bytes -= size;
        self.awaiting_duration.remove(&session);
        Some((session, record?.into_owned(&out.batch)))
    }

    /// Defers the statement at the front of the queue: the statement leaves the queue, but still waits for its
    /// duration.
    pub(super) fn defer_front(&mut self, out: &mut Records) {
        let Some((session, entry)) = self.take_front(out) else { return };
        while self.deferred_bytes + entry.memory_size() > MAX_DEFERRED_BYTES && !self.deferred.is_empty() {
            self.give_up_older_half(out);
        }
        self.deferred_bytes += entry.memory_size();
        if let Some((_, before)) = self.deferred.insert(session, (self.dequeued, entry)) {
            self.deferred_bytes -= before.memory_size();
            out.list.push(Record::Owned(before));
        }
    }

    /// Returns the older half of the deferred statements as records. Many of them are the last statements of sessions
    /// that have ended without a message.
    fn give_up_older_half(&mut self, out: &mut Records) {
        let mut serials: Vec<u64> = self.deferred.values().map(|(serial, _)| *serial).collect();
        let middle = (serials.len() - 1) / 2;
        let (_, last, _) = serials.select_nth_unstable(middle);
        out.batch.stats.given_up += self.return_deferred_up_to(*last, out) as u64;
    }

    /// Returns all deferred statements as records, in the log's order.
    pub(super) fn return_deferred(&mut self, out: &mut Records) {
        self.return_deferred_up_to(u64::MAX, out);
    }

    /// Appends the deferred statements up to serial number `last` to `out`, as records in the log's order. Returns the
    /// number of these statements.
    fn return_deferred_up_to(&mut self, last: u64, out: &mut Records) -> usize {
        let deferred = self.deferred.extract_if(|_, (serial, _)| *serial <= last);
        let mut deferred: Vec<(u64, Box<OwnedEntry>)> = deferred.map(|(_, entry)| entry).collect();
        deferred.sort_by_key(|(serial, _)| *serial);
        self.deferred_bytes -= deferred.iter().map(|(_, entry)| entry.memory_size()).sum::<usize>();
        let count = deferred.len();
        out.list.extend(deferred.into_iter().map(|(_, entry)| Record::Owned(entry)));
        count
    }

    /// Removes and returns the deferred statement of a session.
    pub(super) fn take_deferred(&mut self, session: u64) -> Option<Box<OwnedEntry>> {
        let (_, entry) = self.deferred.remove(&session)?;
        self.deferred_bytes -= entry.memory_size();
        Some(entry)
    }

    /// Copies the text that queued records borrow from `batch`, because the records outlive the batch.
    pub(super) fn own_queued_records(&mut self, batch: &Batch) {
        for queued in &mut self.queue {
            if let Some(Record::InBatch(index)) = queued.record {
                let entry = Box::new(OwnedEntry::new(batch.entry(index as usize)));
                self.queued_bytes += entry.memory_size();
                self.queued_bytes -= queued.size;
                queued.size = entry.memory_size();
                queued.record = Some(Record::Owned(entry));
            }
        }
    }
}
