//! A group of executions: those of one query, those that do not parse for the same reason, or
//! those that the log truncated. Groups merge exactly and in any order.

use crate::bounded_counts::BoundedCounts;
use crate::durations::Durations;
use crate::events::{Events, StatementEvent};
use crate::execution::{Example, Execution, LogTime};

/// Counts and an example of a group of executions.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Executions, without failed ones.
    pub calls: u64,
    /// Durations of the executions that have one, in microseconds.
    pub durations: Durations,
    /// Failed statements.
    pub errors: u64,
    /// Their messages.
    pub messages: BoundedCounts,
    /// The earliest time.
    pub first: Option<LogTime>,
    /// The latest time.
    pub last: Option<LogTime>,
    /// Names of users.
    pub users: BoundedCounts,
    /// Names of databases.
    pub databases: BoundedCounts,
    /// Values of application_name.
    pub applications: BoundedCounts,
    /// Names or addresses of clients.
    pub hosts: BoundedCounts,
    /// What its statements did beside running, if there was something.
    pub events: Option<Box<Events>>,
    /// `None` if the group is empty.
    pub example: Option<Box<Example>>,
    /// The earliest statement that failed.
    pub failed: Option<Box<Example>>,
}

impl Group {
    /// Adds an execution.
    pub fn add(&mut self, execution: &Execution<'_>) {
        match execution.error {
            Some(message) => {
                self.errors += 1;
                self.messages.count(message);
                if execution.is_canceled() {
                    self.events.get_or_insert_default().canceled += 1;
                }
                if self.failed.as_ref().is_none_or(|failed| failed.is_later_than(execution)) {
                    self.failed = Some(Box::new(Example::new(execution)));
                }
            }
            None => {
                self.calls += 1;
                if let Some(duration) = execution.duration {
                    self.durations.record(duration);
                }
            }
        }
        if let Some((micros, text)) = execution.time {
            self.add_time(micros, text);
        }
        self.users.count(execution.user);
        self.databases.count(execution.database);
        self.applications.count(execution.application);
        self.hosts.count(execution.host);
        if self.example.as_ref().is_none_or(|example| example.is_worse_than(execution)) {
            self.example = Some(Box::new(Example::new(execution)));
        }
    }

    /// Adds an event of an execution, which is counted when it has ended.
    pub fn add_event(&mut self, event: &StatementEvent<'_>, execution: &Execution<'_>) {
        self.events.get_or_insert_default().add(event, execution.duration, execution.time);
        if self.example.is_none() {
            self.example = Some(Box::new(Example::new(&Execution { duration: None, ..*execution })));
        }
    }

    /// [`Group::events`], or none.
    #[must_use]
    pub fn events_or_none(&self) -> &Events {
        static NONE: Events = Events::NONE;
        self.events.as_deref().unwrap_or(&NONE)
    }

    fn add_time(&mut self, micros: i64, text: &str) {
        let time = (micros, text);
        if self.first.as_ref().is_none_or(|first| time < (first.micros, &first.text)) {
            self.first = Some(LogTime { micros, text: text.into() });
        }
        if self.last.as_ref().is_none_or(|last| time > (last.micros, &last.text)) {
            self.last = Some(LogTime { micros, text: text.into() });
        }
    }

    /// Adds another group of the same kind.
    pub fn merge(&mut self, other: Self) {
        self.calls += other.calls;
        self.durations.merge(&other.durations);
        self.errors += other.errors;
        self.messages.merge(&other.messages);
        self.users.merge(&other.users);
        self.databases.merge(&other.databases);
        self.applications.merge(&other.applications);
        self.hosts.merge(&other.hosts);
        if let Some(events) = other.events {
            self.events.get_or_insert_default().merge(*events);
        }
        self.failed = match (self.failed.take(), other.failed) {
            (Some(a), Some(b)) => Some(if b.rank_by_time() < a.rank_by_time() { b } else { a }),
            (a, b) => a.or(b),
        };
        for time in [other.first, other.last].into_iter().flatten() {
            self.add_time(time.micros, &time.text);
        }
        self.example = match (self.example.take(), other.example) {
            (Some(a), Some(b)) => Some(if b.rank() < a.rank() { b } else { a }),
            (a, b) => a.or(b),
        };
    }

    /// About its size in memory, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        let counts = [&self.messages, &self.users, &self.databases, &self.applications, &self.hosts];
        let counts: usize = counts.into_iter().map(BoundedCounts::memory_size).sum();
        let examples = [&self.example, &self.failed].into_iter().flatten();
        let examples: usize = examples.map(|example| example.memory_size()).sum();
        let events = self.events.as_ref().map_or(0, |events| events.memory_size());
        // A table of groups has room for up to twice as many.
        2 * size_of::<Self>() + self.durations.memory_size() + counts + examples + events
    }

    /// The order in which surplus groups are dropped: fewest executions first, then least time.
    pub(crate) fn drop_rank(&self) -> (u64, u64) {
        (self.calls + self.errors, self.durations.sum())
    }
}

#[cfg(test)]
mod tests {
    use super::{Execution, Group};
    use crate::execution::MAX_EXAMPLE_LEN;

    #[test]
    fn the_example_is_the_slowest_then_the_earliest() {
        let executions = [
            Execution { sql: "B", duration: Some(5), time: Some((3, "3")), ..Execution::default() },
            Execution { sql: "A", duration: Some(9), time: Some((2, "2")), ..Execution::default() },
            Execution { sql: "C", duration: Some(9), time: Some((1, "1")), user: b"ann", ..Execution::default() },
            Execution { sql: "D", duration: None, error: Some(b"no"), time: Some((4, "4")), ..Execution::default() },
        ];
        for turn in 0..executions.len() {
            let (mut group, mut other) = (Group::default(), Group::default());
            for (i, execution) in executions.iter().enumerate() {
                if (i + turn) % 2 == 0 { group.add(execution) } else { other.add(execution) }
            }
            group.merge(other);
            assert_eq!(&*group.example.as_ref().unwrap().sql, "C");
            assert_eq!((group.calls, group.errors, group.durations.sum()), (3, 1, 23));
            assert_eq!((&*group.first.unwrap().text, &*group.last.unwrap().text), ("1", "4"));
        }
    }

    #[test]
    fn long_statements_are_cut_and_shorter_ones_preferred() {
        let long = "é".repeat(MAX_EXAMPLE_LEN);
        let mut group = Group::default();
        group.add(&Execution { sql: &long, duration: Some(9), ..Execution::default() });
        assert!(group.example.as_ref().unwrap().cut);
        group.add(&Execution { sql: "SELECT 1", duration: Some(1), ..Execution::default() });
        assert_eq!(&*group.example.unwrap().sql, "SELECT 1");
    }
}
