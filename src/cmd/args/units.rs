//! Values with units: bytes, durations and times.

use std::time::{SystemTime, UNIX_EPOCH};

use pgq_log::{TimeLimit, parse_timestamp};

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
        return Ok(TimeLimit::Daily(time.local_micros()));
    }
    let expected = "write it as 'YYYY-MM-DD HH:MM:SS', with a zone or without, as HH:MM for every day, or as -2h";
    parse_timestamp(text).map(TimeLimit::At).ok_or_else(|| expected.into())
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

/// Parses milliseconds with PostgreSQL's time units.
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
    if number.is_finite() && number >= 0.0 { Ok(number * unit) } else { Err("not a duration".into()) }
}

/// Splits `100 kB` into its number and its unit.
fn split_unit(text: &str) -> (&str, &str) {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    (number.trim(), &text[number.len()..])
}

#[cfg(test)]
mod tests {
    use super::{TimeLimit, bytes, limit_of, milliseconds, parse_timestamp};

    #[test]
    fn times_are_points_or_of_every_day_or_before_now() {
        let minutes = |minutes: i64| Ok(TimeLimit::Daily(minutes * 60_000_000));
        assert_eq!(
            [limit_of("09:27"), limit_of("9:27"), limit_of("23:00:00")],
            [minutes(567), minutes(567), minutes(1380)]
        );
        let at = |text| parse_timestamp(text).map(TimeLimit::At).ok_or_else(String::new);
        assert_eq!(limit_of("2026-01-31 12:00"), at("2026-01-31 12:00"));
        assert!(matches!(limit_of("-2h"), Ok(TimeLimit::At(_))));
        assert!(["9", "", "-", "-2x", "25:00", "9:27:00:00", "today"].iter().all(|text| limit_of(text).is_err()));
    }

    #[test]
    fn numbers_have_postgresqls_units() {
        assert_eq!([bytes("20"), bytes("20B"), bytes("3 kB"), bytes("1GB")], [Ok(20), Ok(20), Ok(3072), Ok(1 << 30)]);
        assert_eq!(
            [milliseconds("1"), milliseconds("250 us"), milliseconds("2min")],
            [Ok(1.0), Ok(0.25), Ok(120_000.0)]
        );
        assert!(["", "kB", "0", "-1", "1TB", "99999999999GB"].iter().all(|text| bytes(text).is_err()));
        assert!(["", "ms", "-1", "NaN", "inf", "1d"].iter().all(|text| milliseconds(text).is_err()));
    }
}
