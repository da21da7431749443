//! A group of executions: of one query, of statements with the same parse error, or of statements that the log
//! truncated. Merging is exact and does not depend on the order of merges.

use std::hint::black_box;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::durations::Durations;
use crate::events::{Events, StatementEvent};
use crate::example::{Example, ExampleKey, ExampleKind};
use crate::execution::{Execution, LogTime};
use crate::group_facets::GroupFacets;
use crate::origin::Origin;
use crate::tally::{Names, Sum};
use crate::timeline::PackedTimeline;

/// Maximum size of a group's entry in the hash table, in bytes. The size is doubled, because half of the table may be
/// free.
const TABLE_ENTRY: usize = 2 * size_of::<(u64, Box<Group>)>();

/// Estimated size of a small group in bytes, without its example.
pub(crate) const SMALL_GROUP: usize = size_of::<Group>() + TABLE_ENTRY + 96;

/// A group of executions, with counts and examples.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Group {
    /// Upper bound of the number of items that are missing in each count (of statements, temporary files, lock waits or
    /// plans). Usually 0. Items may be missing if the group was dropped because of the digest's limit, and created
    /// again later.
    pub missing: u64,
    /// Number of successful executions.
    pub calls: u64,
    /// Known durations of the executions, in microseconds.
    pub durations: Durations,
    /// Number of failed statements.
    pub errors: u64,
    /// Messages of the failed statements.
    pub messages: Option<Box<Names<u64>>>,
    /// The earliest time.
    pub first: Option<LogTime>,
    /// The latest time.
    pub last: Option<LogTime>,
    /// Calls, time and errors by user, database, application, host and tag.
    pub facets: GroupFacets,
    /// Timeline of the executions.
    pub timeline: PackedTimeline,
    /// Events of the statements.
    pub events: Option<Box<Events>>,
    /// Best example: the slowest call, or the earliest call if the group has no durations. If the group has no calls,
    /// the example is a failed statement. `None` if the group is empty.
    pub example: Option<Box<Example>>,
    /// The latest call, unless it is `example`.
    pub latest: Option<Box<Example>>,
    /// The earliest statement that failed.
    pub failed: Option<Box<Example>>,
}

/// Returns whether fewer than nine tenths of a query's calls have a known duration. The server logs no duration for
/// calls that are faster than its threshold, or that are not in its sample. `calls` is the number of calls, `missing`
/// is the upper bound of the number of further calls ([`Group::missing`]), and `timed` is the number of calls with a
/// duration.
pub(crate) fn lacks_durations(calls: u64, missing: u64, timed: u64) -> bool {
    timed == 0 || u128::from(timed) * 10 < (u128::from(calls) + u128::from(missing)) * 9
}

impl Group {
    /// Whether more than a tenth of the calls have no duration, or are missing. If so, mean and percentiles describe
    /// only a part of the calls.
    #[must_use]
    pub fn lacks_durations(&self) -> bool {
        lacks_durations(self.calls, self.missing, self.durations.count())
    }

