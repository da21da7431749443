//! Finds a log that is in the input twice, in one format or in two.
//!
//! A file may be a part of another file, and the files of two formats may be rotated at different times, so two files
//! may have only some messages in common. Therefore messages of all files are compared: by time, process ID and text.
//! For large logs, only a sample of the messages is compared. The hash of a message decides whether the message is in
//! the sample, so a message that two files contain is in the samples of both, or of neither.

use std::sync::Arc;

use foldhash::HashMap;

use crate::format::detect::LogKind;
use crate::format::mark::{MessageMark, Precision, SAMPLE_BITS, Sampling};

/// Maximum number of keys (hashes of messages) in memory. If there are more, the sample of messages is halved.
const MAX_KEYS: usize = 1 << 16;
/// A file is compared with the earlier files when it ends, or as soon as it has at least this number of messages in
/// common with them.
const EARLY: usize = 256;
/// Two files count as copies if they share at least this number of messages, or if one file contains all messages of
/// the other. One shared message proves nothing, because two servers that start together may log the same message at
/// the same time.
const FEW: usize = 3;
/// The form of a log: its format, and whether its lines are in an envelope.
pub type LogForm = (LogKind, bool);

/// Compares the messages of all files of a run.
#[derive(Debug, Default)]
pub struct RepeatedMessages {
    files: Vec<File>,
    keys: Keys,
    /// Whether messages were added since the last [`RepeatedMessages::end_file`].
    is_open: bool,
    /// Messages of the open file that another file contains.
    hits: Vec<Hit>,
    /// Whether the sample is too large, but cannot be halved. This happens only if messages were
    /// crafted to have equal hashes.
    is_full: bool,
}

#[derive(Debug)]
struct File {
    name: Arc<str>,
    form: LogForm,
    /// Hash and time of each message in the sample.
    messages: Vec<(u64, i64)>,
}

/// Keys of the messages of all files.
#[derive(Debug, Default)]
struct Keys {
    /// For each key (the hash of a message), the indexes of the first file and of the last file with this key.
    files: HashMap<u64, (u32, u32)>,
    precisions: Vec<Precision>,
}

#[derive(Debug)]
struct Hit {
    sample: u64,
    /// Local time of the message, in milliseconds if the two compared messages have fractions of a second, and in
    /// seconds otherwise.
    time: i64,
    /// Index of the other file.
    file: u32,
    /// Whether no earlier message of the open file equals the other file's message. If two messages of the open file
    /// equal one message of the other file, the flag is true for the first of the two, and false for the second.
    is_first: bool,
}

impl RepeatedMessages {
    /// Adds messages of a file. If an earlier file has the same messages, returns its name.
    pub fn add(
        &mut self,
        name: &Arc<str>,
        form: LogForm,
        marks: Vec<MessageMark>,
        sampling: &Sampling,
    ) -> Option<Arc<str>> {
        if !std::mem::replace(&mut self.is_open, true) {
            self.files.push(File { name: Arc::clone(name), form, messages: Vec::new() });
        }
        let mut found = None;
        for mark in marks {
            if mark.sample.is_multiple_of(sampling.interval()) && self.add_message(&mark, sampling) {
                found = found.or_else(|| self.same_log());
            }
        }
        found
    }

    /// Ends the open file. If an earlier file has the same messages, returns its name.
    pub fn end_file(&mut self) -> Option<Arc<str>> {
        let found = self.same_log();
        self.hits.clear();
        self.is_open = false;
        found
    }

    /// Adds a message of the open file. Returns whether the files should be compared now.
    fn add_message(&mut self, mark: &MessageMark, sampling: &Sampling) -> bool {
        let file = self.files.len() as u32 - 1;
        if self.is_full || self.keys.has(mark, file) {
            return false; // the file has a message like this
        }
        let hit = self.keys.hit(mark, file);
        self.keys.insert(mark, file);
        if let Some(open) = self.files.last_mut() {
            open.messages.push((mark.sample, mark.utc));
        }
        let is_hit = hit.is_some();
        self.hits.extend(hit);
        let is_early = is_hit && self.hits.len() >= EARLY && self.hits.len().is_power_of_two();
        self.limit(sampling);
        is_early
    }

