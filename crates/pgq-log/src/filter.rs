//! Filters of records by their fields. Reads no command line.

use pgq_lexer::statement_keyword;

use crate::entry::Entry;
use crate::field::Field;
use crate::stats::LogStats;
use crate::timestamp::{Timestamp, parse_timestamp};

/// A filter of records. The default selects all records; an empty list does not filter.
///
/// ```
/// use pgq_log::{RecordFilter, parse_timestamp};
///
/// let filter = RecordFilter {
///     users: vec!["ann".into()],
///     since: parse_timestamp("2026-01-31 12:00 UTC"),
///     ..RecordFilter::default()
/// };
/// ```
#[derive(Debug, Default)]
pub struct RecordFilter {
    /// Names of users.
    pub users: Vec<String>,
    /// Names of databases.
    pub databases: Vec<String>,
    /// Values of application_name.
    pub applications: Vec<String>,
    /// Kinds of statements, by [`statement_keyword`]: `select`, `insert`, …
    pub kinds: Vec<String>,
    /// The earliest time, inclusive.
    pub since: Option<Timestamp>,
    /// The latest time, inclusive.
    pub until: Option<Timestamp>,
    /// The shortest duration in milliseconds, inclusive.
    pub min_duration: Option<f64>,
}

/// The result of applying a filter to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The record passes.
    Selected,
    /// The record does not pass.
    Rejected,
    /// The record does not have a field that the filter needs, and does not pass.
    MissingField,
}

impl RecordFilter {
    /// Whether a record passes. The record is counted in `stats`, selected or not.
    pub fn selects(&self, entry: Entry<'_>, stats: &mut LogStats) -> bool {
        let verdict = self.verdict(entry);
        match verdict {
            Verdict::Selected => stats.count_record(entry),
            Verdict::Rejected => stats.rejected += 1,
            Verdict::MissingField => stats.missing_field += 1,
        }
        verdict == Verdict::Selected
    }

    /// Applies the filter to a record.
    #[must_use]
    pub fn verdict(&self, entry: Entry<'_>) -> Verdict {
        let names =
            [(&self.users, Field::User), (&self.databases, Field::Database), (&self.applications, Field::Application)];
        for (selected, field) in names {
            if !selected.is_empty() && !selected.iter().any(|name| name.as_bytes() == entry.get(field)) {
                return if entry.get(field).is_empty() { Verdict::MissingField } else { Verdict::Rejected };
            }
        }
        if let Some(min) = self.min_duration {
            match entry.duration_ms() {
                None => return Verdict::MissingField,
                Some(duration) if duration < min => return Verdict::Rejected,
                Some(_) => {}
            }
        }
        if self.since.is_some() || self.until.is_some() {
            let Some(time) = std::str::from_utf8(entry.get(Field::Time)).ok().and_then(parse_timestamp) else {
                return Verdict::MissingField;
            };
            let too_early = self.since.is_some_and(|since| time.is_before(since));
            if too_early || self.until.is_some_and(|until| until.is_before(time)) {
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

#[cfg(test)]
mod tests {
    use super::{Field, RecordFilter, Verdict, parse_timestamp};
    use crate::entry::OwnedEntry;
    use crate::message::Message;

    #[test]
    fn each_filter_selects_and_rejects() {
        let mut owned = OwnedEntry::from_message(Message::default(), b"");
        owned.set(Field::User, b"ann");
        owned.set(Field::Time, b"2026-01-31 12:00:00.123 UTC");
        owned.set(Field::Duration, b"12.5");
        owned.set(Field::Sql, b"SELECT 1");
        let list = |name: &str| vec![name.to_string()];
        let at = |text| parse_timestamp(text);
        let all = RecordFilter::default;
        for (filter, verdict) in [
            (all(), Verdict::Selected),
            (RecordFilter { users: list("ann"), kinds: list("select"), ..all() }, Verdict::Selected),
            (RecordFilter { users: list("bob"), ..all() }, Verdict::Rejected),
            (RecordFilter { databases: list("shop"), ..all() }, Verdict::MissingField),
            (RecordFilter { kinds: list("insert"), ..all() }, Verdict::Rejected),
            (RecordFilter { min_duration: Some(13.0), ..all() }, Verdict::Rejected),
            (RecordFilter { min_duration: Some(12.5), ..all() }, Verdict::Selected),
            (RecordFilter { since: at("2026-01-31 12:00:01"), ..all() }, Verdict::Rejected),
            (RecordFilter { until: at("2026-01-31 12:00:00"), ..all() }, Verdict::Rejected),
            (RecordFilter { since: at("2026-01-31T13:00:00+01:00"), ..all() }, Verdict::Selected),
        ] {
            assert_eq!(filter.verdict(owned.entry()), verdict, "{filter:?}");
        }
    }
}
