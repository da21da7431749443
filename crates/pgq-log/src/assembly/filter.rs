//! Filters records by their fields.

use std::cell::LazyCell;

use jiff::tz::TimeZone;
use pgq_lexer::statement_keyword;

use crate::assembly::entry::Entry;
use crate::assembly::stats::LogStats;
use crate::message::field::Field;
use crate::time::timestamp::{Timestamp, parse_timestamp, time_without_year};

/// A filter of records. The default selects all records. An empty list selects all values.
///
/// ```
/// use pgq_log::{RecordFilter, TimeLimit, parse_timestamp};
///
/// let filter = RecordFilter {
///     users: vec!["ann".into()],
///     since: parse_timestamp("2026-01-31 12:00 UTC").map(TimeLimit::At),
///     ..RecordFilter::default()
/// };
/// ```
#[derive(Debug, Default)]
pub struct RecordFilter {
    /// Names of users. Names are bytes, because names in a log need not be UTF-8.
    pub users: Vec<Vec<u8>>,
    /// Names of databases.
    pub databases: Vec<Vec<u8>>,
    /// Values of application_name.
    pub applications: Vec<Vec<u8>>,
    /// Kinds of statements, as [`statement_keyword`] returns them: `select`, `insert`, …
    pub kinds: Vec<String>,
    /// Names of users whose records are rejected.
    pub excluded_users: Vec<Vec<u8>>,
    /// Names of databases whose records are rejected.
    pub excluded_databases: Vec<Vec<u8>>,
    /// Values of application_name whose records are rejected.
    pub excluded_applications: Vec<Vec<u8>>,
    /// Lower bound of the time, inclusive.
    pub since: Option<TimeLimit>,
    /// Upper bound of the time, inclusive. A daily range may cross midnight: since 23:00, until 1:00.
    pub until: Option<TimeLimit>,
    /// Minimum duration in milliseconds, inclusive.
    pub min_duration: Option<f64>,
    /// Whether errors, which have no duration, pass the filter even if `min_duration` is given.
    pub keeps_errors: bool,
    /// The zone for times that have no zone in the log.
    pub zone: Option<TimeZone>,
}

/// A bound of a time range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeLimit {
    /// A point in time.
    At(Timestamp),
    /// A time on every day: microseconds since midnight, and the zone. `None` means the log's zone.
    Daily(i64, Option<TimeZone>),
}

/// Microseconds per day.
const DAY: i64 = 86_400_000_000;

impl TimeLimit {
    /// Returns the limit. If the limit has no zone, adds `zone`.
    #[must_use]
    pub fn or_in_zone(self, zone: &TimeZone) -> Self {
        match self {
            Self::At(limit) => Self::At(limit.or_in_zone(zone)),
            Self::Daily(limit, own) => Self::Daily(limit, own.or_else(|| Some(zone.clone()))),
        }
    }

    fn is_before(&self, time: Timestamp) -> bool {
        match self {
            Self::At(limit) => limit.is_before(time),
            Self::Daily(limit, zone) => *limit < time_of_day(time, zone.as_ref()),
        }
    }

    fn is_after(&self, time: Timestamp) -> bool {
        match self {
            Self::At(limit) => time.is_before(*limit),
            Self::Daily(limit, zone) => time_of_day(time, zone.as_ref()) < *limit,
        }
    }

    /// Whether the limit has a zone. If so, it can be compared only with a time whose zone is known.
    fn has_zone(&self) -> bool {
        match self {
            Self::At(limit) => limit.has_zone(),
            Self::Daily(_, zone) => zone.is_some(),
        }
    }
}

/// Returns microseconds since midnight in a zone. Without a zone, or if the zone of `time` is unknown, uses the local
/// time.
fn time_of_day(time: Timestamp, zone: Option<&TimeZone>) -> i64 {
    zone.and_then(|zone| time.micros_in(zone)).unwrap_or(time.local_micros()).rem_euclid(DAY)
}

/// The result of applying a filter to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The filter selects the record.
    Selected,
    /// The filter rejects the record.
    Rejected,
    /// The record lacks a field that the filter needs, and is rejected.
    MissingField,
}

impl RecordFilter {
    /// Whether the filter selects a record. Counts the record in `stats`, whether or not the filter
    /// selects it.
    pub fn selects(&self, entry: Entry<'_>, stats: &mut LogStats) -> bool {
        // Fast path: most runs have no filter.
        let verdict = if self.selects_all() { Verdict::Selected } else { self.verdict_counting(entry, stats) };
        match verdict {
            Verdict::Selected if entry.event().is_some() => {}
            Verdict::Selected => stats.count_record(entry),
            Verdict::Rejected => stats.rejected += 1,
            Verdict::MissingField => stats.missing_field += 1,
        }
        verdict == Verdict::Selected
    }

    /// Whether the filter selects every record.
    fn selects_all(&self) -> bool {
        let has_no_names = [&self.users, &self.databases, &self.applications].into_iter().all(Vec::is_empty)
            && self.excluded().into_iter().all(|(names, _)| names.is_empty());
        has_no_names
            && self.kinds.is_empty()
            && self.since.is_none()
            && self.until.is_none()
            && self.min_duration.is_none()
    }

