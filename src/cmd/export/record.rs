//! Values of a log record for the columns of export.

use std::borrow::Cow;

use pgq_columns::{Column, TextListBuilder};
use pgq_digest::name_text;
use pgq_log::{Clock, Entry, Field, duration_micros, parameter_values, without_position};

use crate::cmd::zone::Zones;

/// Columns that a log reader provides only on request ([`pgq_log::RecordSelection`]).
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

/// Extracts the values of records.
#[derive(Default)]
pub struct RecordReader {
    clock: Clock,
    session_clock: Clock,
    params: TextListBuilder,
}

/// Values of a log record about a statement.
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

fn present(entry: Entry<'_>, field: Field) -> Option<&[u8]> {
    Some(entry.get(field)).filter(|bytes| !bytes.is_empty())
}

fn text(entry: Entry<'_>, field: Field) -> Option<Cow<'_, str>> {
    present(entry, field).map(lossy)
}

fn name(entry: Entry<'_>, field: Field) -> Option<Cow<'_, str>> {
    present(entry, field).map(name_text)
}

/// Same result as [`String::from_utf8_lossy`], but faster for valid UTF-8.
pub fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

fn number(entry: Entry<'_>, field: Field) -> Option<i64> {
    std::str::from_utf8(entry.get(field)).ok()?.parse().ok()
}

impl RecordReader {
    /// Returns the values of a record. `zones` resolves times without a known zone.
    pub fn read<'a>(&mut self, entry: Entry<'a>, zones: &mut Zones) -> RecordValues<'a> {
        let logged = self.clock.parse(entry.get(Field::Time));
        let started = self.session_clock.parse(entry.get(Field::SessionStart));
        let [time, start_time] = zones.utc(entry, logged, started);
        let has_state = !entry.is_logged_before_parsing();
        let is_own = !entry.is_logged_by_another_statement();
        RecordValues {
            time,
            start_time,
            duration_us: duration_micros(entry.get(Field::Duration)).and_then(|micros| i64::try_from(micros).ok()),
            pid: (entry.pid() != 0).then(|| i64::from(entry.pid())),
            session: text(entry, Field::Session),
            session_line: number(entry, Field::SessionLine),
            user: name(entry, Field::User),
            database: name(entry, Field::Database),
            application: name(entry, Field::Application),
            remote_host: name(entry, Field::RemoteHost),
            command_tag: text(entry, Field::CommandTag).filter(|_| has_state && is_own),
            // Omits `00000`, the SQLSTATE of success, because some log formats lack it, and the rows must not depend on
            // the format.
            sqlstate: text(entry, Field::SqlState).filter(|state| state != "00000"),
            query_id: number(entry, Field::QueryId).filter(|id| *id != 0 && is_own),
            vxid: text(entry, Field::VirtualXid),
            txid: number(entry, Field::Txid).filter(|_| has_state),
            // Removes the error position from the message, because only stderr logs have the position there.
            error: present(entry, Field::Message)
                .filter(|_| entry.severity().is_error())
                .map(|message| lossy(without_position(message))),
        }
    }

    /// Returns the values of a record's parameters. Returns `None` if the record has no parameters, or if their text
    /// cannot be divided into values. `mask` receives the text of all parameters, and returns its replacement, if any.
    pub fn params(&mut self, entry: Entry<'_>, mask: impl FnOnce(&str) -> Option<String>) -> Option<&TextListBuilder> {
        let params = Some(entry.get(Field::Params)).filter(|params| !params.is_empty())?;
        let masked = std::str::from_utf8(params).ok().and_then(mask);
        let params = masked.as_ref().map_or(params, |masked| masked.as_bytes());
        self.params.clear();
        for value in parameter_values(params)? {
            self.params.push(value.as_deref().map(String::from_utf8_lossy).as_deref());
        }
        Some(&self.params)
    }
}
