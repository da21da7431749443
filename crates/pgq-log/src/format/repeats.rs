//! Finds a log that is in the input twice, in two formats.
//!
//! The files of two formats may be rotated at different times, so two files may have only some messages in common.
//! Therefore messages of all files are compared: by time, process ID and text. Of large logs, a sample is compared. The
//! hash of a message decides whether the message is in the sample, so the samples of two formats have the same
//! messages.

use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::HashMap;
use foldhash::fast::FixedState;

use crate::assembly::entry::Entry;
use crate::format::batch::Batch;
use crate::format::detect::LogKind;
use crate::message::event::without_position;
use crate::message::field::Field;
use crate::message::severity::Severity;
use crate::time::clock::Clock;

/// Maximum number of keys in memory. If there are more, the sample is halved.
const MAX_KEYS: usize = 1 << 16;
/// Number of a key's bits that are copied from the message's hash. The sample cannot be smaller than one in
/// 2<sup>`SAMPLE_BITS`</sup> messages.
const SAMPLE_BITS: u32 = 20;
/// Minimum number of common messages at which a file is compared before its end.
const EARLY: usize = 256;
/// Files with fewer common messages are the same log only if one of them has no other messages. Two servers that are
/// started together may log the same message at the same time.
const FEW: usize = 3;
/// Maximum number of bytes of a text that are compared. The end of a long text may be missing in one format.
const TEXT: usize = 1024;
/// UTC offsets are multiples of this number of seconds.
const QUARTER: i64 = 15 * 60;
const SECOND: i64 = 1_000_000;

/// The form of a log: its format, and whether its lines are in an envelope.
pub type LogForm = (LogKind, bool);

/// The current size of the sample: one in N messages. All jobs share it.
#[derive(Debug)]
pub struct Sampling(AtomicU64);

impl Default for Sampling {
    fn default() -> Self {
        Self(AtomicU64::new(1))
    }
}

impl Sampling {
    fn interval(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The parts of a message that are equal in every format.
#[derive(Debug)]
pub struct MessageMark {
    /// Hash of the text, and of the time without its zone.
    sample: u64,
    /// Local time in microseconds.
    local: i64,
    /// Equal to `local` if the zone is unknown.
    utc: i64,
    precision: Precision,
    /// Process ID, or 0 if the log lacks it.
    pid: u32,
}

/// How exactly a log identifies its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Precision {
    /// Whether times have fractions of a second. `%t` writes none.
    has_fraction: bool,
    has_pid: bool,
}

impl Precision {
    fn all() -> impl Iterator<Item = Self> {
        (0..4).map(|bits| Self { has_fraction: bits & 1 > 0, has_pid: bits & 2 > 0 })
    }

    /// Returns the precision at which messages with these two precisions can be compared.
    fn common(self, other: Self) -> Self {
        Self { has_fraction: self.has_fraction && other.has_fraction, has_pid: self.has_pid && other.has_pid }
    }

    fn bits(self) -> u8 {
        u8::from(self.has_fraction) | u8::from(self.has_pid) << 1
    }
}

impl Batch {
    /// Returns a [`MessageMark`] for each of the batch's messages that is in the sample. Omits messages without a time.
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

    /// Returns the keys by which a message with precision `other` finds a stored message with precision `stored`.
    /// `self` is either of these messages. There are two keys because one log may have local times, and the other
    /// seconds since 1970 (`%n`).
    fn keys(&self, stored: Precision, other: Precision) -> impl Iterator<Item = u64> {
        let common = stored.common(other);
        let unit = if common.has_fraction { 1000 } else { SECOND };
        let pid = if common.has_pid { self.pid } else { 0 };
        let precisions = (stored.bits(), common.bits());
        let key = move |micros: i64| {
            let hash = FixedState::default().hash_one((self.sample, micros.div_euclid(unit), pid, precisions));
            hash << SAMPLE_BITS | self.sample & ((1 << SAMPLE_BITS) - 1)
        };
        [Some(self.local), Some(self.utc).filter(|utc| *utc != self.local)].into_iter().flatten().map(key)
    }
}

/// Compares the messages of all files of a run.
#[derive(Debug, Default)]
pub struct RepeatedMessages {
    files: Vec<File>,
    forms: Vec<(LogForm, Keys)>,
    /// Whether messages were added since the last [`RepeatedMessages::end_file`].
    is_open: bool,
    /// Messages of the open file that a file of another [`LogForm`] contains, too.
    hits: Vec<Hit>,
    /// Whether the sample is too large, but cannot be halved. Only messages that were crafted to have equal hashes
    /// cause this.
    is_full: bool,
}

#[derive(Debug)]
struct File {
    name: Arc<str>,
    /// Hash and time of each message in the sample.
    messages: Vec<(u64, i64)>,
}

/// Keys of the messages of one form.
#[derive(Debug, Default)]
struct Keys {
    /// For each key, the index of the first file that has it, and the index of the last file of another form that has
    /// it, too.
    files: HashMap<u64, (u32, u32)>,
    precisions: Vec<Precision>,
}

#[derive(Debug)]
struct Hit {
    sample: u64,
    /// Index of the other file.
    file: u32,
    /// Whether no earlier message of the open file has hit the same message.
    is_first: bool,
}

impl RepeatedMessages {
    /// Adds messages of a file. Returns the name of a file that has the same messages in another form.
    pub fn add(
        &mut self,
        name: &Arc<str>,
        form: LogForm,
        marks: Vec<MessageMark>,
        sampling: &Sampling,
    ) -> Option<Arc<str>> {
        if !std::mem::replace(&mut self.is_open, true) {
            self.files.push(File { name: Arc::clone(name), messages: Vec::new() });
        }
        if !self.forms.iter().any(|(known, _)| *known == form) {
            self.forms.push((form, Keys::default()));
        }
        let mut found = None;
        for mark in marks {
            if mark.sample.is_multiple_of(sampling.interval()) && self.add_message(form, &mark, sampling) {
                found = found.or_else(|| self.same_log());
            }
        }
        found
    }

