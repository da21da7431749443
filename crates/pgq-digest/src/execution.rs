//! One execution: as it is added to a digest, and as the example of a group. Which execution is the
//! example does not depend on the order in which they are added.

use std::cmp::Reverse;

/// An execution of a statement, or a failed statement.
#[derive(Debug, Clone, Copy, Default)]
pub struct Execution<'a> {
    /// The statement.
    pub sql: &'a str,
    /// Its parameters as in the log: `$1 = 'x', $2 = NULL`.
    pub params: &'a [u8],
    /// Duration in microseconds.
    pub duration: Option<u64>,
    /// Time in microseconds since 1970-01-01 00:00:00 UTC, and its text in the log.
    pub time: Option<(i64, &'a str)>,
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
}

impl Execution<'_> {
    /// Whether it failed because it was canceled: SQLSTATE 57014 (query_canceled), or its message in English.
    #[must_use]
    pub fn is_canceled(&self) -> bool {
        self.sqlstate == b"57014"
            || self.sqlstate.is_empty()
                && self.error.is_some_and(|message| message.starts_with(b"canceling statement due to "))
    }
}

/// A time: its text as in the log, and the point in time for comparison.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogTime {
    /// Microseconds since 1970-01-01 00:00:00 UTC.
    pub micros: i64,
    /// The text, with its zone.
    pub text: Box<str>,
}

/// Maximum length of a statement in an example, and of its parameters, in bytes.
pub(crate) const MAX_EXAMPLE_LEN: usize = 64 << 10;

/// The statement that represents a group: the slowest one, or the earliest if none has a duration.
/// A statement that was not cut is preferred.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The first 64 KiB of the statement.
    pub sql: Box<str>,
    /// Whether the statement is longer than that.
    pub cut: bool,
    /// The first 64 KiB of its parameters as in the log: `$1 = 'x', $2 = NULL`.
    pub params: Box<[u8]>,
    /// Duration in microseconds.
    pub duration: Option<u64>,
    /// When it was logged.
    pub time: Option<LogTime>,
    /// Name of the user.
    pub user: Box<[u8]>,
    /// Name of the database.
    pub database: Box<[u8]>,
    /// The client's application_name.
    pub application: Box<[u8]>,
}

/// The order of examples, best first: not cut, then the slowest, then the earliest. The other
/// members only make the order total.
type ExampleRank<'a> = (bool, Reverse<Option<u64>>, Option<(i64, &'a str)>, &'a str, &'a [u8], [&'a [u8]; 3]);

impl Example {
    pub(crate) fn new(execution: &Execution<'_>) -> Self {
        Self {
            sql: cut_sql(execution.sql).into(),
            cut: execution.sql.len() > MAX_EXAMPLE_LEN,
            params: cut_params(execution.params).into(),
            duration: execution.duration,
            time: execution.time.map(|(micros, text)| LogTime { micros, text: text.into() }),
            user: execution.user.into(),
            database: execution.database.into(),
            application: execution.application.into(),
        }
    }

    /// Size in memory, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        size_of::<Self>() + self.sql.len() + self.params.len()
    }

    pub(crate) fn rank(&self) -> ExampleRank<'_> {
        let time = self.time.as_ref().map(|time| (time.micros, &*time.text));
        let names = [&*self.user, &self.database, &self.application];
        (self.cut, Reverse(self.duration), time, &self.sql, &self.params, names)
    }

    /// The order of failed statements: the earliest first. The other members only make the order total.
    pub(crate) fn rank_by_time(&self) -> (Option<(i64, &str)>, ExampleRank<'_>) {
        (self.time.as_ref().map(|time| (time.micros, &*time.text)), self.rank())
    }

    /// Whether an execution comes before this one in that order.
    pub(crate) fn is_later_than(&self, execution: &Execution<'_>) -> bool {
        let time = self.time.as_ref().map(|time| (time.micros, &*time.text));
        match execution.time.cmp(&time) {
            std::cmp::Ordering::Equal => self.is_worse_than(execution),
            order => order.is_lt(),
        }
    }

    /// Whether an execution is a better example.
    pub(crate) fn is_worse_than(&self, execution: &Execution<'_>) -> bool {
        let Execution { sql, params, duration, time, .. } = *execution;
        let names = [execution.user, execution.database, execution.application];
        let rank: ExampleRank<'_> =
            (sql.len() > MAX_EXAMPLE_LEN, Reverse(duration), time, cut_sql(sql), cut_params(params), names);
        rank < self.rank()
    }
}

fn cut_sql(sql: &str) -> &str {
    cut_text(sql, MAX_EXAMPLE_LEN)
}

/// The first `limit` bytes of a text, or fewer where a character ends before.
pub(crate) fn cut_text(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

fn cut_params(params: &[u8]) -> &[u8] {
    &params[..params.len().min(MAX_EXAMPLE_LEN)]
}
