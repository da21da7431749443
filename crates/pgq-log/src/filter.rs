//! Which records of a log are wanted.

use pgq_lexer::statement_keyword;

use crate::entry::{Entry, Part};
use crate::timestamp::{Timestamp, parse_timestamp};

/// The filters of the command line, ready for use.
#[derive(Debug, Default)]
pub struct RecordFilter {
    pub users: Vec<String>,
    pub databases: Vec<String>,
    pub applications: Vec<String>,
    pub kinds: Vec<String>,
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
    pub min_duration: Option<f64>,
}

/// What a filter says of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Selected,
    Rejected,
    /// The record lacks what is asked for.
    MissingField,
}

impl RecordFilter {
    /// Whether a record is wanted.
    pub fn verdict(&self, entry: Entry<'_>) -> Verdict {
        let names =
            [(&self.users, Part::User), (&self.databases, Part::Database), (&self.applications, Part::Application)];
        for (wanted, part) in names {
            if !wanted.is_empty() && !wanted.iter().any(|name| name.as_bytes() == entry.get(part)) {
                return if entry.get(part).is_empty() { Verdict::MissingField } else { Verdict::Rejected };
            }
        }
        if let Some(least) = self.min_duration {
            match entry.duration() {
                None => return Verdict::MissingField,
                Some(duration) if duration < least => return Verdict::Rejected,
                Some(_) => {}
            }
        }
        if self.since.is_some() || self.until.is_some() {
            let Some(time) = std::str::from_utf8(entry.get(Part::Time)).ok().and_then(parse_timestamp) else {
                return Verdict::MissingField;
            };
            let early = self.since.is_some_and(|since| time.is_before(since));
            if early || self.until.is_some_and(|until| until.is_before(time)) {
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
    use super::{Part, RecordFilter, Verdict, parse_timestamp};
    use crate::entry::{Message, OwnedEntry};

    #[test]
    fn each_filter_refuses() {
        let mut own = OwnedEntry::of(Message::default(), b"");
        own.set(Part::User, b"ann");
        own.set(Part::Time, b"2026-01-31 12:00:00.123 UTC");
        own.set(Part::Duration, b"12.5");
        own.set(Part::Sql, b"SELECT 1");
        let verdict = |filter: RecordFilter| filter.verdict(own.entry());
        let one = |name: &str| vec![name.to_string()];
        assert_eq!(verdict(RecordFilter::default()), Verdict::Selected);
        assert_eq!(
            verdict(RecordFilter { users: one("ann"), kinds: one("select"), ..RecordFilter::default() }),
            Verdict::Selected
        );
        assert_eq!(verdict(RecordFilter { users: one("bob"), ..RecordFilter::default() }), Verdict::Rejected);
        assert_eq!(verdict(RecordFilter { databases: one("shop"), ..RecordFilter::default() }), Verdict::MissingField);
        assert_eq!(verdict(RecordFilter { kinds: one("insert"), ..RecordFilter::default() }), Verdict::Rejected);
        assert_eq!(verdict(RecordFilter { min_duration: Some(13.0), ..RecordFilter::default() }), Verdict::Rejected);
        assert_eq!(verdict(RecordFilter { min_duration: Some(12.5), ..RecordFilter::default() }), Verdict::Selected);
        let at = |text| parse_timestamp(text);
        assert_eq!(
            verdict(RecordFilter { since: at("2026-01-31 12:00:01"), ..RecordFilter::default() }),
            Verdict::Rejected
        );
        assert_eq!(
            verdict(RecordFilter { until: at("2026-01-31 12:00:00"), ..RecordFilter::default() }),
            Verdict::Rejected
        );
        assert_eq!(
            verdict(RecordFilter { since: at("2026-01-31T13:00:00+01:00"), ..RecordFilter::default() }),
            Verdict::Selected
        );
    }
}