    /// Adds an execution. `origin`: the execution's user, database, application and host. Returns the growth of the
    /// examples in bytes.
    pub fn add(&mut self, execution: &Execution<'_>, origin: &Arc<Origin>) -> usize {
        let mut grown = 0;
        match execution.error {
            Some(error) => {
                self.errors += 1;
                if let Some(count) = self.messages.get_or_insert_default().of_name(error.message) {
                    *count += 1;
                }
                if execution.is_canceled {
                    self.events.get_or_insert_default().canceled += 1;
                }
                let key = ExampleKey::new(ExampleKind::Failed, execution, origin);
                if self.failed.as_ref().is_none_or(|failed| key.by_time() < failed.key().by_time()) {
                    grown += set(&mut self.failed, execution, origin);
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
            self.timeline.add(micros, execution.duration.unwrap_or(0), execution.error.is_some());
        }
        self.facets.add(execution, origin);
        grown + self.add_examples(execution, origin)
    }

    /// Prefetches the fields that [`Group::add`] needs, for [`Digest::load`](crate::Digest::load).
    pub(crate) fn load(&self) {
        let last = self.last.as_ref().map(|time| time.micros);
        black_box((self.calls, self.durations.sum(), last, self.timeline.bin_seconds(), self.example.is_some()));
    }

    /// Like [`Group::load`], but prefetches the memory to which the fields point.
    pub(crate) fn load_examples(&self) {
        for example in [&self.example, &self.latest].into_iter().flatten() {
            black_box((example.kind, example.duration, example.sql.first()));
        }
        self.facets.load();
    }

    fn add_examples(&mut self, execution: &Execution<'_>, origin: &Arc<Origin>) -> usize {
        let kind = ExampleKind::of(execution);
        let key = ExampleKey::new(kind, execution, origin);
        let is_best = self.example.as_ref().is_none_or(|example| key < example.key());
        let is_call = kind == ExampleKind::Call;
        let is_latest = is_call && self.latest_call().is_none_or(|call| key.recency() > call.key().recency());
        match (is_best, is_latest) {
            (true, true) => {
                self.latest = None;
                set(&mut self.example, execution, origin)
            }
            (true, false) if self.latest.is_none() => {
                self.latest = self.example.take().filter(|example| example.kind == ExampleKind::Call);
                set(&mut self.example, execution, origin)
            }
            (true, false) => set(&mut self.example, execution, origin),
            (false, true) => set(&mut self.latest, execution, origin),
            (false, false) => 0,
        }
    }

    fn latest_call(&self) -> Option<&Example> {
        self.latest.as_deref().or(self.example.as_deref().filter(|example| example.kind == ExampleKind::Call))
    }

    /// Adds an event of an execution, such as a temporary file. The caller adds the execution itself when the execution
    /// ends. Returns the growth of the example and of the events in bytes.
    pub fn add_event(&mut self, event: &StatementEvent<'_>, execution: &Execution<'_>, origin: &Arc<Origin>) -> usize {
        let texts = self.texts_size();
        self.events.get_or_insert_default().add(event, execution.duration, execution.time);
        let execution = Execution { duration: None, ..*execution };
        let key = ExampleKey::new(ExampleKind::Event, &execution, origin);
        if self.example.as_ref().is_none_or(|kept| key < kept.key()) {
            self.example = Some(Box::new(Example::new(ExampleKind::Event, &execution, origin)));
        }
        self.texts_size().saturating_sub(texts)
    }

    /// Returns [`Group::events`], or no events.
    #[must_use]
    pub fn events_or_none(&self) -> &Events {
        static NONE: Events = Events::NONE;
        self.events.as_deref().unwrap_or(&NONE)
    }

    /// Returns [`Group::messages`], or an empty tally.
    #[must_use]
    pub fn messages_or_none(&self) -> &Names<u64> {
        static NONE: Names<u64> = Names::EMPTY;
        self.messages.as_deref().unwrap_or(&NONE)
    }

    fn add_time(&mut self, micros: i64, text: &[u8]) {
        if self.first.as_ref().is_none_or(|first| first.order_of(micros, text).is_lt()) {
            self.first = Some(LogTime::new(micros, text));
        }
        if self.last.as_ref().is_none_or(|last| last.order_of(micros, text).is_gt()) {
            self.last = Some(LogTime::new(micros, text));
        }
    }

    /// Adds another group of the same kind.
    pub fn merge(&mut self, other: Self) {
        self.missing = self.missing.saturating_add(other.missing);
        self.calls = self.calls.saturating_add(other.calls);
        self.durations.merge(&other.durations);
        self.errors = self.errors.saturating_add(other.errors);
        if let Some(messages) = other.messages {
            self.messages.get_or_insert_default().merge(*messages);
        }
        self.facets.merge(other.facets);
        self.timeline.merge(&other.timeline);
        if let Some(events) = other.events {
            self.events.get_or_insert_default().merge(*events);
        }
        self.failed = match (self.failed.take(), other.failed) {
            (Some(a), Some(b)) => Some(if b.key().by_time() < a.key().by_time() { b } else { a }),
            (a, b) => a.or(b),
        };
        for time in [other.first, other.last].into_iter().flatten() {
            let (micros, text) = time.key();
            self.add_time(micros, text);
        }
        let examples = [self.example.take(), self.latest.take(), other.example, other.latest];
        self.keep_examples(examples.into_iter().flatten());
    }

    /// Sets `example` to the best example. Sets `latest` to the latest call, if it is later than the best example.
    fn keep_examples(&mut self, examples: impl Iterator<Item = Box<Example>>) {
        let mut examples: Vec<Box<Example>> = examples.collect();
        let Some(best) = (0..examples.len()).min_by(|a, b| examples[*a].key().cmp(&examples[*b].key())) else {
            return;
        };
        let best = examples.swap_remove(best);
        let calls = examples.into_iter().filter(|example| example.kind == ExampleKind::Call);
        let latest = calls.max_by(|a, b| a.key().recency().cmp(&b.key().recency()));
        self.latest = latest.filter(|latest| latest.key().recency() > best.key().recency());
        self.example = Some(best);
    }

    /// Returns the approximate memory usage in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        let rest = TABLE_ENTRY + self.durations.memory_size() + self.timeline.memory_size();
        size_of::<Self>() + rest + self.names_size() + self.texts_size()
    }

    /// Returns the approximate memory usage of names and messages, in bytes.
    pub(crate) fn names_size(&self) -> usize {
        let messages = self.messages.as_ref().map_or(0, |counts| size_of::<Names<u64>>() + counts.memory_size());
        self.facets.memory_size() + messages
    }

    /// Returns the number of names and messages. Faster than [`Group::names_size`].
    pub(crate) fn names_len(&self) -> usize {
        self.facets.len() + self.messages.as_ref().map_or(0, |counts| counts.len())
    }

    /// Returns the memory usage of examples and events, in bytes.
    fn texts_size(&self) -> usize {
        let examples = [&self.example, &self.latest, &self.failed].into_iter().flatten();
        let events = self.events.as_ref().map_or(0, |events| events.memory_size());
        examples.map(|example| example.memory_size()).sum::<usize>() + events
    }

    /// Returns the number of statements, which are calls and errors.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.calls.saturating_add(self.errors)
    }

