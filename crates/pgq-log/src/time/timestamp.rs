//! Parses and compares timestamps in logs and in options. Records keep the original text of their time.

use jiff::civil;
use jiff::tz::TimeZone;

use crate::time::zone::{AMBIGUOUS, parse_zone};

/// A point in time. If the UTC offset is missing, it is a local time in an unknown zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timestamp {
    /// Microseconds from 1970-01-01 00:00:00 to the local time.
    local_micros: i64,
    /// Seconds east of UTC, `None` if unknown.
    utc_offset: Option<i64>,
    /// Abbreviation of the zone if its UTC offset is unknown. When clocks are set back, the same local time occurs
    /// twice, and the abbreviation shows which of the two times is meant. Empty if there is no abbreviation, or if it
    /// has more than four letters.
    abbreviation: [u8; 4],
}

/// Microseconds per second.
const MICROS: i64 = 1_000_000;

/// Returns the length in bytes of the timestamp at the start of `text`, including its zone. Returns 0 if there is no
/// timestamp. elog.c (get_formatted_log_time) defines the form.
pub fn timestamp_len(text: &[u8]) -> usize {
    let Some(start) = text.first_chunk::<19>() else { return 0 };
    let (Some(date), Some(time)) = (start.first_chunk(), start.last_chunk()) else { return 0 };
    if !has_form(date, b"0000-00-00 00:00") || !has_form(time, b"0-00-00 00:00:00") {
        return 0;
    }
    let mut at = start.len();
    if text.get(at) == Some(&b'.') {
        at += match &text[at + 1..] {
            [a, b, c, b' ', ..] if a.is_ascii_digit() & b.is_ascii_digit() & c.is_ascii_digit() => 4,
            fraction => 1 + fraction.iter().take_while(|b| b.is_ascii_digit()).count(),
        };
    }
    // Fast path: most zone abbreviations have three letters.
    if let [b' ', a, b, c, next, ..] = &text[at..]
        && a.is_ascii_alphabetic() & b.is_ascii_alphabetic() & c.is_ascii_alphabetic() & !next.is_ascii_alphabetic()
    {
        return at + 4;
    }
    let Some(zone) = text[at..].strip_prefix(b" ") else { return at };
    let len = match zone.first() {
        Some(b'+' | b'-') => {
            let digits = |from: usize| zone[from..].iter().take_while(|b| b.is_ascii_digit()).count();
            let hours = 1 + digits(1);
            match zone.get(hours) {
                // The colon may also be a literal of the prefix, as between the zone and the address in `-03:10.0.0.1`.
                Some(b':') if hours == 3 && is_part_of_hour(&zone[4..]) => 6,
                _ => hours,
            }
        }
        Some(b'<') => memchr::memchr(b'>', &zone[..zone.len().min(16)]).map_or(0, |end| end + 1),
        _ => zone.iter().take_while(|b| b.is_ascii_alphabetic()).count(),
    };
    if len == 0 { at } else { at + 1 + len }
}

/// Whether `text` starts with the minutes of a UTC offset.
fn is_part_of_hour(text: &[u8]) -> bool {
    let is_end = text.get(2).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'.');
    is_end && matches!(text.first_chunk(), Some(b"00" | b"30" | b"45"))
}

/// Whether `text` matches `form`, in which `0` is any digit. The comparison has no early exit, so it compiles to a few
/// vector instructions.
#[inline]
fn has_form(text: &[u8; 16], form: &[u8; 16]) -> bool {
    let fits = |(byte, form): (&u8, &u8)| ((*form == b'0') & byte.is_ascii_digit()) | (byte == form);
    text.iter().zip(form).fold(true, |all, pair| all & fits(pair))
}

