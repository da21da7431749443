//! Figures in the reports of `pgq digest`: times, counts, shares and factors, and excerpts of long
//! texts. Text, Markdown and page format all of theirs here. JSON and CSV, which programs read,
//! write plain numbers themselves.

use std::fmt;

/// How the text report writes figures.
pub const TEXT: Style = Style::Compact;
/// How the Markdown report does.
pub const MARKDOWN: Style = Style::Compact;
/// How the page does. page.js formats what it draws itself in the same way.
pub const PAGE: Style = Style::Precise;

/// A way to write figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// ASCII, one decimal, one unit: `12 us`, `1.4 min`, `12345`, `0.0%`, `1.5x`.
    Compact,
    /// Three significant digits, two units from a minute up, thousands grouped: `12.0 µs`,
    /// `1 min 22 s`, `12,345`, `<0.1%`, `1.50×`.
    Precise,
}

impl Style {
    /// Microseconds in the unit that is easiest to read. `Compact` ignores fractions of a microsecond.
    pub fn time(self, micros: f64) -> String {
        match self {
            Self::Compact => compact_time(micros as u64),
            Self::Precise => precise_time(micros),
        }
    }

    pub fn count(self, count: u64) -> String {
        match self {
            Self::Compact => count.to_string(),
            Self::Precise => grouped(count),
        }
    }

    /// A count and its noun: `1 query`, `2 queries`.
    pub fn counted(self, count: u64, one: &str, many: &str) -> String {
        format!("{} {}", self.count(count), plural(count, one, many))
    }

    /// `1 call`, `2 calls`.
    pub fn calls(self, count: u64) -> String {
        self.counted(count, "call", "calls")
    }

    /// `1 error`, `2 errors`.
    pub fn errors(self, count: u64) -> String {
        self.counted(count, "error", "errors")
    }

    /// A fraction of 1 as a percentage.
    pub fn percent(self, share: f64) -> String {
        match self {
            Self::Precise if share > 0.0 && share < 0.0005 => "<0.1%".into(),
            _ => format!("{:.1}%", share * 100.0),
        }
    }

    /// How many times another value a value is.
    pub fn factor(self, factor: f64) -> String {
        match self {
            Self::Compact => format!("{factor:.1}x"),
            Self::Precise => format!("{}×", three_digits(factor)),
        }
    }
}

/// The form of a noun that fits a count.
pub fn plural<'a>(count: u64, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// A fingerprint as the other commands print it.
pub fn hex(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// The start of a text, and an ellipsis where the text is longer.
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

/// At most `limit` characters of a text.
pub fn excerpt(text: &str, limit: usize) -> Excerpt<'_> {
    // A text of that many bytes has no more characters.
    let end = if text.len() <= limit { None } else { text.char_indices().nth(limit) };
    match end {
        Some((end, _)) => Excerpt { start: &text[..end], ellipsis: "…" },
        None => Excerpt { start: text, ellipsis: "" },
    }
}

fn compact_time(micros: u64) -> String {
    let value = micros as f64;
    match micros {
        0 => "0".into(),
        1..=999 => format!("{micros} us"),
        1000..=999_999 => format!("{:.1} ms", value / 1e3),
        1_000_000..=59_999_999 => format!("{:.1} s", value / 1e6),
        60_000_000..=3_599_999_999 => format!("{:.1} min", value / 6e7),
        _ => format!("{:.1} h", value / 3.6e9),
    }
}

fn precise_time(micros: f64) -> String {
    if micros <= 0.0 {
        return "0".into();
    }
    // From `end` on, rounding would give the next unit.
    for (unit, name, end) in [(1.0, "µs", 999.5), (1e3, "ms", 999.5), (1e6, "s", 59.95)] {
        if micros / unit < end {
            return format!("{} {name}", three_digits(micros / unit));
        }
    }
    let seconds = (micros / 1e6).round() as u64;
    let (minutes, hours) = ((seconds + 30) / 60, (seconds + 1800) / 3600);
    match seconds {
        0..3600 => two_units(seconds, 60, "min", "s"),
        3600..86_400 => two_units(minutes, 60, "h", "min"),
        _ => two_units(hours, 24, "d", "h"),
    }
}

/// `amount` small units, of which `per` are a large one: `1 min 22 s`, `2 h`.
fn two_units(amount: u64, per: u64, large: &str, small: &str) -> String {
    match amount % per {
        0 => format!("{} {large}", grouped(amount / per)),
        rest => format!("{} {large} {rest} {small}", grouped(amount / per)),
    }
}

/// A number below 1000 with three significant digits.
fn three_digits(value: f64) -> String {
    match value {
        ..9.995 => format!("{value:.2}"),
        ..99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// A number with a comma between thousands.
fn grouped(count: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::Style::{Compact, Precise};
    use super::excerpt;

    #[test]
    fn compact_times_have_one_decimal() {
        let times = [0.9, 7.0, 1500.0, 2_500_000.0, 90_000_000.0, 7_200_000_000.0].map(|micros| Compact.time(micros));
        assert_eq!(times, ["0", "7 us", "1.5 ms", "2.5 s", "1.5 min", "2.0 h"]);
    }

    #[test]
    fn precise_times_have_three_digits_or_two_units() {
        for (micros, expected) in [
            (0.0, "0"),
            (0.5, "0.50 µs"),
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
            (90_000_000_000.0, "1 d 1 h"),
            (9e13, "1,041 d 16 h"),
        ] {
            assert_eq!(Precise.time(micros), expected, "{micros}");
        }
    }

    #[test]
    fn precise_counts_are_grouped_in_thousands() {
        let counts = [0, 999, 1000, 1_234_567].map(|count| (Compact.count(count), Precise.count(count)));
        let expected = [("0", "0"), ("999", "999"), ("1000", "1,000"), ("1234567", "1,234,567")];
        assert_eq!(counts, expected.map(|(compact, precise)| (compact.to_string(), precise.to_string())));
    }

    #[test]
    fn nouns_agree_with_their_counts() {
        assert_eq!([0, 1, 2000].map(|count| Compact.calls(count)), ["0 calls", "1 call", "2000 calls"]);
        assert_eq!([0, 1, 2000].map(|count| Precise.errors(count)), ["0 errors", "1 error", "2,000 errors"]);
    }

    #[test]
    fn shares_and_factors_follow_the_style() {
        assert_eq!(
            [0.0, 0.0004, 0.1234, 1.0].map(|share| Precise.percent(share)),
            ["0.0%", "<0.1%", "12.3%", "100.0%"]
        );
        assert_eq!([0.0, 0.0004, 0.1234, 1.0].map(|share| Compact.percent(share)), ["0.0%", "0.0%", "12.3%", "100.0%"]);
        assert_eq!((Compact.factor(2.0 / 3.0), Precise.factor(2.0 / 3.0)), ("0.7x".into(), "0.67×".into()));
    }

    #[test]
    fn excerpts_end_between_characters() {
        let excerpts = [("<é<", 2), ("<é", 2), ("é", 0), ("", 0)].map(|(text, limit)| excerpt(text, limit).to_string());
        assert_eq!(excerpts, ["<é…", "<é", "…", ""]);
    }
}
