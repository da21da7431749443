//! The first messages of a log. They show whether two files are the same log, for example in two formats.

use crate::assembly::entry::Entry;
use crate::format::batch::{Batch, LogChunk};
use crate::format::config::LogReaderConfig;
use crate::message::event::without_position;
use crate::message::field::Field;
use crate::scan::lines::lines_end_in_cr;
use crate::time::clock::Clock;
use crate::time::timestamp::Timestamp;

/// Maximum number of messages to compare with the messages of another log.
const COUNT: usize = 4;

/// Number of bytes to parse. The last message in these bytes may be cut. Therefore only the first `TEXT` bytes of a
/// message are compared.
const BYTES: usize = 64 << 10;
const TEXT: usize = 200;

/// The first messages with a time in a log.
#[derive(Debug, PartialEq, Eq)]
pub struct FirstMessages(Vec<FirstMessage>);

#[derive(Debug, PartialEq, Eq)]
struct FirstMessage {
    time: Timestamp,
    /// Whether the time has a fraction of a second. `%t` writes none.
    has_fraction: bool,
    text: Vec<u8>,
    /// Process ID, or 0 if the log lacks it.
    pid: u32,
}

impl FirstMessages {
    /// Reads the messages from `sample`, the start of a log whose envelopes were removed. Returns `None` if the
    /// messages have no times.
    #[must_use]
    pub fn new(config: &LogReaderConfig, sample: &[u8]) -> Option<Self> {
        let bytes = sample[..sample.len().min(BYTES)].to_vec();
        let crlf = lines_end_in_cr(&bytes);
        let chunk = LogChunk { bytes, crlf, framed: config.is_framed(), ..LogChunk::default() };
        let mut parser = config.parser();
        let mut batch = Batch::parse(chunk, config.selection, parser.as_mut());
        parser.flush(&mut batch);
        let entries = (0..batch.messages.len()).map(|index| batch.entry(index));
        let mut messages: Vec<_> =
            entries.filter_map(|entry| Some((entry.position().offset, FirstMessage::new(entry)?))).collect();
        // Sorts by start, because the messages are in the order of their ends. In a syslog log, a message may end
        // before one that started earlier.
        messages.sort_by_key(|(offset, _)| *offset);
        messages.truncate(COUNT);
        (!messages.is_empty()).then(|| Self(messages.into_iter().map(|(_, message)| message).collect()))
    }

    /// Whether two logs begin with the same messages.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let same = |(a, b): (&FirstMessage, &FirstMessage)| {
            a.has_time_of(b) && a.text == b.text && (a.pid == b.pid || a.pid == 0 || b.pid == 0)
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(same)
    }
}

impl FirstMessage {
    fn new(entry: Entry<'_>) -> Option<Self> {
        let time = entry.get(Field::Time);
        let text = without_position(entry.get(Field::Message));
        Some(Self {
            time: Clock::default().parse(time)?,
            has_fraction: time.contains(&b'.'),
            text: text[..text.len().min(TEXT)].to_vec(),
            pid: entry.pid(),
        })
    }

    /// Whether the times are equal at the lower of their two precisions. Compares both local and UTC times, because one
    /// log may have local times, while the other log has seconds since 1970 (`%n`).
    fn has_time_of(&self, other: &Self) -> bool {
        let unit = if self.has_fraction && other.has_fraction { 1000 } else { 1_000_000 };
        let same =
            |micros: fn(Timestamp) -> i64| micros(self.time).div_euclid(unit) == micros(other.time).div_euclid(unit);
        let have_zones = self.time.has_zone() && other.time.has_zone();
        same(Timestamp::local_micros) || (have_zones && same(Timestamp::unix_micros))
    }
}
