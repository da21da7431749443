//! Formats the times of envelopes for records.

use jiff::civil::DateTime;
use serde_json::Value;

/// Formats a time for a record. A number counts seconds since 1970, or smaller units if it is too large for seconds.
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

/// Converts the times of web pages and their exports, such as Azure's `1/31/2026, 12:00:00.123 PM` and Kibana's `Jan
/// 31, 2026 @ 12:00:00.123`, to the form that times have in a log.
pub fn plain_time(text: &str) -> Option<String> {
    const FORMS: [&str; 3] = ["%m/%d/%Y, %I:%M:%S%.f %p", "%m/%d/%Y %I:%M:%S%.f %p", "%b %d, %Y @ %H:%M:%S%.f"];
    // Fast path: most times begin with a year, so they need no conversion.
    let is_page = !text.as_bytes().first_chunk::<4>()?.iter().all(u8::is_ascii_digit);
    let time = FORMS.iter().filter(|_| is_page).find_map(|form| DateTime::strptime(form, text).ok())?;
    Some(time.strftime("%Y-%m-%d %H:%M:%S%.f").to_string())
}
