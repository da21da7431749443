//! The parts of a message by which two files are compared.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::fast::FixedState;

use crate::assembly::entry::Entry;
use crate::format::batch::Batch;
use crate::message::event::without_position;
use crate::message::field::Field;
use crate::message::severity::Severity;
use crate::time::clock::Clock;

/// Number of low bits that a key (`MessageMark::keys`) copies from the hash of its message. These bits decide whether
/// the message is in the sample: each time the sample is halved, one more of them must be 0. If all of them must be 0,
/// the sample is the smallest possible one. It has one in 2<sup>`SAMPLE_BITS`</sup> messages.
pub const SAMPLE_BITS: u32 = 20;
/// Number of leading bytes of a text that are compared. Later bytes are ignored, because a log in another format may
/// lack the end of a long text.
const TEXT: usize = 1024;
/// UTC offsets are multiples of this number of seconds.
const QUARTER: i64 = 15 * 60;
const SECOND: i64 = 1_000_000;

/// Size of the sample of messages that are compared: one in N messages. All threads share this value.
#[derive(Debug)]
pub struct Sampling(AtomicU64);

impl Default for Sampling {
    fn default() -> Self {
        Self(AtomicU64::new(1))
    }
}

impl Sampling {
    pub(crate) fn interval(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn set_interval(&self, interval: u64) {
        self.0.store(interval, Ordering::Relaxed);
    }
}

/// The parts of a message that are equal in every format.
#[derive(Debug)]
pub struct MessageMark {
    /// Hash of the text and the time. The hash is the same in every time zone.
    pub(crate) sample: u64,
    /// Local time in microseconds.
    pub(crate) local: i64,
    /// UTC time in microseconds. Equal to `local` if the zone is unknown.
    pub(crate) utc: i64,
    pub(crate) precision: Precision,
    /// Process ID, or 0 if the log lacks it.
    pid: u32,
}

/// Precision of a log's messages: whether their times have fractions of a second, and whether they have process IDs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precision {
    /// Whether times have fractions of a second. `%t` writes none.
    has_fraction: bool,
    has_pid: bool,
}

impl Precision {
    pub fn all() -> impl Iterator<Item = Self> {
        (0..4).map(|bits| Self { has_fraction: bits & 1 > 0, has_pid: bits & 2 > 0 })
    }

    /// Returns the precision at which messages with these two precisions can be compared.
    pub fn common(self, other: Self) -> Self {
        Self { has_fraction: self.has_fraction && other.has_fraction, has_pid: self.has_pid && other.has_pid }
    }

    /// Returns the unit in which times are compared, in microseconds.
    pub fn unit(self) -> i64 {
        if self.has_fraction { 1000 } else { SECOND }
    }

    fn bits(self) -> u8 {
        u8::from(self.has_fraction) | u8::from(self.has_pid) << 1
    }
}

impl Batch {
    /// Returns a mark for each message in the sample. A mark contains the parts of a message that are compared. Omits
    /// messages without a time.
    #[must_use]
    pub fn marks(&self, sampling: &Sampling) -> Vec<MessageMark> {
        let (mut clock, interval) = (Clock::default(), sampling.interval());
        let marks = (0..self.messages.len()).filter_map(|index| MessageMark::new(self.entry(index), &mut clock));
        marks.filter(|mark| mark.sample.is_multiple_of(interval)).collect()
    }
}

impl MessageMark {
    fn new(entry: Entry<'_>, clock: &mut Clock) -> Option<Self> {
        let time = entry.get(Field::Time);
        let text = match entry.get(Field::Message) {
            text if entry.severity() == Severity::Log => text,
            text => without_position(text), // only an error has a position
        };
        let parsed = clock.parse(time).filter(|_| !text.is_empty())?;
        let (local, utc) = (parsed.local_micros(), parsed.unix_micros());
        let second = local.div_euclid(SECOND).rem_euclid(QUARTER);
        Some(Self {
            sample: FixedState::default().hash_one((&text[..text.len().min(TEXT)], second)),
            local,
            utc,
            precision: Precision { has_fraction: time.contains(&b'.'), has_pid: entry.pid() != 0 },
            pid: entry.pid(),
        })
    }

    /// Returns the hash keys of a message. Equal messages of two logs have at least one key in common. `stored`: the
    /// precision of the messages in the log that was read first. `other`: the precision of the messages in the other
    /// log. `self`: a message of one of the two logs.
    ///
    /// The first key contains the local time. If the UTC time is different, a second key contains the UTC time: one of
    /// the two logs may have local times, and the other log may have seconds since 1970 (`%n`).
    pub(crate) fn keys(&self, stored: Precision, other: Precision) -> impl Iterator<Item = u64> {
        let common = stored.common(other);
        let unit = common.unit();
        let pid = if common.has_pid { self.pid } else { 0 };
        let precisions = (stored.bits(), common.bits());
        let key = move |micros: i64| {
            let hash = FixedState::default().hash_one((self.sample, micros.div_euclid(unit), pid, precisions));
            hash << SAMPLE_BITS | self.sample & ((1 << SAMPLE_BITS) - 1)
        };
        [Some(self.local), Some(self.utc).filter(|utc| *utc != self.local)].into_iter().flatten().map(key)
    }
}
