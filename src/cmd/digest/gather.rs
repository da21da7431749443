//! A job of `pgq digest`: records into groups. What is known of a text is not found out again.

use std::sync::Arc;

use pgq::shape::{Extent, Found, ShapeCache};
use pgq::{Error, ErrorKind, FingerprintOptions, PlaceholderStyle, Tree};

use super::super::seen::{self, Seen};
use super::super::statements::error_of;
use crate::cli::InputArgs;
use crate::input::Piece;
use crate::pipeline::{Asked, Told, Work, Worker};
use pgq_digest::{Call, Digest, Kind};
use pgq_log::{Entry, Part, RecordFilter, Verdict, parse_timestamp};

/// Gathers records.
pub struct Gather {
    digest: Digest,
    filter: Arc<RecordFilter>,
    seen: Option<Seen>,
    shapes: Option<ShapeCache>,
    asked: Asked,
    placeholders: Option<PlaceholderStyle>,
    /// Bytes that a statement may have.
    longest: usize,
    /// Where the clock of the log was last.
    clock: Clock,
}

impl Gather {
    /// One of `jobs`.
    pub fn new(input: &InputArgs, limit: usize, jobs: usize) -> Self {
        Self {
            digest: Digest::new(limit),
            filter: Arc::new(input.log.filter()),
            seen: (!input.no_cache).then(|| Seen::new(jobs)),
            shapes: input.shapes().then(|| seen::shapes(jobs, FingerprintOptions::default())),
            asked: Asked::default(),
            placeholders: input.placeholders,
            longest: input.jobs.longest_statement(),
            clock: Clock::default(),
        }
    }

    pub fn into_digest(self) -> Digest {
        self.digest
    }

    fn statement(&mut self, text: &[u8], call: Call<'_>, truncated: bool) {
        if truncated {
            let sql = String::from_utf8_lossy(text);
            return self.digest.add(&Kind::Truncated, &Call { sql: &sql, ..call });
        }
        let written = self.placeholders.and_then(|style| Some((std::str::from_utf8(text).ok()?, style)));
        let replaced = written.map(|(text, style)| pgq::placeholders(text, style));
        let text = replaced.as_ref().map_or(text, |replaced| replaced.sql.as_bytes());
        let allowed = if text.len() <= self.longest { Ok(()) } else { Err(Error::too_long(text.len(), self.longest)) };
        match allowed.and_then(|()| self.fingerprint(text)) {
            Ok((fingerprint, sql)) => self.digest.add(&Kind::Query(fingerprint), &Call { sql, ..call }),
            Err(error) if error.kind == ErrorKind::OutOfMemory => pgq::memory::out_of_memory(),
            Err(error) => {
                let error = error_of(error, replaced.as_ref());
                let sql = String::from_utf8_lossy(text);
                self.digest.add(&Kind::Unparsed(&error.message), &Call { sql: &sql, ..call });
            }
        }
    }

    /// The fingerprint of a text, and the text.
    fn fingerprint<'t>(&mut self, text: &'t [u8]) -> Result<(u64, &'t str), Error> {
        let sql = pgq::check_utf8(text)?;
        self.asked.statements += 1;
        let key = self.seen.as_mut().and_then(|seen| seen.key(text));
        if let (Some(seen), Some(key)) = (&mut self.seen, key)
            && let Some(known) = seen.answer(key, text)
            && let Ok(bytes) = known.try_into()
        {
            self.asked.known += 1;
            return Ok((u64::from_le_bytes(bytes), sql));
        }
        let found = self.shapes.as_mut().map_or(Found::Nothing, |shapes| shapes.find(sql, Extent::Text));
        let is_new = matches!(found, Found::New);
        let fingerprint = if let Found::Known(known) = found {
            self.asked.by_shape += 1;
            known.fingerprint()
        } else {
            let tree = Tree::parse(sql, &pgq::ParseOptions::default())?;
            if let (Some(shapes), true) = (&mut self.shapes, is_new) {
                shapes.keep(sql, &tree, None)?;
            }
            tree.fingerprint(&FingerprintOptions::default())?
        };
        if let (Some(seen), Some(key)) = (&mut self.seen, key) {
            seen.keep(key, text, &fingerprint.0.to_le_bytes());
        }
        Ok((fingerprint.0, sql))
    }

    fn logged(&mut self, entry: Entry<'_>, told: &mut Told) {
        match self.filter.verdict(entry) {
            Verdict::Selected => {}
            Verdict::Rejected => return told.log.filtered += 1,
            Verdict::MissingField => return told.log.unknown += 1,
        }
        told.log.count(entry);
        let when = std::str::from_utf8(entry.get(Part::Time)).ok().filter(|text| !text.is_empty());
        let call = Call {
            sql: "",
            params: entry.get(Part::Params),
            duration: micros(entry.get(Part::Duration)),
            when: when.and_then(|text| Some((self.clock.micros(text)?, text))),
            user: entry.get(Part::User),
            database: entry.get(Part::Database),
            application: entry.get(Part::Application),
            error: entry.severity().is_error().then(|| without_place(entry.get(Part::Message))),
        };
        self.statement(entry.sql(), call, entry.is_truncated());
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        for index in 0..piece.len() {
            self.statement(&piece.bytes[piece.range(index)], Call::default(), false);
        }
    }
}

