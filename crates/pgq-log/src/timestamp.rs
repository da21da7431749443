//! Points in time as logs and people write them. Log records keep the text they came with;
//! here it is only compared.

/// A point in time, or, without an offset, what a clock on the wall showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timestamp {
    /// Microseconds since 1970, as the clock showed them.
    clock: i64,
    /// Seconds east of Greenwich.
    offset: Option<i64>,
}

/// Zones whose abbreviation PostgreSQL itself reads in one way only by default, and that logs
/// are often written in; hours east of Greenwich.
const ZONES: [(&str, i64); 17] = [
    ("UTC", 0),
    ("GMT", 0),
    ("Z", 0),
    ("WET", 0),
    ("WEST", 1),
    ("CET", 1),
    ("CEST", 2),
    ("EET", 2),
    ("EEST", 3),
    ("MSK", 3),
    ("JST", 9),
    ("EST", -5),
    ("EDT", -4),
    ("CDT", -5),
    ("MDT", -6),
    ("PST", -8),
    ("PDT", -7),
];

/// How many bytes of a timestamp `text` begins with, zone included; 0 if it is none.
pub fn timestamp_len(text: &[u8]) -> usize {
    const FORM: &[u8; 19] = b"0000-00-00 00:00:00";
    let Some(start) = text.first_chunk::<19>() else { return 0 };
    // No early way out: so it is a few vector instructions.
    let fits = |(byte, form): (&u8, &u8)| (*form == b'0' && byte.is_ascii_digit()) | (byte == form);
    if !start.iter().zip(FORM).fold(true, |all, pair| all & fits(pair)) {
        return 0;
    }
    let mut at = FORM.len();
    if text.get(at) == Some(&b'.') {
        at += 1 + text[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
    }
    let Some(zone) = text[at..].strip_prefix(b" ") else { return at };
    let len = match zone.first() {
        Some(b'+' | b'-') => {
            let digits = |from: usize| zone[from..].iter().take_while(|b| b.is_ascii_digit()).count();
            let hours = 1 + digits(1);
            match zone.get(hours) {
                Some(b':') if zone.len() >= hours + 3 && digits(hours + 1) == 2 => hours + 3,
                _ => hours,
            }
        }
        Some(b'<') => memchr::memchr(b'>', &zone[..zone.len().min(16)]).map_or(0, |end| end + 1),
        _ => zone.iter().take_while(|b| b.is_ascii_alphabetic()).count(),
    };
    if len == 0 { at } else { at + 1 + len }
}

/// Reads `YYYY-MM-DD[ HH:MM[:SS[.ffffff]]][ ZONE]`, with `T` for the first space too, or
/// seconds since 1970.
pub fn parse_timestamp(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > 8 && text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
        let clock = seconds.parse::<i64>().ok()?.checked_mul(1_000_000)? + micros(fraction)?;
        return Some(Timestamp { clock, offset: Some(0) });
    }
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = text.get(range)?;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let is = |at: usize, any: &[u8]| text.as_bytes().get(at).is_some_and(|byte| any.contains(byte));
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    if !is(4, b"-") || !is(7, b"-") || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (mut clock, mut at) = (days(year, month, day) * 86_400, 10);
    let mut fraction = 0;
    if is(10, b" T") && number(11..13).is_some() {
        let (hour, minute) = (number(11..13)?, number(14..16).filter(|_| is(13, b":"))?);
        let mut second = 0;
        at = 16;
        if is(16, b":") {
            second = number(17..19)?;
            at = 19;
        }
        if is(at, b".,") && at == 19 {
            let digits = text[20..].bytes().take_while(u8::is_ascii_digit).count();
            fraction = micros(&text[20..20 + digits])?;
            at = 20 + digits;
        }
        if hour > 24 || minute > 59 || second > 60 {
            return None;
        }
        clock += hour * 3600 + minute * 60 + second;
    }
    let zone = text.get(at..)?.trim().trim_matches(['<', '>']);
    let offset = if zone.is_empty() { None } else { offset(zone)? };
    Some(Timestamp { clock: clock * 1_000_000 + fraction, offset })
}

/// A fraction of a second.
fn micros(digits: &str) -> Option<i64> {
    let digits = &digits[..digits.len().min(6)];
    let missing = 6 - digits.len() as u32;
    if digits.is_empty() { Some(0) } else { Some(digits.parse::<i64>().ok()? * 10i64.pow(missing)) }
}

/// Days since 1970 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March, so that the leap day is their last.
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468
}

/// Seconds east of Greenwich; the inner `None` is a zone that has a name only.
#[expect(clippy::option_option, reason = "no zone at all and one of unknown offset differ")]
fn offset(zone: &str) -> Option<Option<i64>> {
    let sign = match zone.as_bytes()[0] {
        b'+' => 1,
        b'-' => -1,
        _ if zone.bytes().all(|b| b.is_ascii_alphabetic()) => {
            let known = ZONES.iter().find(|(name, _)| name.eq_ignore_ascii_case(zone));
            return Some(known.map(|(_, hours)| hours * 3600));
        }
        _ => return None,
    };
    let digits: String = zone[1..].chars().filter(|c| *c != ':').collect();
    if digits.is_empty() || digits.len() > 6 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let pair = |at: usize| digits.get(at..digits.len().min(at + 2)).and_then(|d| d.parse::<i64>().ok()).unwrap_or(0);
    Some(Some(sign * (pair(0) * 3600 + pair(2) * 60 + pair(4))))
}

impl Timestamp {
    /// Microseconds since 1970 in Greenwich, or by the clock where nobody knows its zone.
    pub fn micros(self) -> i64 {
        self.clock - self.offset.unwrap_or(0) * 1_000_000
    }

    /// Whether this is before `other`. Where one of them has no offset, both are taken for
    /// times of the same clock.
    pub fn is_before(self, other: Self) -> bool {
        match (self.offset, other.offset) {
            (Some(a), Some(b)) => self.clock - a * 1_000_000 < other.clock - b * 1_000_000,
            _ => self.clock < other.clock,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_timestamp, timestamp_len};

    #[test]
    fn extents() {
        for (text, len) in [
            ("2026-01-31 12:00:00.123 UTC [1]", 27),
            ("2026-01-31 12:00:00 UTC:10.0.0.1", 23),
            ("2026-01-31 12:00:00 +05:30 x", 26),
            ("2026-01-31 12:00:00 -03 x", 23),
            ("2026-01-31 12:00:00 <+03> x", 25),
            ("2026-01-31 12:00:00 [1]", 19),
            ("2026-01-31T12:00:00", 0),
        ] {
            assert_eq!(timestamp_len(text.as_bytes()), len, "{text}");
        }
    }

    #[test]
    fn times_are_compared_across_zones() {
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
        for wrong in ["", "yesterday", "2026-13-01", "2026-01-31 25:00", "2026-01-31 12:00 +x", "ü026-01-31"] {
            assert_eq!(parse_timestamp(wrong), None, "{wrong}");
        }
    }
}
