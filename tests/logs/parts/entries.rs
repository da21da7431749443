//! Tests of entries and their filters.

use jiff::tz::TimeZone;
use pgq_log::internals::{OwnedEntry, empty_entry, entry, message};
use pgq_log::{Field, FilePosition, RecordFilter, Severity, TimeLimit, Verdict, parse_timestamp};

#[test]
fn an_owned_entry_equals_the_entry_in_the_batch() {
    let bytes = b"\xc3\xbcn ann LOG:  statement: SELECT 1";
    let fields = [(Field::User, 4..7), (Field::Message, 14..33), (Field::Sql, 25..33)];
    let message = message(7, Severity::Log, 25, &fields);
    let entry = entry(bytes, &message, FilePosition { offset: 100, line: 5, column: 1 });
    let mut owned = OwnedEntry::new(entry);
    assert_eq!((owned.entry().sql(), owned.entry().get(Field::User)), (&b"SELECT 1"[..], &b"ann"[..]));
    assert_eq!(entry.position(), FilePosition { offset: 125, line: 5, column: 25 });
    assert_eq!(owned.entry().position(), entry.position());
    assert_eq!(owned.entry().duration_ms(), None);
    owned.set(Field::Duration, b"1.5");
    assert_eq!(owned.entry().duration_ms(), Some(1.5));
}

#[test]
fn each_filter_selects_and_rejects() {
    let mut owned = empty_entry();
    owned.set(Field::User, b"ann");
    owned.set(Field::Time, b"2026-01-31 12:00:00.123 UTC");
    owned.set(Field::Duration, b"12.5");
    owned.set(Field::Sql, b"SELECT 1");
    let list = |name: &str| vec![name.to_string()];
    let names = |name: &str| vec![name.as_bytes().to_vec()];
    let at = |text| parse_timestamp(text).map(TimeLimit::At);
    let daily_in = |hours: i64, zone| Some(TimeLimit::Daily(hours * 3_600_000_000, zone));
    let daily = |hours| daily_in(hours, None);
    let east = |hours| Some(TimeZone::fixed(jiff::tz::offset(hours)));
    let all = RecordFilter::default;
    for (filter, verdict) in [
        (all(), Verdict::Selected),
        (RecordFilter { users: names("ann"), kinds: list("select"), ..all() }, Verdict::Selected),
        (RecordFilter { users: names("bob"), ..all() }, Verdict::Rejected),
        (RecordFilter { databases: names("shop"), ..all() }, Verdict::MissingField),
        (RecordFilter { kinds: list("insert"), ..all() }, Verdict::Rejected),
        (RecordFilter { min_duration: Some(13.0), ..all() }, Verdict::Rejected),
        (RecordFilter { min_duration: Some(12.5), ..all() }, Verdict::Selected),
        (RecordFilter { since: at("2026-01-31 12:00:01"), ..all() }, Verdict::Rejected),
        (RecordFilter { until: at("2026-01-31 12:00:00"), ..all() }, Verdict::Rejected),
        (RecordFilter { since: at("2026-01-31T13:00:00+01:00"), ..all() }, Verdict::Selected),
        (RecordFilter { since: daily(12), until: daily(13), ..all() }, Verdict::Selected),
        (RecordFilter { since: daily(13), ..all() }, Verdict::Rejected),
        (RecordFilter { until: daily(12), ..all() }, Verdict::Rejected), // the record is 123 ms later
        (RecordFilter { since: daily(23), until: daily(13), ..all() }, Verdict::Selected),
        (RecordFilter { since: daily(23), until: daily(1), ..all() }, Verdict::Rejected),
        (RecordFilter { since: daily_in(13, east(1)), ..all() }, Verdict::Selected), // 13:00 there is 12:00 UTC
        (RecordFilter { since: daily_in(12, east(-1)), ..all() }, Verdict::Rejected),
        (RecordFilter { until: daily_in(3, east(-10)), ..all() }, Verdict::Selected),
        (RecordFilter { keeps_errors: true, min_duration: Some(13.0), ..all() }, Verdict::Rejected),
        (RecordFilter { excluded_users: names("bob"), ..all() }, Verdict::Selected),
        (RecordFilter { excluded_users: names("ann"), ..all() }, Verdict::Rejected),
        (RecordFilter { excluded_databases: names("shop"), ..all() }, Verdict::Selected),
    ] {
        assert_eq!(filter.verdict(owned.entry()), verdict, "{filter:?}");
    }
}
