//! Timestamps and durations of many records, in microseconds.

use crate::timestamp::{Timestamp, parse_timestamp};

/// Milliseconds in decimal digits as microseconds; exact, since a log has three decimals. `None` for
/// any other text.
#[must_use]
pub fn duration_micros(digits: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(digits).ok().filter(|text| !text.is_empty())?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut micros = 0;
    for at in 0..3 {
        let digit = fraction.as_bytes().get(at).map_or(Some(0), |byte| char::from(*byte).to_digit(10))?;
        micros = micros * 10 + u64::from(digit);
    }
    whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(micros)
}

/// Parses timestamps as [`parse_timestamp`] does. Most timestamps of a log are in the same minute as
/// the one before, which is remembered.
#[derive(Debug, Default)]
pub struct Clock {
    minute: String,
    zone: String,
    /// Start of the minute.
    start: Option<Timestamp>,
}

impl Clock {
    /// The timestamp in this text; `None` if it is not one.
    pub fn parse(&mut self, text: &str) -> Option<Timestamp> {
        const MINUTE: usize = "2026-01-31 12:00:".len();
        let Some(rest) = text.get(MINUTE..).filter(|_| text.as_bytes()[4] == b'-') else {
            return parse_timestamp(text); // %n
        };
        let seconds = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let (seconds, zone) = rest.split_at(seconds);
        if self.start.is_none() || self.minute != text[..MINUTE] || self.zone != zone {
            self.start = Some(parse_timestamp(&format!("{}00{zone}", &text[..MINUTE]))?);
            (self.minute, self.zone) = (text[..MINUTE].to_string(), zone.to_string());
        }
        let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
        let fraction = fraction.bytes().chain(std::iter::repeat(b'0')).take(6);
        let fraction = fraction.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        Some(self.start?.plus_micros(whole.parse::<i64>().ok()? * 1_000_000 + fraction))
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, duration_micros};
    use crate::timestamp::parse_timestamp;

    #[test]
    fn durations_are_microseconds() {
        for (text, expected) in
            [("0.123", Some(123)), ("12", Some(12_000)), ("1.5", Some(1500)), ("7.0004", Some(7000))]
        {
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
        ] {
            assert_eq!(clock.parse(text), parse_timestamp(text), "{text}");
        }
        assert_eq!((clock.parse("Jan  1 12:00:00"), clock.parse(""), clock.parse("é")), (None, None, None));
    }
}