    /// Ends the open file. Returns the name of a file that has the same messages in another form.
    pub fn end_file(&mut self) -> Option<Arc<str>> {
        let found = self.same_log();
        self.hits.clear();
        self.is_open = false;
        found
    }

    /// Returns whether the files should be compared now.
    fn add_message(&mut self, form: LogForm, mark: &MessageMark, sampling: &Sampling) -> bool {
        let (file, hits) = (self.files.len() as u32 - 1, self.hits.len());
        let mut own = self.forms.iter_mut().filter(|(known, _)| *known == form);
        if self.is_full || !own.any(|(_, keys)| keys.insert(mark, file)) {
            return false; // a message like an earlier one
        }
        let others = self.forms.iter_mut().filter(|(known, _)| *known != form);
        self.hits.extend(others.filter_map(|(_, keys)| keys.hit(mark, file)));
        if let Some(open) = self.files.last_mut() {
            open.messages.push((mark.sample, mark.utc));
        }
        let is_early = self.hits.len() > hits && self.hits.len() >= EARLY && self.hits.len().is_power_of_two();
        self.limit(sampling);
        is_early
    }

    /// Halves the sample until the keys are within their limit.
    fn limit(&mut self, sampling: &Sampling) {
        while self.forms.iter().map(|(_, keys)| keys.files.len()).sum::<usize>() > MAX_KEYS {
            let interval = 2 * sampling.interval();
            if interval > 1 << SAMPLE_BITS {
                self.is_full = true;
                return;
            }
            sampling.0.store(interval, Ordering::Relaxed);
            self.forms.iter_mut().for_each(|(_, keys)| keys.files.retain(|key, _| key.is_multiple_of(interval)));
            self.hits.retain(|hit| hit.sample.is_multiple_of(interval));
            self.files.iter_mut().for_each(|file| file.messages.retain(|(sample, _)| sample.is_multiple_of(interval)));
        }
    }

    /// Returns the name of a file with the same messages as the open file. In the period of both files, the open file
    /// has more than half of the other file's messages, or the other way round. Messages of two servers are rarely
    /// equal.
    fn same_log(&self) -> Option<Arc<str>> {
        let open = self.files.last().filter(|_| self.is_open)?;
        let mut others: Vec<u32> = self.hits.iter().map(|hit| hit.file).collect();
        others.sort_unstable();
        others.dedup();
        let same = others.into_iter().find(|other| {
            let file = &self.files[*other as usize];
            let hits = || self.hits.iter().filter(|hit| hit.file == *other);
            let is_most = |hits: usize, file: &File, during: &File| {
                // If only the local times are equal, the files have no common period, so all messages count.
                let all = file.messages.len();
                let common = Some(file.messages_during(during)).filter(|common| *common > 0).unwrap_or(all);
                2 * hits > common && (hits >= FEW || hits == all)
            };
            is_most(hits().count(), open, file) || is_most(hits().filter(|hit| hit.is_first).count(), file, open)
        });
        same.map(|other| Arc::clone(&self.files[other as usize].name))
    }
}

impl File {
    /// Returns the number of messages in the period of another file.
    fn messages_during(&self, other: &Self) -> usize {
        let times = || other.messages.iter().map(|(_, time)| *time);
        let (first, last) = (times().min(), times().max());
        self.messages.iter().filter(|(_, time)| first <= Some(*time) && Some(*time) <= last).count()
    }
}

impl Keys {
    /// Inserts the keys of a message. Returns `false` if an earlier message has the same time, process ID and text.
    fn insert(&mut self, mark: &MessageMark, file: u32) -> bool {
        let own = mark.precision;
        if mark.keys(own, own).any(|key| self.files.contains_key(&key)) {
            return false;
        }
        if !self.precisions.contains(&own) {
            self.precisions.push(own);
        }
        // A message with a lower precision finds this one by other keys, so insert those as well. A message with a
        // higher precision finds it by the keys for `own`.
        for other in Precision::all().filter(|other| own.common(*other) == *other) {
            for key in mark.keys(own, other) {
                self.files.entry(key).or_insert((file, file));
            }
        }
        true
    }

    /// Searches for a message of another form.
    fn hit(&mut self, mark: &MessageMark, by: u32) -> Option<Hit> {
        let keys = self.precisions.iter().flat_map(|stored| mark.keys(*stored, mark.precision));
        let key = keys.into_iter().find(|key| self.files.contains_key(key))?;
        let (file, hit_by) = self.files.get_mut(&key)?;
        let is_first = std::mem::replace(hit_by, by) != by;
        Some(Hit { sample: mark.sample, file: *file, is_first })
    }
}