/// Parses `YYYY-MM-DD[ HH:MM[:SS[.ffffff]]][ ZONE]`, or a number of seconds since 1970 UTC (`%n` of log_line_prefix).
/// Date and time may also be separated by `T`. Returns `None` for any other string.
///
/// `ZONE` is an offset such as `+05:30`, or an abbreviation. An unknown abbreviation has an unknown offset. A day
/// beyond the end of the month, as in `2026-02-30`, is a day of the next month.
///
/// ```
/// use pgq_log::parse_timestamp;
///
/// let early = parse_timestamp("2026-01-31 12:00:00.5 CET").unwrap();
/// let late = parse_timestamp("2026-01-31T11:00:01Z").unwrap();
/// assert!(early.is_before(late));
/// assert_eq!(late.unix_micros(), 1_769_857_201_000_000);
/// ```
#[must_use]
pub fn parse_timestamp(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > 8 && text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        // Log collectors write milliseconds since 1970, which have 13 digits.
        let (seconds, fraction) =
            text.split_once('.').unwrap_or(if text.len() == 13 { text.split_at(10) } else { (text, "") });
        let local_micros = seconds.parse::<i64>().ok()?.checked_mul(MICROS)? + fraction_micros(fraction)?;
        return Some(Timestamp { local_micros, utc_offset: Some(0), abbreviation: [0; 4] });
    }
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = text.get(range)?;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let is_one_of = |at: usize, bytes: &[u8]| text.as_bytes().get(at).is_some_and(|byte| bytes.contains(byte));
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    if !is_one_of(4, b"-") || !is_one_of(7, b"-") || !(1..=31).contains(&day) {
        return None;
    }
    let (mut seconds, mut at) = (seconds_to_month(year, month)? + (day - 1) * 86_400, 10);
    let mut fraction = 0;
    if is_one_of(10, b" T") && number(11..13).is_some() {
        let (hour, minute) = (number(11..13)?, number(14..16).filter(|_| is_one_of(13, b":"))?);
        let mut second = 0;
        at = 16;
        if is_one_of(16, b":") {
            second = number(17..19)?;
            at = 19;
        }
        if is_one_of(at, b".,") && at == 19 {
            let digits = text[20..].bytes().take_while(u8::is_ascii_digit).count();
            fraction = fraction_micros(&text[20..20 + digits])?;
            at = 20 + digits;
        }
        if minute > 59 || second > 60 || hour * 3600 + minute * 60 + second > 86_400 {
            return None;
        }
        seconds += hour * 3600 + minute * 60 + second;
    }
    let zone = text.get(at..)?.trim().trim_matches(['<', '>']);
    let utc_offset = if zone.is_empty() { None } else { parse_zone(zone)? };
    let mut abbreviation = [0; 4];
    if utc_offset.is_none()
        && let Some(start) = abbreviation.get_mut(..zone.len())
    {
        start.copy_from_slice(zone.as_bytes());
    }
    Some(Timestamp { local_micros: seconds * MICROS + fraction, utc_offset, abbreviation })
}

/// Parses a time of RFC 3164, `Jan 31 12:00:00[.ffffff]`, which has no year and no zone. Returns its time of day, as a
/// time on 1970-01-01 in an unknown zone. Returns `None` for any other string.
#[must_use]
pub fn time_without_year(text: &[u8]) -> Option<Timestamp> {
    let (date, time) = std::str::from_utf8(text).ok()?.split_at_checked(7)?;
    let is_month = date[..3].bytes().all(|b| b.is_ascii_alphabetic());
    let is_day = date[3..].trim().parse::<u8>().is_ok();
    (is_month && is_day).then(|| parse_timestamp(&format!("1970-01-01 {time}")))?
}

/// Converts the decimals of a second to microseconds. Ignores digits after the sixth.
fn fraction_micros(digits: &str) -> Option<i64> {
    let digits = &digits[..digits.len().min(6)];
    let missing = 6 - digits.len() as u32;
    if digits.is_empty() { Some(0) } else { Some(digits.parse::<i64>().ok()? * 10i64.pow(missing)) }
}

/// Returns the seconds from 1970-01-01 to the start of a month, or `None` for an invalid month.
fn seconds_to_month(year: i64, month: i64) -> Option<i64> {
    let start = civil::Date::new(year.try_into().ok()?, month.try_into().ok()?, 1).ok()?;
    Some(start.duration_since(civil::date(1970, 1, 1)).as_secs())
}

impl Timestamp {
    /// Whether the UTC offset is known.
    pub(crate) fn has_zone(self) -> bool {
        self.utc_offset.is_some()
    }

    /// Returns microseconds since 1970-01-01 00:00:00 UTC. Treats a local time in an unknown zone as UTC.
    #[must_use]
    pub fn unix_micros(self) -> i64 {
        self.local_micros - self.utc_offset.unwrap_or(0) * MICROS
    }

    /// Returns microseconds since 1970-01-01 00:00:00 UTC, or `None` if the UTC offset is unknown.
    #[must_use]
    pub fn utc_micros(self) -> Option<i64> {
        Some(self.local_micros - self.utc_offset? * MICROS)
    }