    /// Halves the sample of messages until the number of keys is within its limit.
    fn limit(&mut self, sampling: &Sampling) {
        while self.keys.files.len() > MAX_KEYS {
            let interval = 2 * sampling.interval();
            if interval > 1 << SAMPLE_BITS {
                self.is_full = true;
                return;
            }
            sampling.set_interval(interval);
            self.keys.files.retain(|key, _| key.is_multiple_of(interval));
            self.hits.retain(|hit| hit.sample.is_multiple_of(interval));
            self.files.iter_mut().for_each(|file| file.messages.retain(|(sample, _)| sample.is_multiple_of(interval)));
        }
    }

    /// Returns the name of another file that contains the log of the open file. Compares the messages in the period
    /// that both files cover. In this period, most messages of one file must also be in the other file. A
    /// majority suffices, because messages of two servers are rarely equal.
    fn same_log(&self) -> Option<Arc<str>> {
        let open = self.files.last().filter(|_| self.is_open)?;
        let mut others: Vec<u32> = self.hits.iter().map(|hit| hit.file).collect();
        others.sort_unstable();
        others.dedup();
        let same = others.into_iter().find(|other| {
            let file = &self.files[*other as usize];
            let hits = || self.hits.iter().filter(|hit| hit.file == *other);
            // The server may rotate a log in the middle of a second, and write the same statements
            // before and after. Therefore equal messages of a single second do not show that two
            // files contain the same log.
            let first_time = hits().next().map(|hit| hit.time);
            let is_one_form = file.form == open.form;
            let may_be_rotated = is_one_form && hits().all(|hit| Some(hit.time) == first_time);
            let is_most = |hits: usize, file: &File, during: &File| {
                // `messages_during` compares UTC times, so it may return 0 for messages whose local times agree. All
                // messages of the file are counted then.
                let all = file.messages.len();
                let common = Some(file.messages_during(during)).filter(|common| *common > 0).unwrap_or(all);
                // If both files have the same format, at least 95 % of the messages must be equal. The tolerance is
                // for damaged lines. If the formats differ, more than half of the messages must be equal.
                let is_same = if is_one_form { 20 * hits >= 19 * common } else { 2 * hits > common };
                is_same && (hits == all || hits >= FEW && !may_be_rotated)
            };
            is_most(hits().count(), open, file) || is_most(hits().filter(|hit| hit.is_first).count(), file, open)
        });
        same.map(|other| Arc::clone(&self.files[other as usize].name))
    }
}

impl File {
    /// Returns the number of this file's messages in the period of `other`.
    fn messages_during(&self, other: &Self) -> usize {
        let times = || other.messages.iter().map(|(_, time)| *time);
        let (first, last) = (times().min(), times().max());
        self.messages.iter().filter(|(_, time)| first <= Some(*time) && Some(*time) <= last).count()
    }
}

impl Keys {
    /// Whether a file has a message with the time, process ID and text of `mark`.
    fn has(&self, mark: &MessageMark, file: u32) -> bool {
        let own = mark.precision;
        let files = mark.keys(own, own).filter_map(|key| self.files.get(&key));
        files.into_iter().any(|(first, last)| *first == file || *last == file)
    }

    fn insert(&mut self, mark: &MessageMark, file: u32) {
        let own = mark.precision;
        if !self.precisions.contains(&own) {
            self.precisions.push(own);
        }
        // Store keys for the message's own precision and for all coarser precisions.
        for other in Precision::all().filter(|other| own.common(*other) == *other) {
            for key in mark.keys(own, other) {
                self.files.entry(key).or_insert((file, file));
            }
        }
    }

    /// Searches for the same message in an earlier file.
    fn hit(&mut self, mark: &MessageMark, by: u32) -> Option<Hit> {
        let stored = self.precisions.iter().flat_map(|stored| mark.keys(*stored, mark.precision).zip([*stored; 2]));
        let is_earlier = |(key, _): &(u64, Precision)| self.files.get(key).is_some_and(|(first, _)| *first != by);
        let (key, stored) = stored.into_iter().find(is_earlier)?;
        let (file, hit_by) = self.files.get_mut(&key)?;
        let is_first = std::mem::replace(hit_by, by) != by;
        let time = mark.local.div_euclid(stored.common(mark.precision).unit());
        Some(Hit { sample: mark.sample, time, file: *file, is_first })
    }
}
