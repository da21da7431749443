//! Chooses the envelope of a log: the first row of the envelope table (table/rows.rs) that fits the log's first
//! lines. An envelope is the text that docker, syslog and others put around each line. A row is chosen only if the
//! lines inside the envelope are a log.

use super::MAX_LAYERS;
use super::Unwrapper;
use super::rows_like;
use super::sample::Sample;
use super::table::{ENVELOPES, Envelope};
use crate::format::detect::{detect_format, is_csvlog_row};
use crate::format::frame::Frame;
use crate::format::order::{goes_down, time_of};
use crate::scan::lines::{outside_quotes, split_lines};
use crate::time::timestamp::{Timestamp, parse_timestamp};

/// Returns the rows of the envelope table for the outermost envelope of a sample, and whether the sample is one JSON
/// document. If `name` is given, tries only the envelope with this name.
pub fn detect_layer(sample: &[u8], name: Option<&str>, depth: usize) -> Option<(Vec<&'static Envelope>, bool)> {
    let mut lines = Sample::new(sample, depth).filter(|lines| !lines.is_servers_own())?;
    let has_log = |text: &[u8]| detect_format("-", text).is_some();
    for row in ENVELOPES.iter().filter(|row| name.is_none_or(|name| row.name == name)) {
        if !lines.fits(row, name.is_some()) {
            continue;
        }
        let rows = rows_like(row);
        lines.drop_values();
        let inner = Unwrapper::new(rows.clone(), lines.is_document).unwrapped_by_first(sample, row);
        if has_log(&inner) || (depth + 1 < MAX_LAYERS && detect_layer(&inner, None, depth + 1).is_some()) {
            return Some((rows, lines.is_document));
        }
    }
    None
}

/// Whether the times of a log's lines descend. `framed` contains the lines and the values of their envelope
/// (frame.rs). The server's own times decide, because the envelope's time may be the time of an import. If the
/// server's times neither descend nor ascend, the envelope's times decide.
pub fn runs_backwards(framed: &[u8]) -> bool {
    /// Minimum number of lines that must be older (or newer) than their previous line. The number is small, because
    /// exports are often short.
    const LEAST: u32 = 2;
    let lines = || {
        let frames = split_lines(framed).filter_map(|line| Some((line, Frame::parse(line)?)));
        outside_quotes(frames, |(line, (_, len))| &line[*len..], is_csvlog_row)
            .filter(|(_, (frame, _))| !frame.continued)
    };
    let own = || lines().filter_map(|(line, (_, len))| time_of(&line[len..]));
    let outer = lines().filter_map(|(_, (frame, _))| {
        parse_timestamp(std::str::from_utf8(frame.time).ok()?).map(Timestamp::unix_micros)
    });
    let ascends = || goes_down(own().map(|time| -time), LEAST);
    goes_down(own(), LEAST) || goes_down(outer, LEAST) && !ascends()
}

/// Whether a daemon forwarded the log. If so, the envelopes of all lines have the daemon's process ID, although
/// different processes of the server wrote the lines.
pub fn is_relayed(framed: &[u8]) -> bool {
    let frames = || split_lines(framed).filter_map(Frame::parse).map(|(frame, _)| frame);
    let Some(first) = frames().find(|frame| frame.pid > 0) else { return false };
    let has = |text: &str| memchr::memmem::find(framed, text.as_bytes()).is_some();
    let is_server =
        ["checkpoint ", "connection received: ", "automatic vacuum ", "database system "].into_iter().any(has);
    let sessions = memchr::memmem::find_iter(framed, "connection authorized: ").take(2).count();
    let is_one = || frames().filter(|frame| frame.pid > 0).all(|frame| frame.pid == first.pid);
    (is_server || sessions > 1) && has("duration: ") && is_one()
}