    /// Returns microseconds since 1970-01-01 00:00:00 UTC. If the UTC offset is unknown, treats the time as a local
    /// time in `zone`. When clocks are set back, a local time occurs twice. In this case, returns the first of the two
    /// times, unless the timestamp has the zone abbreviation of the second (such as CET). Returns `None` if the
    /// timestamp has an ambiguous abbreviation (such as IST) that `zone` does not use at this time, and for a time
    /// beyond the year 9999.
    #[must_use]
    pub fn utc_micros_or_in(self, zone: &TimeZone) -> Option<i64> {
        if self.has_zone() {
            return self.utc_micros();
        }
        let since_1970 = jiff::SignedDuration::from_micros(self.local_micros);
        let local = civil::date(1970, 1, 1).at(0, 0, 0, 0).checked_add(since_1970).ok()?;
        let times = zone.to_ambiguous_timestamp(local);
        let is_named = |time: &jiff::Timestamp| {
            let info = zone.to_offset_info(*time);
            self.abbreviation.starts_with(info.abbreviation().as_bytes())
        };
        let mut time = times.compatible().ok()?;
        if times.is_ambiguous() && !is_named(&time) {
            time = times.later().ok().filter(is_named).unwrap_or(time);
        }
        let has_several_meanings = AMBIGUOUS.iter().any(|(name, _)| self.abbreviation.starts_with(name.as_bytes()));
        (!has_several_meanings || is_named(&time)).then(|| time.as_microsecond())
    }

    /// If the UTC offset is known, returns the time unchanged. Otherwise returns the time with its offset in `zone`, as
    /// [`Timestamp::utc_micros_or_in`] determines it.
    #[must_use]
    pub fn or_in_zone(self, zone: &TimeZone) -> Self {
        self.utc_micros_or_in(zone).map_or(self, |utc| self.with_offset(self.local_micros - utc))
    }

    /// Returns the time with an offset of `micros` microseconds from UTC.
    pub(crate) fn with_offset(self, micros: i64) -> Self {
        Self { utc_offset: Some(micros / MICROS), ..self }
    }

    /// Returns microseconds from 1970-01-01 00:00:00 to the local time in another zone. Returns `None` if the UTC
    /// offset is unknown.
    pub(crate) fn micros_in(self, zone: &TimeZone) -> Option<i64> {
        let utc = self.utc_micros()?;
        let time = jiff::Timestamp::from_microsecond(utc).ok()?;
        Some(utc + i64::from(zone.to_offset(time).seconds()) * MICROS)
    }

    pub(crate) fn plus_micros(self, micros: i64) -> Self {
        Self { local_micros: self.local_micros + micros, ..self }
    }

    /// Returns microseconds from 1970-01-01 00:00:00 to the local time. Ignores the zone.
    #[must_use]
    pub fn local_micros(self) -> i64 {
        self.local_micros
    }

    /// Whether this time is before `other`. Compares the local times if a UTC offset is unknown.
    #[must_use]
    pub fn is_before(self, other: Self) -> bool {
        match (self.utc_offset, other.utc_offset) {
            (Some(_), Some(_)) => self.unix_micros() < other.unix_micros(),
            _ => self.local_micros < other.local_micros,
        }
    }
}

/// Replaces an ambiguous zone abbreviation with its UTC offset. `known` is the time at which another program handled
/// the line, in microseconds since 1970. Chooses the offset with which the timestamp is close to that time. Returns
/// `None` if there is no such offset.
pub fn with_offset_near(text: &[u8], known: impl FnOnce() -> Option<i64>) -> Option<String> {
    /// Maximum difference between the timestamp and `known`, in microseconds. It is less than half an hour, because the
    /// possible UTC offsets differ by at least an hour.
    const NEAR: i64 = 25 * 60 * 1_000_000;
    let (_, offsets) = AMBIGUOUS.iter().find(|(name, _)| text.ends_with(name.as_bytes()))?;
    let text = std::str::from_utf8(text).ok()?;
    let (local, known) = (parse_timestamp(text)?.local_micros(), known()?);
    let is_near = |minutes: &&i64| (local - **minutes * 60_000_000 - known).abs() < NEAR;
    let minutes = offsets.iter().find(is_near)?;
    let sign = if *minutes < 0 { '-' } else { '+' };
    Some(format!("{}{sign}{:02}:{:02}", &text[..text.len() - 3], minutes.abs() / 60, minutes.abs() % 60))
}
