//! The records that a batch completes.

use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::stats::LogStats;
use crate::format::batch::Batch;

/// A record: a message of the batch, or an owned message of an earlier batch.
#[derive(Debug)]
pub enum Record {
    /// Index in the batch.
    InBatch(u32),
    Owned(Box<OwnedEntry>),
}

impl Record {
    /// Returns the record's entry. If the record is `InBatch`, `batch` must contain it.
    pub fn entry<'a>(&'a self, batch: &'a Batch) -> Entry<'a> {
        match self {
            Self::InBatch(index) => batch.entry(*index as usize),
            Self::Owned(entry) => entry.entry(),
        }
    }

    /// Converts the record to an entry with its own copy of the text. If the record is `InBatch`, `batch` must contain
    /// it.
    pub fn into_owned(self, batch: &Batch) -> Box<OwnedEntry> {
        match self {
            Self::InBatch(index) => Box::new(OwnedEntry::new(batch.entry(index as usize))),
            Self::Owned(entry) => entry,
        }
    }
}

/// The records completed by a batch, in the log's order, and the batch's counts.
#[derive(Debug, Default)]
pub struct Records {
    pub(crate) batch: Batch,
    pub(crate) list: Vec<Record>,
}

impl Records {
    /// Iterates over the records in order.
    pub fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        self.list.iter().map(|record| record.entry(&self.batch))
    }

    /// Returns the counts of read and skipped messages. These counts do not include records: the
    /// caller counts the records that it uses ([`LogStats::count_record`]) or rejects.
    #[must_use]
    pub fn stats(&self) -> &LogStats {
        &self.batch.stats
    }
}
