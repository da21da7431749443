//! The border between two files of a run. A server rotates its log while statements run, so the duration of a statement
//! may be in the next file.

use std::sync::Arc;

use super::Assembler;
use crate::assembly::entry::Entry;
use crate::assembly::records::{Record, Records};
use crate::format::batch::Batch;
use crate::message::field::Field;
use crate::time::clock::{Clock, duration_micros};

impl Assembler {
    /// Assembles the records of the last batch of `file`. The next file may continue the log, or be another log. If
    /// durations matter, statements that wait for their duration or for fetches wait further, and [`Self::finish`] must
    /// be called after the last file. The rest of the state belongs to `file` alone.
    pub fn finish_file(&mut self, batch: Batch, file: &Arc<str>) -> Records {
        if !batch.selection.durations {
            let records = self.finish(batch);
            *self = Self::default();
            return records;
        }
        let mut out = self.assemble_idle(batch);
        out.batch.stats.unpaired_workers += self.workers.unpaired();
        out.list.extend(self.inner_plans.take_all().into_iter().map(Record::Owned));
        let statements = self.deferred.values_mut().map(|(_, entry)| entry);
        let fetches = self.uncounted.values_mut().flatten();
        for entry in statements.chain(fetches).chain(self.portals.entries_mut()) {
            entry.file.get_or_insert_with(|| Arc::clone(file));
        }
        let ended = std::mem::take(self);
        *self = Self {
            dequeued: ended.dequeued,
            has_earlier_files: true,
            earlier_lack_durations: ended.earlier_lack_durations
                || ended.lacks_durations
                || !(ended.has_separate_durations || ended.deferred.is_empty()),
            deferred: ended.deferred,
            deferred_bytes: ended.deferred_bytes,
            uncounted: ended.uncounted,
            portals: ended.portals,
            ..Self::default()
        };
        out
    }

    /// Returns the number of statements that were running at the end of a log that has the durations of all others.
    pub(super) fn still_running(&self) -> u64 {
        let earlier = self.deferred.values().filter(|(_, entry)| entry.file.is_some()).count();
        let waiting = self.queue.iter().filter(|queued| !queued.ready && !queued.is_plan).count();
        let own = self.deferred.len() - earlier + waiting;
        let has_all = self.has_separate_durations && !self.lacks_durations;
        (if has_all { own } else { 0 } + if self.earlier_lack_durations { 0 } else { earlier }) as u64
    }

    /// Releases a statement of an earlier file if message `index` is of another session with the same key.
    pub(super) fn release_of_other_session(&mut self, index: usize, out: &mut Records) {
        let session = out.batch.messages[index].session;
        let Some((_, waiting)) = self.deferred.get(&session) else { return };
        if waiting.file.is_some()
            && !waiting.entry().is_of_session(out.batch.entry(index))
            && let Some(waiting) = self.take_deferred(session)
        {
            out.list.push(Record::Owned(waiting));
        }
    }

    /// Whether what waits for a duration is of an earlier session, whose process had the same ID.
    pub(super) fn is_of_another_session(&self, index: usize, batch: &Batch) -> bool {
        let session = batch.messages[index].session;
        let fetch = self.uncounted.get(&session).and_then(|fetch| fetch.as_ref()).map(|fetch| fetch.entry());
        let waiting = fetch.or_else(|| self.pending_entry(session, batch));
        waiting
            .is_some_and(|waiting| !waiting.is_of_session(batch.entry(index)) || !may_end(waiting, batch.entry(index)))
    }
}

/// Whether a message with a duration may end a statement. If the statement is in an earlier file without IDs of
/// sessions, the file may be of another server. Then the times must fit.
fn may_end(statement: Entry<'_>, end: Entry<'_>) -> bool {
    /// Some times have no fractions of seconds, and the server may have waited before it wrote a message.
    const TOLERANCE: u64 = 2_000_000;
    let has_session = |entry: Entry<'_>| !entry.get(Field::Session).is_empty();
    if statement.file().is_none() || (has_session(statement) && has_session(end)) {
        return true;
    }
    let mut clock = Clock::default();
    let mut micros = |entry: Entry<'_>| Some(clock.parse(entry.get(Field::Time))?.unix_micros());
    let (Some(start), Some(ended), Some(took)) =
        (micros(statement), micros(end), duration_micros(end.get(Field::Duration)))
    else {
        return false;
    };
    start.saturating_add_unsigned(took).abs_diff(ended) <= TOLERANCE
}
