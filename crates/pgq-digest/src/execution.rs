//! One execution: as it is added to a digest, and as the example of a group. Which execution is the
//! example does not depend on the order in which they are added.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use crate::origin::Origin;
use crate::time_text::TimeText;

/// An execution of a statement, or a failed statement.
#[derive(Debug, Clone, Copy, Default)]
pub struct Execution<'a> {
    /// The statement, in UTF-8.
    pub sql: &'a [u8],
    /// Its parameters as in the log: `$1 = 'x', $2 = NULL`.
    pub params: &'a [u8],
    /// Duration in microseconds.
    pub duration: Option<u64>,
    /// Time in microseconds since 1970-01-01 00:00:00 UTC, and its text in the log, which is in UTF-8.
    pub time: Option<(i64, &'a [u8])>,
    /// Name of the user.
    pub user: &'a [u8],
    /// Name of the database.
    pub database: &'a [u8],
    /// The client's application_name.
    pub application: &'a [u8],
    /// Name or address of the client.
    pub host: &'a [u8],
    /// The error message, if the statement failed.
    pub error: Option<&'a [u8]>,
    /// The error's SQLSTATE; empty if it is not known.
    pub sqlstate: &'a [u8],
    /// The tags of its comments, `key=value`.
    pub tags: &'a [String],
    /// Whether it failed because it was canceled.
    pub is_canceled: bool,
}

/// A time: its text as in the log, and the point in time for comparison.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogTime {
    /// Microseconds since 1970-01-01 00:00:00 UTC.
    pub micros: i64,
    /// The text, with its zone.
    pub text: TimeText,
}

impl LogTime {
    pub(crate) fn new(micros: i64, text: &[u8]) -> Self {
        Self { micros, text: TimeText::new(text) }
    }

    /// The order of another time and this one, by the text only where the points in time are equal.
    pub(crate) fn order_of(&self, micros: i64, text: &[u8]) -> Ordering {
        micros.cmp(&self.micros).then_with(|| text.cmp(self.text.as_bytes()))
    }

    /// What it is compared by.
    pub(crate) fn key(&self) -> (i64, &[u8]) {
        (self.micros, self.text.as_bytes())
    }
}

/// The order of a time and one that is kept: none comes before every other.
pub(crate) fn order_of_times(time: Option<(i64, &[u8])>, kept: Option<&LogTime>) -> Ordering {
    match (time, kept) {
        (Some((micros, text)), Some(kept)) => kept.order_of(micros, text),
        (time, kept) => time.is_some().cmp(&kept.is_some()),
    }
}

/// Maximum length of a statement in an example, and of its parameters, in bytes.
pub(crate) const MAX_EXAMPLE_LEN: usize = 64 << 10;

/// What an example is an example of, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExampleKind {
    /// A call.
    Call,
    /// A statement that failed.
    Failed,
    /// A statement of which the log has an event, such as a temporary file, and perhaps nothing else.
    Event,
}

impl ExampleKind {
    fn of(execution: &Execution<'_>) -> Self {
        if execution.error.is_some() { Self::Failed } else { Self::Call }
    }
}

/// A statement that represents a group: the slowest call, the latest, or one that failed. Which one it is
/// does not depend on the order in which executions are added.
#[derive(Debug, Clone)]
pub struct Example {
    /// The first 64 KiB of the statement, in UTF-8.
    pub(crate) sql: Vec<u8>,
    /// Whether the statement is longer than that.
    pub cut: bool,
    /// The first 64 KiB of its parameters as in the log: `$1 = 'x', $2 = NULL`.
    pub params: Vec<u8>,
    /// Duration in microseconds.
    pub duration: Option<u64>,
    /// When it was logged.
    pub time: Option<LogTime>,
    /// Who ran it. Its host does not count in the order of examples.
    pub origin: Arc<Origin>,
    /// What it is an example of.
    pub kind: ExampleKind,
}

/// A time with its text, or none.
pub(crate) type TimeKey<'a> = Option<(i64, &'a [u8])>;

