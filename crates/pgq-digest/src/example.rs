//! Chooses the example statement of a group. The choice does not depend on the order in which executions are added.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::execution::{Execution, LogTime};
use crate::origin::Origin;

/// Maximum length of an example's statement, in bytes. The same limit applies separately to its parameters.
pub const MAX_EXAMPLE_LEN: usize = 64 << 10;

/// Kind of an example, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ExampleKind {
    /// A call, which is a successful execution.
    Call,
    /// A statement that failed.
    Failed,
    /// A statement for which the log has only an event, such as a temporary file.
    Event,
}

impl ExampleKind {
    pub(crate) fn of(execution: &Execution<'_>) -> Self {
        if execution.error.is_some() { Self::Failed } else { Self::Call }
    }
}

/// A statement that represents a group: the slowest call, the latest call, or a failed statement.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Example {
    /// The first 64 KiB of the statement, in UTF-8.
    pub(crate) sql: Vec<u8>,
    /// Whether the statement is longer than `sql`.
    pub cut: bool,
    /// First 64 KiB of the parameters as in the log: `$1 = 'x', $2 = NULL`.
    pub params: Vec<u8>,
    /// Duration in microseconds.
    pub duration: Option<u64>,
    /// Time at which the statement was logged.
    pub time: Option<LogTime>,
    /// User, database, application and host of the execution. The host does not affect the sort order of examples.
    pub origin: Arc<Origin>,
    /// Kind of the example.
    pub kind: ExampleKind,
}

/// Sort key of examples, best first. The criteria are: a call before other kinds, an untruncated statement before a
/// truncated one, a slower statement before a faster one, an earlier one before a later one. The other fields only make
/// the order unambiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ExampleKey<'a> {
    kind: ExampleKind,
    cut: bool,
    duration: Reverse<Option<u64>>,
    time: Option<(i64, &'a [u8])>,
    sql: Text<'a>,
    params: Text<'a>,
    names: [Text<'a>; 3],
}

impl<'a> ExampleKey<'a> {
    pub(crate) fn new(kind: ExampleKind, execution: &Execution<'a>, origin: &'a Origin) -> Self {
        Self {
            kind,
            cut: execution.sql.len() > MAX_EXAMPLE_LEN,
            duration: Reverse(execution.duration),
            time: execution.time,
            sql: Text(cut_sql(execution.sql)),
            params: Text(cut_params(execution.params)),
            names: origin.names_of_examples().map(Text),
        }
    }

    /// Returns the key for sorting by time. The minimum is the earliest example.
    pub(crate) fn by_time(self) -> impl Ord {
        (self.time, self)
    }

    /// Returns the key for sorting by time. The maximum is the latest example. Among examples of the same time, the
    /// best example is the maximum.
    pub(crate) fn recency(self) -> impl Ord {
        (self.time, Reverse(self))
    }
}

/// A byte string that compares lexicographically. Empty strings are compared without `memcmp`, because on some
/// processors `memcmp` takes about 100 ns for an empty string: it executes a masked load of unmapped memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Text<'a>(&'a [u8]);

impl Ord for Text<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.0, other.0);
        if a.is_empty() || b.is_empty() { a.len().cmp(&b.len()) } else { a.cmp(b) }
    }
}

impl PartialOrd for Text<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Example {
    pub(crate) fn new(kind: ExampleKind, execution: &Execution<'_>, origin: &Arc<Origin>) -> Self {
        Self {
            sql: cut_sql(execution.sql).into(),
            cut: execution.sql.len() > MAX_EXAMPLE_LEN,
            params: cut_params(execution.params).into(),
            duration: execution.duration,
            time: execution.time.map(|(micros, text)| LogTime::new(micros, text)),
            origin: Arc::clone(origin),
            kind,
        }
    }

    /// Replaces the example with another execution. Reuses the memory.
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

    /// Returns the first 64 KiB of the statement.
    #[must_use]
    pub fn sql(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.sql)
    }

    /// Returns the memory usage in bytes, without the origin.
    pub(crate) fn memory_size(&self) -> usize {
        size_of::<Self>() + self.sql.capacity() + self.params.capacity()
    }

    pub(crate) fn key(&self) -> ExampleKey<'_> {
        ExampleKey {
            kind: self.kind,
            cut: self.cut,
            duration: Reverse(self.duration),
            time: self.time.as_ref().map(LogTime::key),
            sql: Text(&self.sql),
            params: Text(&self.params),
            names: self.origin.names_of_examples().map(Text),
        }
    }
}

impl PartialEq for Example {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Example {}

/// Returns at most the first [`MAX_EXAMPLE_LEN`] bytes of a statement, cut at a character boundary.
fn cut_sql(sql: &[u8]) -> &[u8] {
    let is_boundary = |at: &usize| sql.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
    let end = (0..=sql.len().min(MAX_EXAMPLE_LEN)).rev().find(is_boundary).unwrap_or_default();
    &sql[..end]
}

fn cut_params(params: &[u8]) -> &[u8] {
    &params[..params.len().min(MAX_EXAMPLE_LEN)]
}