/// An error without ` at character 8`, which PostgreSQL adds in the format stderr only.
fn without_place(message: &[u8]) -> &[u8] {
    const AT: &[u8] = b" at character ";
    match memchr::memmem::rfind(message, AT) {
        Some(at) if message[at + AT.len()..].iter().all(u8::is_ascii_digit) => &message[..at],
        _ => message,
    }
}

/// Digits of milliseconds as microseconds, without rounding where the log has three decimals.
fn micros(digits: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(digits).ok().filter(|text| !text.is_empty())?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction: u64 = format!("{fraction:0<3.3}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(fraction)
}

/// Reads times. In a log most are of the same minute as the one before.
#[derive(Default)]
struct Clock {
    minute: String,
    zone: String,
    start: i64,
}

impl Clock {
    fn micros(&mut self, text: &str) -> Option<i64> {
        const MINUTE: usize = "2026-01-31 12:00:".len();
        let rest = text.get(MINUTE..)?;
        let seconds = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let (seconds, zone) = rest.split_at(seconds);
        if self.minute != text[..MINUTE] || self.zone != zone {
            let start = parse_timestamp(&format!("{}00{zone}", &text[..MINUTE]))?.micros();
            (self.minute, self.zone, self.start) = (text[..MINUTE].to_string(), zone.to_string(), start);
        }
        let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
        let fraction = fraction.bytes().chain(std::iter::repeat(b'0')).take(6);
        let fraction = fraction.fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        Some(self.start + whole.parse::<i64>().ok()? * 1_000_000 + fraction)
    }
}

impl Worker for Gather {
    type Made = ();

    fn work(&mut self, file: &str, work: &Work, told: &mut Told) {
        match work {
            Work::Statements(s) => self.piece(&Piece::of_script(file, &s.bytes, s.start, &s.ranges)),
            Work::Records(records) => {
                for (bytes, _) in records.iter() {
                    self.statement(bytes, Call::default(), false);
                }
            }
            Work::Log(records) => records.iter().for_each(|entry| self.logged(entry, told)),
            Work::Documents(_) => unreachable!("only deparse reads trees"),
        }
        told.asked = std::mem::take(&mut self.asked);
    }

    fn weight((): &()) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, micros, parse_timestamp};

    #[test]
    fn durations_are_microseconds() {
        for (text, expected) in
            [("0.123", Some(123)), ("12", Some(12_000)), ("1.5", Some(1500)), ("7.0004", Some(7000))]
        {
            assert_eq!(micros(text.as_bytes()), expected, "{text}");
        }
        assert_eq!((micros(b""), micros(b"x"), micros(b"99999999999999999999")), (None, None, None));
    }

    #[test]
    fn the_clock_reads_times_as_they_are() {
        let mut clock = Clock::default();
        for text in [
            "2026-01-31 12:00:00.123 UTC",
            "2026-01-31 12:00:59.999 UTC",
            "2026-01-31 12:01:00 UTC",
            "2026-01-31 12:01:00.5 +05:30",
            "2026-01-31 12:01:00.123456 CET",
            "2026-01-31T12:01:07.123456+01:00",
            "2026-01-31 12:01:07",
        ] {
            assert_eq!(clock.micros(text), parse_timestamp(text).map(|t| t.micros()), "{text}");
        }
        assert_eq!((clock.micros("Jan  1 12:00:00"), clock.micros(""), clock.micros("é")), (None, None, None));
    }
}
