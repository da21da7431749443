//! The records that a batch completes. Holds them and does not assemble them.

use crate::assembly::entry::{Entry, OwnedEntry};
use crate::assembly::stats::LogStats;
use crate::format::batch::Batch;

/// A record: a message of the batch, or of an earlier one.
#[derive(Debug)]
pub enum Record {
    /// Index in the batch.
    InBatch(u32),
    Owned(Box<OwnedEntry>),
}

impl Record {
    /// `batch` is the one that it may be in.
    pub fn entry<'a>(&'a self, batch: &'a Batch) -> Entry<'a> {
        match self {
            Self::InBatch(index) => batch.entry(*index as usize),
            Self::Owned(entry) => entry.entry(),
        }
    }

    /// The record with its own copy of the text. `batch` is the one that it may be in.
    pub fn into_owned(self, batch: &Batch) -> Box<OwnedEntry> {
        match self {
            Self::InBatch(index) => Box::new(OwnedEntry::new(batch.entry(index as usize))),
            Self::Owned(entry) => entry,
        }
    }
}

/// The records that a batch completes, in the log's order, and counts of the batch.
#[derive(Debug, Default)]
pub struct Records {
    pub(crate) batch: Batch,
    pub(crate) list: Vec<Record>,
}

impl Records {
    /// The records in order.
    pub fn iter(&self) -> impl Iterator<Item = Entry<'_>> {
        self.list.iter().map(|record| record.entry(&self.batch))
    }

    /// Counts of what was read and left out. The caller counts the records that it uses
    /// ([`LogStats::count_record`]) or rejects.
    #[must_use]
    pub fn stats(&self) -> &LogStats {
        &self.batch.stats
    }
}
