//! The columns of a log's record, as values.

use std::borrow::Cow;

use jiff::civil;
use jiff::tz::TimeZone;
use pgq_columns::{Column, TextListBuilder};
use pgq_log::{Clock, Entry, Field, Timestamp, duration_micros, parameter_values};

/// Columns of which a log is read only where they are wanted ([`pgq_log::RecordSelection`]).
pub const SESSION_COLUMNS: [Column; 8] = [
    Column::StartTime,
    Column::SessionLine,
    Column::RemoteHost,
    Column::CommandTag,
    Column::Sqlstate,
    Column::QueryId,
    Column::Vxid,
    Column::Txid,
];

/// Reads the values of records.
#[derive(Default)]
pub struct RecordReader {
    clock: Clock,
    session_clock: Clock,
    params: TextListBuilder,
    /// Records with a time that is NULL because its zone is not known.
    pub records_without_zone: u64,
}

/// What a log says about a statement.
#[derive(Default)]
pub struct RecordValues<'a> {
    pub time: Option<i64>,
    pub start_time: Option<i64>,
    pub duration_us: Option<i64>,
    pub pid: Option<i64>,
    pub session: Option<Cow<'a, str>>,
    pub session_line: Option<i64>,
    pub user: Option<Cow<'a, str>>,
    pub database: Option<Cow<'a, str>>,
    pub application: Option<Cow<'a, str>>,
    pub remote_host: Option<Cow<'a, str>>,
    pub command_tag: Option<Cow<'a, str>>,
    pub sqlstate: Option<Cow<'a, str>>,
    pub query_id: Option<i64>,
    pub vxid: Option<Cow<'a, str>>,
    pub txid: Option<i64>,
    pub error: Option<Cow<'a, str>>,
}

fn text(entry: Entry<'_>, field: Field) -> Option<Cow<'_, str>> {
    Some(entry.get(field)).filter(|bytes| !bytes.is_empty()).map(lossy)
}

/// The same as `String::from_utf8_lossy`, which is slow for valid text.
pub fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

fn number(entry: Entry<'_>, field: Field) -> Option<i64> {
    std::str::from_utf8(entry.get(field)).ok()?.parse().ok()
}

impl RecordReader {
    /// The values of a record. Times without a zone are in `timezone`, else in the zone that the session tells.
    pub fn read<'a>(&mut self, entry: Entry<'a>, timezone: Option<&TimeZone>) -> RecordValues<'a> {
        let stamp = |field, clock: &mut Clock| std::str::from_utf8(entry.get(field)).ok().and_then(|t| clock.parse(t));
        let logged = stamp(Field::Time, &mut self.clock);
        let started = stamp(Field::SessionStart, &mut self.session_clock);
        let utc = |stamp: Timestamp| {
            utc_micros(stamp, timezone).or_else(|| Some(stamp.local_micros() - session_offset(entry, started?)?))
        };
        let (time, start_time) = (logged.and_then(utc), started.and_then(utc));
        let is_unknown = logged.is_some() && time.is_none() || started.is_some() && start_time.is_none();
        self.records_without_zone += u64::from(is_unknown);
        RecordValues {
            time,
            start_time,
            duration_us: duration_micros(entry.get(Field::Duration)).and_then(|micros| i64::try_from(micros).ok()),
            pid: (entry.pid() != 0).then(|| i64::from(entry.pid())),
            session: text(entry, Field::Session),
            session_line: number(entry, Field::SessionLine),
            user: text(entry, Field::User),
            database: text(entry, Field::Database),
            application: text(entry, Field::Application),
            remote_host: text(entry, Field::RemoteHost),
            command_tag: text(entry, Field::CommandTag),
            // Not every format has that of success.
            sqlstate: text(entry, Field::SqlState).filter(|state| state != "00000"),
            query_id: number(entry, Field::QueryId),
            vxid: text(entry, Field::VirtualXid),
            txid: number(entry, Field::Txid),
            error: if entry.severity().is_error() { text(entry, Field::Message) } else { None },
        }
    }

    /// The values of a record's parameters; `None` if it has none, or they cannot be taken apart.
    pub fn params(&mut self, entry: Entry<'_>) -> Option<&TextListBuilder> {
        let params = Some(entry.get(Field::Params)).filter(|params| !params.is_empty())?;
        self.params.clear();
        for value in parameter_values(params)? {
            self.params.push(value.as_deref().map(String::from_utf8_lossy).as_deref());
        }
        Some(&self.params)
    }
}

/// Microseconds since 1970 in UTC; `None` if the zone is not known.
fn utc_micros(time: Timestamp, timezone: Option<&TimeZone>) -> Option<i64> {
    if let Some(micros) = time.utc_micros() {
        return Some(micros);
    }
    let since_1970 = jiff::SignedDuration::from_micros(time.local_micros());
    let local = civil::date(1970, 1, 1).at(0, 0, 0, 0).checked_add(since_1970).ok()?;
    Some(timezone?.to_timestamp(local).ok()?.as_microsecond())
}

/// How far the zone of a record's times is east of UTC, in microseconds: its session's start is told as a local time,
/// and as seconds since 1970 in the session's ID (elog.c: log_status_format). `None` where the two do not say it.
fn session_offset(entry: Entry<'_>, started: Timestamp) -> Option<i64> {
    /// Zones differ from UTC by quarters of an hour, at most 14 hours.
    const QUARTER: i64 = 900_000_000;
    let zone = |field| entry.get(field).rsplit(|byte| *byte == b' ').next();
    if zone(Field::Time) != zone(Field::SessionStart) {
        return None;
    }
    let (seconds, _) = std::str::from_utf8(entry.get(Field::Session)).ok()?.split_once('.')?;
    let started_utc = i64::from_str_radix(seconds, 16).ok()?.checked_mul(1_000_000)?;
    let offset = started.local_micros() - started_utc;
    (offset % QUARTER == 0 && offset.abs() <= 14 * 4 * QUARTER).then_some(offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgq_log::parse_timestamp;

    #[test]
    fn a_zone_is_used_where_the_log_has_none() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let micros = |text: &str, zone| utc_micros(parse_timestamp(text).unwrap(), zone);
        let winter = parse_timestamp("2026-01-31 11:00:00 UTC").unwrap().unix_micros();
        let summer = parse_timestamp("2026-07-31 10:00:00 UTC").unwrap().unix_micros();
        assert_eq!(micros("2026-01-31 12:00:00", Some(&berlin)), Some(winter));
        assert_eq!(micros("2026-07-31 12:00:00 XYZ", Some(&berlin)), Some(summer));
        assert_eq!(micros("2026-01-31 11:00:00 UTC", Some(&berlin)), Some(winter));
        assert_eq!(micros("2026-01-31 12:00:00", None), None);
    }
}