    /// Applies the filter to a record. If the filter excludes names, counts in `stats` whether the record has the
    /// fields of these names. If a limit of the filter has a zone, counts the record if its own zone is unknown or
    /// ambiguous.
    fn verdict_counting(&self, entry: Entry<'_>, stats: &mut LogStats) -> Verdict {
        let mut excluded = self.excluded().into_iter().filter(|(names, _)| !names.is_empty()).peekable();
        if excluded.peek().is_some() {
            let is_named = excluded.all(|(_, field)| !entry.get(field).is_empty());
            *(if is_named { &mut stats.named } else { &mut stats.unnamed }) += 1;
        }
        let time = LazyCell::new(|| self.time(entry));
        // Without `zone`, PST counts as unknown: PostgreSQL reads it as the zone of North America, but it is also used
        // in the Philippines.
        let is_unsure_of_zone = || {
            time.is_some_and(|time| !time.has_zone())
                || (self.zone.is_none() && entry.get(Field::Time).ends_with(b" PST"))
        };
        if [&self.since, &self.until].into_iter().flatten().any(TimeLimit::has_zone) && is_unsure_of_zone() {
            stats.ambiguous_zones += 1;
        }
        self.verdict_at(entry, || *time)
    }

    /// Returns each list of excluded names together with the field to which the list applies. A list does not reject
    /// the records that lack its field.
    fn excluded(&self) -> [(&[Vec<u8>], Field); 3] {
        [
            (&self.excluded_users, Field::User),
            (&self.excluded_databases, Field::Database),
            (&self.excluded_applications, Field::Application),
        ]
    }

    fn time(&self, entry: Entry<'_>) -> Option<Timestamp> {
        let parse = |text| std::str::from_utf8(text).ok().and_then(parse_timestamp);
        let text = entry.get(Field::Time);
        let Some(time) = parse(text) else {
            return time_without_year(text).filter(|_| self.needs_no_date());
        };
        let time = self.zone.as_ref().map_or(time, |zone| time.or_in_zone(zone));
        if time.has_zone() || !entry.has_zone_of_session() {
            return Some(time);
        }
        let offset = parse(entry.get(Field::SessionStart)).and_then(|started| entry.session_offset(started));
        Some(offset.map_or(time, |offset| time.with_offset(offset)))
    }

    /// Whether the limits can be compared with times that have no date. This is the case if all limits are daily, and
    /// no time needs to be converted to another zone.
    fn needs_no_date(&self) -> bool {
        let is_local = |limit: &TimeLimit| match limit {
            TimeLimit::At(_) => false,
            TimeLimit::Daily(_, zone) => zone.is_none() || self.zone.is_none() || *zone == self.zone,
        };
        [&self.since, &self.until].into_iter().flatten().all(is_local)
    }

    /// Applies the filter to a record.
    #[must_use]
    pub fn verdict(&self, entry: Entry<'_>) -> Verdict {
        self.verdict_at(entry, || self.time(entry))
    }

    /// Applies the filter to a record. `time` returns the record's time.
    fn verdict_at(&self, entry: Entry<'_>, time: impl FnOnce() -> Option<Timestamp>) -> Verdict {
        let names =
            [(&self.users, Field::User), (&self.databases, Field::Database), (&self.applications, Field::Application)];
        for (selected, field) in names {
            if !selected.is_empty() && !selected.iter().any(|name| name == entry.get(field)) {
                return if entry.get(field).is_empty() { Verdict::MissingField } else { Verdict::Rejected };
            }
        }
        for (names, field) in self.excluded() {
            if names.iter().any(|name| name == entry.get(field)) {
                return Verdict::Rejected;
            }
        }
        if let Some(min) = self.min_duration {
            match entry.duration_ms() {
                None if self.keeps_errors && entry.severity().is_error() => {}
                // Rejects an event (such as a temporary file), because the duration of its statement is unknown.
                None if entry.event().is_some() => return Verdict::Rejected,
                None => return Verdict::MissingField,
                Some(duration) if duration < min => return Verdict::Rejected,
                Some(_) => {}
            }
        }
        if self.since.is_some() || self.until.is_some() {
            let Some(time) = time() else { return Verdict::MissingField };
            let too_early = self.since.as_ref().is_some_and(|since| since.is_after(time));
            let too_late = self.until.as_ref().is_some_and(|until| until.is_before(time));
            let is_outside = match (&self.since, &self.until) {
                (Some(TimeLimit::Daily(since, _)), Some(TimeLimit::Daily(until, _))) if until < since => {
                    too_early && too_late
                }
                _ => too_early || too_late,
            };
            if is_outside {
                return Verdict::Rejected;
            }
        }
        if !self.kinds.is_empty() {
            let kind = statement_keyword(entry.sql());
            if !self.kinds.contains(&kind) {
                return Verdict::Rejected;
            }
        }
        Verdict::Selected
    }
}
