//! Values with units: bytes, durations and times.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::civil::Date;
use jiff::tz::{Offset, TimeZone};
use pgq_log::{TimeLimit, Timestamp, parse_timestamp};

/// A time limit and its original text.
#[derive(Debug, Clone)]
pub struct TimeArg {
    pub text: String,
    pub limit: TimeLimit,
}

/// Parses a date and time, a time of day (`09:27`), or a time before now (`-2h`).
pub fn time_limit(text: &str) -> Result<TimeArg, String> {
    limit_of(text).map(|limit| TimeArg { text: text.to_string(), limit })
}

fn limit_of(text: &str) -> Result<TimeLimit, String> {
    if let Some(ago) = text.strip_prefix('-') {
        let ago = match ago.strip_suffix('d') {
            Some(days) => days.trim().parse::<f64>().ok().filter(|days| *days >= 0.0).map(|days| days * 86_400.0),
            None => milliseconds(ago).ok().map(|ms| ms / 1000.0),
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|problem| problem.to_string())?.as_secs_f64();
        let limit = ago.and_then(|ago| parse_timestamp(&format!("{:.6}", now - ago)));
        return limit.map(TimeLimit::At).ok_or_else(|| "write a time before now as -2h, -30min or -1d".into());
    }
    // A time of day is parsed as a time on 1970-01-01.
    if let Some((hours, _)) = text.split_once(':')
        && (1..=2).contains(&hours.len())
        && let Some(time) = parse_timestamp(&format!("1970-01-01 {text:0>0$}", text.len() + 2 - hours.len()))
    {
        return Ok(TimeLimit::Daily(time.local_micros(), zone_of(text, time)?));
    }
    let expected = "write it as 'YYYY-MM-DD HH:MM:SS', with a zone or without, as HH:MM for every day, or as -2h";
    let time = parse_timestamp(text).ok_or(expected)?;
    let is_date = text.trim().as_bytes().get(4) == Some(&b'-');
    if is_date && text.trim()[..10].parse::<Date>().is_err() {
        return Err("the month has no such day".into());
    }
    zone_of(text, time).map(|_| TimeLimit::At(time))
}

/// Returns the zone of a time, or `None` if the text has no zone.
fn zone_of(text: &str, time: Timestamp) -> Result<Option<TimeZone>, String> {
    let Some(utc) = time.utc_micros() else {
        let has_name = text.trim_end().ends_with(|c: char| c.is_ascii_alphabetic());
        let problem =
            "its zone is unknown or has several meanings: write the offset, such as +01:00, or use --timezone";
        return if has_name { Err(problem.into()) } else { Ok(None) };
    };
    let seconds = i32::try_from((time.local_micros() - utc) / 1_000_000).ok();
    let offset = seconds.and_then(|seconds| Offset::from_seconds(seconds).ok()).ok_or("its zone is out of range")?;
    Ok(Some(TimeZone::fixed(offset)))
}

/// Returns a time zone by its name in the tz database.
pub fn time_zone(name: &str) -> Result<TimeZone, String> {
    TimeZone::get(name).map_err(|problem| problem.to_string())
}

/// Parses a number of bytes with PostgreSQL's memory units.
pub fn bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = split_unit(text);
    let unit = match unit {
        "" | "B" => 1,
        "kB" => 1 << 10,
        "MB" => 1 << 20,
        "GB" => 1 << 30,
        _ => return Err("the units are B, kB, MB and GB".into()),
    };
    let number: usize = number.parse().map_err(|_| "not a number of bytes".to_string())?;
    number.checked_mul(unit).filter(|bytes| *bytes > 0).ok_or_else(|| "out of range".into())
}

/// Parses a time in PostgreSQL's units, with milliseconds as the default unit. Returns milliseconds.
pub fn milliseconds(text: &str) -> Result<f64, String> {
    let (number, unit) = split_unit(text);
    let unit = match unit {
        "" | "ms" => 1.0,
        "us" => 0.001,
        "s" => 1000.0,
        "min" => 60_000.0,
        "h" => 3_600_000.0,
        _ => return Err("the units are us, ms, s, min and h".into()),
    };
    let number: f64 = number.parse().map_err(|_| "not a number".to_string())?;
    // Rounds to nanoseconds, because the product may be slightly too large. Without rounding, 700 us would be more than
    // 0.7 ms.
    let millis = (number * unit * 1e6).round() / 1e6;
    if millis.is_finite() && millis >= 0.0 { Ok(millis) } else { Err("not a duration".into()) }
}

/// Splits `100 kB` into its number and its unit.
fn split_unit(text: &str) -> (&str, &str) {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    (number.trim(), &text[number.len()..])
}

#[cfg(test)]
mod tests {
    use super::{Offset, TimeLimit, TimeZone, bytes, limit_of, milliseconds, parse_timestamp};

    #[test]
    fn times_are_points_or_of_every_day_or_before_now() {
        let minutes = |minutes: i64| Ok(TimeLimit::Daily(minutes * 60_000_000, None));
        assert_eq!(
            [limit_of("09:27"), limit_of("9:27"), limit_of("23:00:00")],
            [minutes(567), minutes(567), minutes(1380)]
        );
        let at = |text| parse_timestamp(text).map(TimeLimit::At).ok_or_else(String::new);
        assert_eq!(limit_of("2026-01-31 12:00"), at("2026-01-31 12:00"));
        assert!(matches!(limit_of("-2h"), Ok(TimeLimit::At(_))));
        let east = |hours| Some(TimeZone::fixed(Offset::constant(hours)));
        let daily = |hours: i64, zone| Ok(TimeLimit::Daily(hours * 3_600_000_000, zone));
        assert_eq!(
            [limit_of("02:00+01"), limit_of("2:00 UTC"), limit_of("24:00 -03:00")],
            [daily(2, east(1)), daily(2, east(0)), daily(24, east(-3))]
        );
        let invalid = ["9", "", "-", "-2x", "25:00", "24:01", "9:27:00:00", "today", "2026-02-30", "2026-02-28 24:30"];
        let unclear = ["02:00 MEZ", "02:00 CST", "2026-01-31 02:00 MEZ", "2026-01-31T02:00 IST", "02:00+99"];
        assert_eq!(invalid.iter().chain(&unclear).find(|text| limit_of(text).is_ok()), None);
    }

    #[test]
    fn numbers_have_postgresqls_units() {
        assert_eq!([bytes("20"), bytes("20B"), bytes("3 kB"), bytes("1GB")], [Ok(20), Ok(20), Ok(3072), Ok(1 << 30)]);
        assert_eq!(
            ["1", "250 us", "2min", "700us", "0.0041s"].map(milliseconds),
            [1.0, 0.25, 120_000.0, 0.7, 4.1].map(Ok)
        );
        assert!(["", "kB", "0", "-1", "1TB", "99999999999GB"].iter().all(|text| bytes(text).is_err()));
        assert!(["", "ms", "-1", "NaN", "inf", "1d"].iter().all(|text| milliseconds(text).is_err()));
    }
}
