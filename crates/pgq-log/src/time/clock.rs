//! Converts timestamps and durations of many records to microseconds.

use crate::time::timestamp::{Timestamp, parse_timestamp};

/// Parses a decimal number of milliseconds and returns microseconds. Ignores digits after the third decimal, because a
/// log has only three decimals. Returns `None` for any other string.
#[must_use]
pub fn duration_micros(digits: &[u8]) -> Option<u64> {
    let (mut rest, mut whole) = (digits, 0u64);
    while let [digit @ b'0'..=b'9', behind @ ..] = rest {
        whole = whole.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
        rest = behind;
    }
    if rest.len() == digits.len() {
        return None;
    }
    let fraction = match rest {
        [] => rest,
        [b'.', fraction @ ..] => fraction,
        _ => return None,
    };
    let mut micros = 0;
    for at in 0..3 {
        let digit = fraction.get(at).map_or(Some(0), |byte| char::from(*byte).to_digit(10))?;
        micros = micros * 10 + u64::from(digit);
    }
    whole.checked_mul(1000)?.checked_add(micros)
}

/// Returns microseconds as a decimal number of milliseconds, the inverse of [`duration_micros`].
pub fn duration_digits(micros: u64) -> String {
    format!("{}.{:03}", micros / 1000, micros % 1000)
}

/// Length of the part of a timestamp before the seconds, in bytes.
const MINUTE: usize = "2026-01-31 12:00:".len();

/// Parses timestamps like [`parse_timestamp`]. Caches the minute of the previous timestamp, because most consecutive
/// timestamps have the same minute.
#[derive(Debug, Default)]
pub struct Clock {
    minute: [u8; MINUTE],
    zone: String,
    /// Start of the cached minute.
    start: Option<Timestamp>,
}

impl Clock {
    /// Parses a timestamp. Returns `None` for any other string, including invalid UTF-8.
    pub fn parse(&mut self, text: &[u8]) -> Option<Timestamp> {
        if let Some((minute, rest)) = text.split_first_chunk()
            && let Some(start) = self.start
            && *minute == self.minute
            && let Some((micros, zone)) = milliseconds(rest)
            && zone == self.zone.as_bytes()
        {
            return Some(start.plus_micros(micros));
        }
        self.parse_anew(std::str::from_utf8(text).ok()?)
    }

    fn parse_anew(&mut self, text: &str) -> Option<Timestamp> {
        let Some((minute, rest)) = text.split_at_checked(MINUTE).filter(|_| text.as_bytes()[4] == b'-') else {
            return parse_timestamp(text); // %n
        };
        let (micros, zone) = match seconds(rest) {
            Some((_, zone)) if zone.starts_with('.') => return parse_timestamp(text),
            seconds => seconds?,
        };
        if self.start.is_none() || self.minute != minute.as_bytes() || self.zone != zone {
            self.start = Some(parse_timestamp(&format!("{minute}00{zone}"))?);
            (self.minute, self.zone) = (*minute.as_bytes().first_chunk()?, zone.to_string());
        }
        Some(self.start?.plus_micros(micros))
    }
}

/// Parses seconds with three decimals at the start of `text` (`%m`). Returns microseconds and the rest of the text.
fn milliseconds(text: &[u8]) -> Option<(i64, &[u8])> {
    let [tens, ones, b'.', a, b, c, zone @ ..] = text else { return None };
    let digits = [*tens, *ones, *a, *b, *c];
    if !digits.iter().all(u8::is_ascii_digit) || matches!(zone.first(), Some(b'0'..=b'9' | b'.')) {
        return None;
    }
    let milliseconds = digits.iter().fold(0, |sum, digit| 10 * sum + i64::from(digit - b'0'));
    Some((1000 * milliseconds, zone))
}

/// Parses seconds at the start of `text`. Returns microseconds and the rest of the text.
fn seconds(text: &str) -> Option<(i64, &str)> {
    let digit = |at: usize| text.as_bytes().get(at).filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0');
    let (mut at, mut micros) = (0, 0i64);
    while let Some(digit) = digit(at) {
        micros = micros.checked_mul(10)?.checked_add(i64::from(digit))?;
        at += 1;
    }
    if at == 0 {
        return None;
    }
    micros = micros.checked_mul(1_000_000)?;
    if text.as_bytes().get(at) == Some(&b'.') {
        at += 1;
        let mut unit = 100_000;
        while let Some(digit) = digit(at) {
            micros = micros.checked_add(i64::from(digit) * unit)?;
            (at, unit) = (at + 1, unit / 10);
        }
    }
    Some((micros, &text[at..]))
}
