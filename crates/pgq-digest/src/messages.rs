//! A tally of messages by severity, SQLSTATE and masked text: errors, warnings, waits for locks, and messages about
//! crashes of the server. The first and the last message of each kind are examples.

use std::mem::size_of_val;

use serde::{Deserialize, Serialize};

use crate::execution::{Execution, LogMessage, LogTime, Severity, cut_text, may_be_cut};
use crate::mask::mask;
use crate::origin::name_text;
use crate::tally::{Kept, Key, NAME_SIZE, Names, Sum, Tally};
use crate::timeline::PackedTimeline;

/// Maximum length of each of [`MessageExample::texts`], in bytes. The rest is cut off.
const MAX_TEXT_LEN: usize = 4096;

/// Maximum length of a message, in bytes. The rest is cut off.
const MAX_MESSAGE_LEN: usize = 1024;

/// Whether a text of an example may have been cut.
pub(crate) fn is_cut_text(text: &str) -> bool {
    may_be_cut(text, MAX_TEXT_LEN)
}

/// Common properties of the messages of one kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MessageKey {
    /// Severity of the messages.
    pub severity: Severity,
    /// The SQLSTATE. Empty if the log lacks it.
    pub sqlstate: Box<str>,
    /// The message with names, values and numbers masked ([`crate::mask`]).
    pub message: Box<str>,
}

impl Key for MessageKey {
    fn memory_size(&self) -> usize {
        self.sqlstate.len() + self.message.len()
    }
}

/// Counts of a kind of message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageKind {
    /// Number of messages.
    pub count: u64,
    /// The earliest message.
    pub first: Option<Box<MessageExample>>,
    /// The latest message.
    pub last: Option<Box<MessageExample>>,
    /// Number of messages by fingerprint of their statement. The key of messages without a statement is `None`.
    pub statements: Tally<Option<u64>, u64>,
    /// Number of messages by user, database and host.
    pub names: [Names<u64>; 3],
    /// Number of lock waits by process IDs: `12 for 10, 20` if process 12 waits for a lock that the processes 10 and 20
    /// hold.
    pub waits: Names<u64>,
    /// Timeline of the messages. Each message counts as an error.
    pub timeline: PackedTimeline,
}

/// A logged message. Sorted by time, then by texts.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MessageExample {
    /// Time at which the message was logged.
    pub time: Option<LogTime>,
    /// Message, DETAIL, HINT, CONTEXT, statement, user, database, host. A text that the log lacks is empty.
    pub texts: [Box<str>; 8],
}

impl MessageExample {
    /// Names of [`MessageExample::texts`], in the same order.
    pub const TEXTS: [&str; 8] = ["message", "detail", "hint", "context", "statement", "user", "database", "host"];

    fn new(message: &LogMessage<'_>, execution: &Execution<'_>) -> Self {
        let LogMessage { message, detail, hint, context, .. } = *message;
        let Execution { sql, user, database, host, .. } = *execution;
        let start = |bytes: &[u8]| bytes.len().min(MAX_TEXT_LEN);
        let text = |bytes: &[u8]| cut_text(&String::from_utf8_lossy(&bytes[..start(bytes)]), MAX_TEXT_LEN).into();
        let name = |bytes: &[u8]| cut_text(&name_text(&bytes[..start(bytes)]), MAX_TEXT_LEN).into();
        let [message, detail, hint, context, sql] = [message, detail, hint, context, sql].map(text);
        let [user, database, host] = [user, database, host].map(name);
        let texts = [message, detail, hint, context, sql, user, database, host];
        Self { time: execution.time.map(|(micros, text)| LogTime::new(micros, text)), texts }
    }

    /// Returns the sort key. Messages without a time are last.
    fn rank(&self) -> (bool, &Self) {
        (self.time.is_none(), self)
    }
}

/// Messages by kind. Each severity has its own tally, so that frequent errors do not evict a PANIC.
#[derive(Debug, Clone, Default)]
pub struct Messages([Tally<MessageKey, MessageKind>; Severity::ALL.len()]);

impl Messages {
    /// Counts a message. `execution` has the message's time, statement and session. `statement` is the fingerprint of
    /// that statement. Returns the approximate growth of the memory in bytes.
    pub fn add(&mut self, message: &LogMessage<'_>, execution: &Execution<'_>, statement: Option<u64>) -> usize {
        let text = String::from_utf8_lossy(message.message);
        let masked = mask(cut_text(&text, MAX_MESSAGE_LEN));
        let sqlstate = String::from_utf8_lossy(message.sqlstate).into();
        let key = MessageKey { severity: message.severity, sqlstate, message: masked.into() };
        let kinds = self.get_mut(message.severity);
        let kinds_before = kinds.len();
        // Clones the key only if it is new.
        let kind = kinds.of(&key, || key.clone());
        let size_before = kind.growing_size();
        kind.count += 1;
        *kind.statements.of(&statement, || statement) += 1;
        for (names, name) in kind.names.iter_mut().zip([execution.user, execution.database, execution.host]) {
            if let Some(count) = names.of_name(name) {
                *count += 1;
            }
        }
        if message.severity == Severity::Wait
            && let Some(count) =
                kind.waits.of_name(processes(&text, &String::from_utf8_lossy(message.detail)).as_bytes())
        {
            *count += 1;
        }
        if let Some((micros, _)) = execution.time {
            kind.timeline.add(micros, 0, true);
        }
        kind.add_examples([MessageExample::new(message, execution)]);
        let grown = kind.growing_size().saturating_sub(size_before);
        let new_kinds = kinds.len() - kinds_before;
        grown + new_kinds * (Tally::<MessageKey, MessageKind>::entry_size() + key.memory_size())
    }