    /// Returns the greatest of the group's counts: statements, temporary files, lock waits or plans. The group with the
    /// smallest value is dropped first.
    #[must_use]
    pub fn largest_count(&self) -> u64 {
        self.statements().max(self.events_or_none().largest_count())
    }

    /// Returns the examples, mutably.
    pub fn examples_mut(&mut self) -> impl Iterator<Item = &mut Example> {
        [&mut self.example, &mut self.latest, &mut self.failed].into_iter().flatten().map(|example| &mut **example)
    }
}

impl Sum for Group {
    fn merge(&mut self, other: Self) {
        Self::merge(self, other);
    }

    fn weight(&self) -> u64 {
        self.largest_count()
    }

    fn memory_size(&self) -> usize {
        Self::memory_size(self) - size_of::<Self>()
    }

    fn evict_names_to(&mut self, count: usize) {
        self.facets.evict_to(count);
        if let Some(messages) = &mut self.messages {
            messages.evict_to(count);
        }
    }
}

/// Replaces the example with an execution. Reuses the memory, and returns its growth in bytes.
fn set(example: &mut Option<Box<Example>>, execution: &Execution<'_>, origin: &Arc<Origin>) -> usize {
    match example {
        Some(example) => {
            let size = example.memory_size();
            example.set(execution, origin);
            example.memory_size() - size
        }
        None => {
            let new = Example::new(ExampleKind::of(execution), execution, origin);
            example.insert(Box::new(new)).memory_size()
        }
    }
}
