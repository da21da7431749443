//! Formats figures for the reports of `pgq digest`: times, counts, percentages and excerpts. The text, Markdown and
//! HTML reports use this module, and page.js follows the same rules. JSON and CSV contain plain numbers, because
//! programs read them.

use std::fmt;

/// Formats microseconds in the most readable unit, with three significant digits (`12.3 µs`, `1.50 ms`, `1.02 d`) or as
/// two units (`1 min 22 s`). Whole microseconds have no decimals.
pub fn time(micros: f64) -> String {
    if micros <= 0.0 {
        return "0".into();
    }
    if micros < 999.5 && micros.fract() == 0.0 {
        return format!("{micros} µs");
    }
    // Each unit is used for values below `end`. For example, 999.5 µs is shown as `1.00 ms`, because rounding would
    // make it `1000 µs`.
    for (unit, name, end) in [(1.0, "µs", 999.5), (1e3, "ms", 999.5), (1e6, "s", 59.95)] {
        if micros / unit < end {
            return format!("{} {name}", three_digits(micros / unit));
        }
    }
    let seconds = (micros / 1e6).round() as u64;
    match seconds {
        0..3600 => two_units(seconds, 60, "min", "s"),
        3600..86_400 => two_units((seconds + 30) / 60, 60, "h", "min"),
        _ => format!("{} d", decimal(micros / 86.4e9)),
    }
}

/// Formats a number below 1000 with three significant digits, and a larger number as a whole number: `0.25`, `12.3`,
/// `1,042`.
pub fn decimal(value: f64) -> String {
    if value < 999.5 { three_digits(value) } else { count(value.round() as u64) }
}

/// Formats bytes in PostgreSQL's units, which are powers of 1024: `512 B`, `13.4 MB`.
pub fn size(bytes: u64) -> String {
    let (mut size, mut unit) = (bytes as f64, "B");
    for larger in ["kB", "MB", "GB", "TB"] {
        if size < 999.5 {
            break;
        }
        (size, unit) = (size / 1024.0, larger);
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{} {unit}", decimal(size)) }
}

/// Formats a number with a comma between thousands: `12,345`.
pub fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.char_indices() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Marks a figure that is a lower bound: `at least 12 kB`.
pub fn bounded(figure: String, is_lower_bound: bool) -> String {
    if is_lower_bound { format!("at least {figure}") } else { figure }
}

/// Formats a count: `12`, or `at least 12` if `missing` is not 0. `missing` is the maximum number of items that were
/// not counted.
pub fn at_least(number: u64, missing: u64) -> String {
    bounded(count(number), missing > 0)
}

/// Formats the total time of lock waits: `1.02 s`, or `at least 1.02 s` if a wait ended in an error.
pub fn lock_time(micros: u64, is_lower_bound: bool) -> String {
    bounded(time(micros as f64), is_lower_bound)
}

/// Formats a count with its noun: `1 query`, `2 queries`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), plural(number, one, many))
}

/// Formats a number of calls: `1 call`, `2 calls`.
pub fn calls(number: u64) -> String {
    counted(number, "call", "calls")
}

/// Formats a number of errors: `1 error`, `2 errors`.
pub fn errors(number: u64) -> String {
    counted(number, "error", "errors")
}

/// Formats a fraction of 1 as a percentage.
pub fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.0005 { "<0.1%".into() } else { format!("{:.1}%", share * 100.0) }
}

/// Formats a factor, such as `1.50×`.
pub fn factor(factor: f64) -> String {
    format!("{}×", three_digits(factor))
}

/// Returns the singular or plural of a noun.
pub fn plural<'a>(count: u64, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// Formats a fingerprint as 16 hex digits, like the other commands of pgq.
pub fn hex(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// The start of a string, and an ellipsis if the string is longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Excerpt<'a> {
    pub start: &'a str,
    pub ellipsis: &'static str,
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.start)?;
        f.write_str(self.ellipsis)
    }
}

/// Returns at most `limit` characters of a string.
pub fn excerpt(text: &str, limit: usize) -> Excerpt<'_> {
    // A string has at most as many characters as bytes.
    let end = if text.len() <= limit { None } else { text.char_indices().nth(limit) };
    match end {
        Some((end, _)) => Excerpt { start: &text[..end], ellipsis: "…" },
        None => Excerpt { start: text, ellipsis: "" },
    }
}

/// Formats an amount, given in the small unit: `1 min 22 s`, or `2 h` if there is no remainder. `per` is the number of
/// small units in a large unit.
fn two_units(amount: u64, per: u64, large: &str, small: &str) -> String {
    match amount % per {
        0 => format!("{} {large}", amount / per),
        rest => format!("{} {large} {rest} {small}", amount / per),
    }
}

/// Formats a number below 1000 with three significant digits.
fn three_digits(value: f64) -> String {
    match value {
        ..9.995 => format!("{value:.2}"),
        ..99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{calls, count, errors, excerpt, factor, percent, size, time};

    #[test]
    fn times_have_three_digits_or_two_units() {
        for (micros, expected) in [
            (0.0, "0"),
            (0.5, "0.50 µs"),
            (24.0, "24 µs"),
            (12.34, "12.3 µs"),
            (999.4, "999 µs"),
            (999.6, "1.00 ms"),
            (1500.0, "1.50 ms"),
            (99_960.0, "100 ms"),
            (2_500_000.0, "2.50 s"),
            (59_960_000.0, "1 min"),
            (90_000_000.0, "1 min 30 s"),
            (3_599_400_000.0, "59 min 59 s"),
            (3_600_000_000.0, "1 h"),
            (5_430_000_000.0, "1 h 31 min"),
            (87_840_000_000.0, "1.02 d"),
            (9e13, "1,042 d"),
        ] {
            assert_eq!(time(micros), expected, "{micros}");
        }
    }

    #[test]
    fn counts_are_grouped_in_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn sizes_have_postgresqls_units() {
        assert_eq!([0, 999, 1000, 14_000_128, 5 << 40].map(size), ["0 B", "999 B", "0.98 kB", "13.4 MB", "5.00 TB"]);
    }

    #[test]
    fn nouns_agree_with_their_counts() {
        assert_eq!([0, 1, 2000].map(calls), ["0 calls", "1 call", "2,000 calls"]);
        assert_eq!([0, 1, 2000].map(errors), ["0 errors", "1 error", "2,000 errors"]);
    }

    #[test]
    fn small_shares_are_not_zero() {
        assert_eq!([0.0, 0.0004, 0.1234, 1.0].map(percent), ["0.0%", "<0.1%", "12.3%", "100.0%"]);
        assert_eq!(factor(2.0 / 3.0), "0.67×");
    }

    #[test]
    fn excerpts_end_between_characters() {
        let excerpts = [("<é<", 2), ("<é", 2), ("é", 0), ("", 0)].map(|(text, limit)| excerpt(text, limit).to_string());
        assert_eq!(excerpts, ["<é…", "<é", "…", ""]);
    }
}
