//! Formats the times of envelopes for records.

use serde_json::Value;

/// Formats a time for a record. A number is a count of seconds since 1970. A number that is too large for seconds is a
/// count of smaller units.
pub fn time_text(value: &Value) -> String {
    let digits = match value {
        Value::String(text) if text.len() >= 10 && text.bytes().all(|b| b.is_ascii_digit()) => text.clone(),
        Value::String(text) => return plain_time(text).unwrap_or_else(|| text.clone()),
        Value::Number(number) if number.is_u64() => number.to_string(),
        Value::Number(number) => return format!("{:.6}", number.as_f64().unwrap_or(0.0)),
        Value::Array(list) => return list.first().map_or_else(String::new, time_text),
        _ => return String::new(),
    };
    match digits.len() {
        0..=10 => digits,
        len => format!("{}.{}", &digits[..10], &digits[10..len.min(16)]),
    }
}

/// Converts times of web pages and spreadsheets to the form of a log: `1/31/2026, 12:00:00.123 PM`, `Jan 31, 2026 @
/// 12:00:00.123`. A comma, `@`, AM or PM means that the month is first. Dates whose order of day and month is ambiguous
/// stay unchanged.
fn plain_time(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let is_page = text.contains(" @ ") || text.contains(", ");
    let (date, time) = text.split_once(" @ ").or_else(|| text.rsplit_once(", ")).or_else(|| text.split_once(' '))?;
    let parts: Vec<&str> = date.split(['/', ' ']).map(|part| part.trim_end_matches(',')).collect();
    let [first, second, year] = parts[..] else { return None };
    let number = |text: &str| text.parse::<u32>().ok();
    let (clock, half) = time.split_once(' ').unwrap_or((time, ""));
    let (month, day) = match MONTHS.iter().position(|name| *name == first) {
        Some(at) => (at as u32 + 1, number(second)?),
        None => match (number(first)?, number(second)?) {
            (day @ 13.., month @ ..=12) => (month, day),
            (month @ ..=12, day) if is_page || day > 12 || !half.is_empty() => (month, day),
            _ => return None,
        },
    };
    let (hour, rest) = clock.split_once(':')?;
    let hour = match (number(hour)?, half) {
        (12, "AM") => 0,
        (hour @ ..12, "PM") => hour + 12,
        (hour, "" | "AM" | "PM") => hour,
        _ => return None,
    };
    Some(format!("{:04}-{month:02}-{day:02} {hour:02}:{rest}", number(year)?))
}

#[cfg(test)]
mod tests {
    use super::plain_time;

    #[test]
    fn times_of_web_pages_are_times() {
        let time = Some("2026-01-31 12:00:00.123".to_string());
        assert_eq!(plain_time("1/31/2026, 12:00:00.123 PM"), time);
        assert_eq!(plain_time("Jan 31, 2026 @ 12:00:00.123"), time);
        assert_eq!(plain_time("2/1/2026, 12:05:07 AM").as_deref(), Some("2026-02-01 00:05:07"));
        assert_eq!(plain_time("31/01/2026 12:00:00.123"), time);
        assert_eq!(plain_time("1/31/2026 12:00:00.123 PM"), time);
        for other in ["2026-01-31T12:00:00Z", "2026-01-31 12:00:00 UTC", "01/02/2026 12:00:00"] {
            assert_eq!(plain_time(other), None);
        }
    }
}