    /// Returns the kinds of messages of a severity.
    #[must_use]
    pub fn get(&self, severity: Severity) -> &Tally<MessageKey, MessageKind> {
        &self.0[severity as usize]
    }

    pub(crate) fn get_mut(&mut self, severity: Severity) -> &mut Tally<MessageKey, MessageKind> {
        &mut self.0[severity as usize]
    }

    /// Returns a tally of the kinds of messages for each severity, worst severity first.
    pub fn tallies(&self) -> impl Iterator<Item = &Tally<MessageKey, MessageKind>> {
        self.0.iter()
    }

    pub(crate) fn tallies_mut(&mut self) -> impl Iterator<Item = &mut Tally<MessageKey, MessageKind>> {
        self.0.iter_mut()
    }

    /// Returns all kinds with their counts, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&MessageKey, &Kept<MessageKind>)> {
        self.0.iter().flat_map(Tally::iter)
    }

    /// Returns the entries of [`Messages::iter`] by value.
    pub fn into_entries(self) -> impl Iterator<Item = (MessageKey, Kept<MessageKind>)> {
        self.0.into_iter().flat_map(Tally::into_entries)
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(kinds, others)| kinds.merge(others));
    }
}

/// Returns the process IDs of a lock wait, or an empty string if the DETAIL lacks them (proc.c: ProcSleep). In all
/// languages, the first number of the message is the ID of the waiting process. The first sentence of the DETAIL has
/// the IDs of the processes that hold the lock. The second sentence, which has the wait queue, is ignored.
fn processes(message: &str, detail: &str) -> String {
    let numbers = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).map(String::from).collect()
    };
    let holders = detail.split(['.', '。']).next().map(numbers).unwrap_or_default();
    match numbers(message).first() {
        Some(waiter) if !holders.is_empty() => format!("{waiter} for {}", holders.join(", ")),
        _ => String::new(),
    }
}

impl MessageKind {
    fn add_examples(&mut self, examples: impl IntoIterator<Item = MessageExample>) {
        for example in examples {
            if self.first.as_ref().is_none_or(|first| example.rank() < first.rank()) {
                self.first = Some(Box::new(example.clone()));
            }
            if self.last.as_ref().is_none_or(|last| example > **last) {
                self.last = Some(Box::new(example));
            }
        }
    }

    /// Returns the times of the first and the last message.
    pub(crate) fn times(&self) -> [Option<&LogTime>; 2] {
        [&self.first, &self.last].map(|example| example.as_ref()?.time.as_ref())
    }

    /// Adds examples that have only a time.
    pub(crate) fn add_times(&mut self, times: [Option<LogTime>; 2]) {
        let examples = times.into_iter().flatten();
        self.add_examples(examples.map(|time| MessageExample { time: Some(time), ..MessageExample::default() }));
    }

    fn all_names(&self) -> impl Iterator<Item = &Names<u64>> {
        self.names.iter().chain([&self.waits])
    }

    /// Whether the counts by statement or by name are incomplete.
    #[must_use]
    pub fn has_lost_names(&self) -> bool {
        self.statements.floor() > 0 || self.all_names().any(|names| names.floor() > 0)
    }

    fn examples_size(&self) -> usize {
        let of_example = |example: &MessageExample| {
            size_of_val(example) + example.texts.iter().map(|text| text.len()).sum::<usize>()
        };
        [&self.first, &self.last].into_iter().flatten().map(|example| of_example(example)).sum()
    }

    /// Estimates the memory of the parts that grow with the number of messages. Faster than [`Sum::memory_size`].
    fn growing_size(&self) -> usize {
        let names = self.all_names().map(Names::len).sum::<usize>();
        self.examples_size() + names * NAME_SIZE + self.statements.len() * Tally::<Option<u64>, u64>::entry_size()
    }

    /// Returns the examples, mutably.
    pub fn examples_mut(&mut self) -> impl Iterator<Item = &mut MessageExample> {
        [&mut self.first, &mut self.last].into_iter().flatten().map(|example| &mut **example)
    }
}

impl Sum for MessageKind {
    fn merge(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.add_examples([other.first, other.last].into_iter().flatten().map(|example| *example));
        self.statements.merge(other.statements);
        self.names.iter_mut().zip(other.names).for_each(|(names, others)| names.merge(others));
        self.waits.merge(other.waits);
        self.timeline.merge(&other.timeline);
    }

    fn weight(&self) -> u64 {
        self.count
    }

    /// Adds an evicted kind of message to the sum of all evicted kinds. This sum contains only the number of messages,
    /// and the times of the first and the last message.
    fn merge_evicted(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.add_times(other.times().map(|time| time.cloned()));
    }

    fn memory_size(&self) -> usize {
        let names = self.all_names().map(Names::memory_size).sum::<usize>();
        self.examples_size() + self.statements.memory_size() + names + self.timeline.memory_size()
    }

    fn evict_names_to(&mut self, count: usize) {
        self.statements.evict_to(count);
        self.names.iter_mut().chain([&mut self.waits]).for_each(|names| names.evict_to(count));
    }
}
