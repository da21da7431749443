//! Text as HTML, and figures as people read them. All text of the log goes through `text`.

use super::super::text::plural;
use crate::report::escaped;

/// Text in an element or a quoted attribute. Control and bidirectional characters become
/// escapes that can be seen: HTML has no form for some, and others reorder what is read.
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in escaped(&text.replace("\r\n", "\n")).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Text cut to so many characters.
pub fn short(long: &str, most: usize) -> String {
    match long.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text(&long[..at])),
        None => text(long),
    }
}

/// A number as it is in the JSON document, and as it is shown.
pub fn data(value: f64, shown: &str) -> String {
    format!("<data value=\"{value}\">{shown}</data>")
}

/// A count, both ways.
pub fn number(count: u64) -> String {
    format!("<data value=\"{count}\">{}</data>", grouped(count))
}

/// Microseconds, both ways: milliseconds in the document.
pub fn duration(micros: f64) -> String {
    data(micros / 1000.0, &time(micros))
}

/// A number with its digits in groups of three.
pub fn grouped(count: u64) -> String {
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

/// `1 query`, `2 queries`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), plural(count, one, many))
}

/// Microseconds in the unit that is easiest to read, to three digits.
pub fn time(micros: f64) -> String {
    if micros <= 0.0 {
        return "0".into();
    }
    for (unit, name, end) in [(1.0, "µs", 999.5), (1e3, "ms", 999.5), (1e6, "s", 59.95)] {
        if micros / unit < end {
            return format!("{} {name}", digits(micros / unit));
        }
    }
    let seconds = (micros / 1e6).round() as u64;
    let (minutes, hours) = ((seconds + 30) / 60, (seconds + 1800) / 3600);
    match seconds {
        0..3600 => pair(seconds, 60, "min", "s"),
        3600..86_400 => pair(minutes, 60, "h", "min"),
        _ => pair(hours, 24, "d", "h"),
    }
}

/// An amount in two units.
fn pair(amount: u64, per: u64, large: &str, small: &str) -> String {
    match amount % per {
        0 => format!("{} {large}", grouped(amount / per)),
        rest => format!("{} {large} {rest} {small}", grouped(amount / per)),
    }
}

/// Three significant digits, of numbers below 1000.
pub fn digits(value: f64) -> String {
    match value {
        ..9.995 => format!("{value:.2}"),
        ..99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// A share of one, as percent.
pub fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.0005 { "&lt;0.1%".into() } else { format!("{:.1}%", share * 100.0) }
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped, percent, short, text, time};

    #[test]
    fn text_stays_text() {
        let hostile = "</script><!-- ' \" & \u{2028}\u{1b}[2J\u{202e}\0\r\n\tx";
        let shown = "&lt;/script&gt;&lt;!-- &#39; &quot; &amp; \u{2028}\\u{1b}[2J\\u{202e}\\u{0}\n\tx";
        assert_eq!(text(hostile), shown);
        assert_eq!(short("<é<", 2), "&lt;é…");
        assert_eq!(short("<é", 2), "&lt;é");
    }

    #[test]
    fn figures_are_easy_to_read() {
        let counts = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(counts, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!((counted(1, "query", "queries"), counted(0, "call", "calls")), ("1 query".into(), "0 calls".into()));
        let shares = [0.0, 0.0004, 0.1234, 1.0].map(percent);
        assert_eq!(shares, ["0.0%", "&lt;0.1%", "12.3%", "100.0%"]);
    }

    #[test]
    fn times_have_the_unit_that_fits() {
        for (micros, shown) in [
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
            assert_eq!(time(micros), shown, "{micros}");
        }
    }
}