/// The order of examples, best first: calls, then what was not cut, then the slowest, then the earliest.
/// The other members only make the order total.
type ExampleRank<'a> = (ExampleKind, bool, Reverse<Option<u64>>, TimeKey<'a>, &'a [u8], &'a [u8], [&'a [u8]; 3]);

impl Example {
    pub(crate) fn new(execution: &Execution<'_>, origin: &Arc<Origin>) -> Self {
        Self {
            sql: cut_sql(execution.sql).into(),
            cut: execution.sql.len() > MAX_EXAMPLE_LEN,
            params: cut_params(execution.params).into(),
            duration: execution.duration,
            time: execution.time.map(|(micros, text)| LogTime::new(micros, text)),
            origin: Arc::clone(origin),
            kind: ExampleKind::of(execution),
        }
    }

    /// Becomes another execution, in the memory that it has.
    pub(crate) fn set(&mut self, execution: &Execution<'_>, origin: &Arc<Origin>) {
        self.sql.clear();
        self.sql.extend_from_slice(cut_sql(execution.sql));
        self.cut = execution.sql.len() > MAX_EXAMPLE_LEN;
        self.params.clear();
        self.params.extend_from_slice(cut_params(execution.params));
        self.duration = execution.duration;
        self.time = execution.time.map(|(micros, text)| LogTime::new(micros, text));
        if !Arc::ptr_eq(&self.origin, origin) {
            self.origin = Arc::clone(origin);
        }
        self.kind = ExampleKind::of(execution);
    }

    /// The first 64 KiB of the statement.
    #[must_use]
    pub fn sql(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.sql)
    }

    /// Size in memory, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        size_of::<Self>() + self.sql.capacity() + self.params.capacity()
    }

    fn time_key(&self) -> TimeKey<'_> {
        self.time.as_ref().map(LogTime::key)
    }

    pub(crate) fn rank(&self) -> ExampleRank<'_> {
        let names = self.origin.names_of_examples();
        (self.kind, self.cut, Reverse(self.duration), self.time_key(), &self.sql, &self.params, names)
    }

    /// The order of failed statements: the earliest first. The other members only make the order total.
    pub(crate) fn rank_by_time(&self) -> (TimeKey<'_>, ExampleRank<'_>) {
        (self.time_key(), self.rank())
    }

    /// The order of calls, the latest last.
    pub(crate) fn recency(&self) -> (TimeKey<'_>, Reverse<ExampleRank<'_>>) {
        (self.time_key(), Reverse(self.rank()))
    }

    /// The order of an execution and this one by time.
    fn order_of(&self, execution: &Execution<'_>) -> Ordering {
        order_of_times(execution.time, self.time.as_ref())
    }

    /// Whether an execution of an origin comes before this one in the order by time.
    pub(crate) fn is_later_than(&self, execution: &Execution<'_>, origin: &Arc<Origin>) -> bool {
        match self.order_of(execution) {
            Ordering::Equal => self.is_worse_than(execution, origin),
            order => order.is_lt(),
        }
    }

    /// Whether an execution of an origin comes behind this one in the order of [`Example::recency`].
    pub(crate) fn is_older_than(&self, execution: &Execution<'_>, origin: &Arc<Origin>) -> bool {
        match self.order_of(execution) {
            Ordering::Equal => self.is_worse_than(execution, origin),
            order => order.is_gt(),
        }
    }

    /// Whether an execution of an origin is a better example.
    pub(crate) fn is_worse_than(&self, execution: &Execution<'_>, origin: &Arc<Origin>) -> bool {
        self.is_worse_than_a(ExampleKind::of(execution), execution, origin)
    }

    /// Whether an execution of an origin is a better example, if it is an example of that: in the order of
    /// [`Example::rank`], of which most often the first members differ.
    pub(crate) fn is_worse_than_a(&self, kind: ExampleKind, execution: &Execution<'_>, origin: &Arc<Origin>) -> bool {
        let Execution { sql, params, duration, .. } = *execution;
        let is_cut = sql.len() > MAX_EXAMPLE_LEN;
        let order = (kind, is_cut, Reverse(duration)).cmp(&(self.kind, self.cut, Reverse(self.duration)));
        let order = order.then_with(|| self.order_of(execution));
        let order = order.then_with(|| order_of_texts(cut_sql(sql), &self.sql));
        let order = order.then_with(|| order_of_texts(cut_params(params), &self.params));
        order.then_with(|| origin.order_of(&self.origin)).is_lt()
    }
}

impl PartialEq for Example {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Example {}

/// The order of two texts, of which many are empty: `memcmp` of nothing may read where no memory is, which some
/// processors take a hundred nanoseconds for, although it is masked.
pub(crate) fn order_of_texts(a: &[u8], b: &[u8]) -> Ordering {
    if a.is_empty() || b.is_empty() { a.len().cmp(&b.len()) } else { a.cmp(b) }
}

/// The start of a statement, which ends with a whole character.
fn cut_sql(sql: &[u8]) -> &[u8] {
    let is_boundary = |at: &usize| sql.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
    let end = (0..=sql.len().min(MAX_EXAMPLE_LEN)).rev().find(is_boundary).unwrap_or_default();
    &sql[..end]
}

/// The first `limit` bytes of a text, or fewer where a character ends before.
pub(crate) fn cut_text(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

fn cut_params(params: &[u8]) -> &[u8] {
    &params[..params.len().min(MAX_EXAMPLE_LEN)]
}
