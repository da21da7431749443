//! What is known of one group of statements: of a query, of those that do not parse for the
//! same reason, of those that the log cut. It merges exactly, in any order.

use std::cmp::Reverse;

use crate::counts::BoundedCounts;
use crate::durations::Durations;

/// Longest statement that is kept as an example whole, in bytes.
const LONGEST_EXAMPLE: usize = 64 << 10;

/// A point in time, as it stood in the log, and in microseconds since 1970 to compare it by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct When {
    pub micros: i64,
    pub text: Box<str>,
}

/// A statement that stands for its group: the slowest, or the first where none has a duration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The text, cut where it is very long.
    pub sql: Box<str>,
    pub cut: bool,
    /// As the log has them: `$1 = 'x', $2 = NULL`.
    pub params: Box<[u8]>,
    /// Microseconds.
    pub duration: Option<u64>,
    pub when: Option<When>,
    pub user: Box<[u8]>,
    pub database: Box<[u8]>,
    pub application: Box<[u8]>,
}

/// A record, as a group takes it in.
#[derive(Debug, Clone, Copy, Default)]
pub struct Call<'a> {
    pub sql: &'a str,
    pub params: &'a [u8],
    /// Microseconds.
    pub duration: Option<u64>,
    /// Microseconds since 1970, and as the log has it.
    pub when: Option<(i64, &'a str)>,
    pub user: &'a [u8],
    pub database: &'a [u8],
    pub application: &'a [u8],
    /// What the server said, where this is the statement of an error.
    pub error: Option<&'a [u8]>,
}

/// A group of statements.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Executions. Statements of errors are not among them.
    pub calls: u64,
    pub durations: Durations,
    pub errors: u64,
    pub messages: BoundedCounts,
    pub first: Option<When>,
    pub last: Option<When>,
    pub users: BoundedCounts,
    pub databases: BoundedCounts,
    pub applications: BoundedCounts,
    pub example: Option<Box<Example>>,
}

impl Group {
    /// Takes in a record.
    pub fn add(&mut self, call: &Call<'_>) {
        match call.error {
            Some(message) => {
                self.errors += 1;
                self.messages.count(message);
            }
            None => {
                self.calls += 1;
                if let Some(duration) = call.duration {
                    self.durations.record(duration);
                }
            }
        }
        if let Some((micros, text)) = call.when {
            self.seen(micros, text);
        }
        self.users.count(call.user);
        self.databases.count(call.database);
        self.applications.count(call.application);
        if self.example.as_ref().is_none_or(|example| example.is_worse_than(call)) {
            self.example = Some(Box::new(Example::of(call)));
        }
    }

    fn seen(&mut self, micros: i64, text: &str) {
        let key = (micros, text);
        if self.first.as_ref().is_none_or(|first| key < (first.micros, &first.text)) {
            self.first = Some(When { micros, text: text.into() });
        }
        if self.last.as_ref().is_none_or(|last| key > (last.micros, &last.text)) {
            self.last = Some(When { micros, text: text.into() });
        }
    }

    /// Adds what is known of more of the same.
    pub fn merge(&mut self, more: Self) {
        self.calls += more.calls;
        self.durations.merge(&more.durations);
        self.errors += more.errors;
        self.messages.merge(&more.messages);
        self.users.merge(&more.users);
        self.databases.merge(&more.databases);
        self.applications.merge(&more.applications);
        for when in [more.first, more.last].into_iter().flatten() {
            self.seen(when.micros, &when.text);
        }
        self.example = match (self.example.take(), more.example) {
            (Some(a), Some(b)) => Some(if b.key() < a.key() { b } else { a }),
            (a, b) => a.or(b),
        };
    }

    /// Which groups are dropped first where there are too many: the rarest, then the quickest.
    pub fn rank(&self) -> (u64, u64) {
        (self.calls + self.errors, self.durations.sum())
    }
}

/// The order of examples, the best first: whole ones, then the slowest, the earliest, and what
/// is left to tell two apart.
type Key<'a> = (bool, Reverse<Option<u64>>, Option<(i64, &'a str)>, &'a str, &'a [u8], [&'a [u8]; 3]);

impl Example {
    fn of(call: &Call<'_>) -> Self {
        Self {
            sql: shortened(call.sql).into(),
            cut: call.sql.len() > LONGEST_EXAMPLE,
            params: call.shown_params().into(),
            duration: call.duration,
            when: call.when.map(|(micros, text)| When { micros, text: text.into() }),
            user: call.user.into(),
            database: call.database.into(),
            application: call.application.into(),
        }
    }

    fn key(&self) -> Key<'_> {
        let when = self.when.as_ref().map(|when| (when.micros, &*when.text));
        let names = [&*self.user, &self.database, &self.application];
        (self.cut, Reverse(self.duration), when, &self.sql, &self.params, names)
    }

    fn is_worse_than(&self, call: &Call<'_>) -> bool {
        let cut = call.sql.len() > LONGEST_EXAMPLE;
        let names = [call.user, call.database, call.application];
        let key: Key<'_> = (cut, Reverse(call.duration), call.when, shortened(call.sql), call.shown_params(), names);
        key < self.key()
    }
}

impl<'a> Call<'a> {
    fn shown_params(&self) -> &'a [u8] {
        &self.params[..self.params.len().min(LONGEST_EXAMPLE)]
    }
}

fn shortened(sql: &str) -> &str {
    let end = (0..=sql.len().min(LONGEST_EXAMPLE)).rev().find(|at| sql.is_char_boundary(*at));
    &sql[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::{Call, Group};

    #[test]
    fn the_slowest_is_the_example_and_equals_are_told_apart() {
        let calls = [
            Call { sql: "B", duration: Some(5), when: Some((3, "3")), ..Call::default() },
            Call { sql: "A", duration: Some(9), when: Some((2, "2")), ..Call::default() },
            Call { sql: "C", duration: Some(9), when: Some((1, "1")), user: b"ann", ..Call::default() },
            Call { sql: "D", duration: None, error: Some(b"no"), when: Some((4, "4")), ..Call::default() },
        ];
        for turn in 0..calls.len() {
            let (mut group, mut other) = (Group::default(), Group::default());
            for (i, call) in calls.iter().enumerate() {
                if (i + turn) % 2 == 0 { group.add(call) } else { other.add(call) }
            }
            group.merge(other);
            assert_eq!(&*group.example.as_ref().unwrap().sql, "C");
            assert_eq!((group.calls, group.errors, group.durations.sum()), (3, 1, 23));
            assert_eq!((&*group.first.unwrap().text, &*group.last.unwrap().text), ("1", "4"));
        }
    }

    #[test]
    fn long_statements_are_cut_and_whole_ones_preferred() {
        let long = "é".repeat(super::LONGEST_EXAMPLE);
        let mut group = Group::default();
        group.add(&Call { sql: &long, duration: Some(9), ..Call::default() });
        assert!(group.example.as_ref().unwrap().cut);
        group.add(&Call { sql: "SELECT 1", duration: Some(1), ..Call::default() });
        assert_eq!(&*group.example.unwrap().sql, "SELECT 1");
    }
}
