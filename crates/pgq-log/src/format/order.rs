//! Finds logs that run from the newest message to the oldest.

use crate::format::csvlog::is_servers_row;
use crate::format::detect::is_csvlog_row;
use crate::scan::lines::{outside_quotes, split_lines};
use crate::time::timestamp::{Timestamp, parse_timestamp, timestamp_len};

/// Returns the time at the start of a line of any format.
pub fn time_of(line: &[u8]) -> Option<i64> {
    const KEY: &[u8] = b"\"timestamp\":";
    let line = match line.first() {
        Some(b'{') => {
            let value = &line[memchr::memmem::find(line, KEY)? + KEY.len()..];
            value.trim_ascii_start().strip_prefix(b"\"")?
        }
        _ => line,
    };
    let line = line.strip_prefix(b"[").unwrap_or(line);
    let text = std::str::from_utf8(&line[..timestamp_len(line)]).ok()?;
    parse_timestamp(text).map(Timestamp::unix_micros)
}

/// Whether a log without an envelope runs from its newest line to its oldest. The messages of such a log cannot be
/// assembled.
///
/// Ignores lines inside the quotes of a csvlog, because a statement may contain lines that look like rows. If a csvlog
/// starts within a row, it is unknown which lines are inside quotes, so the result is `false`.
#[must_use]
pub fn runs_newest_first(sample: &[u8]) -> bool {
    const MAX_LINES: usize = 2000;
    const MAX_TIMES: usize = 300;
    /// Minimum number of lines that must be older than their previous line. It is greater than 1, because in any log a
    /// few lines may be out of order.
    const LEAST: u32 = 8;
    let lines = || split_lines(sample).take(MAX_LINES);
    if !goes_down(lines().filter_map(time_of).take(MAX_TIMES), LEAST) {
        return false;
    }
    if !lines().next().is_some_and(is_csvlog_row) {
        return !lines().any(is_servers_row);
    }
    goes_down(outside_quotes(lines(), |line| line, is_csvlog_row).filter_map(time_of).take(MAX_TIMES), LEAST)
}

/// Whether a log has syslog messages with octet counts (RFC 6587) and without line breaks between them. pgq would read
/// such a log as a single line.
#[must_use]
pub fn lacks_line_breaks(sample: &[u8]) -> bool {
    /// Returns the number (a length in bytes) with which `text` begins, and the message after it.
    fn counted(text: &[u8]) -> Option<(usize, &[u8])> {
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let len = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
        text[digits..].strip_prefix(b" ").filter(|message| message.starts_with(b"<")).map(|message| (len, message))
    }
    let mut rest = sample;
    while let Some((message, after)) = counted(rest).and_then(|(len, message)| message.split_at_checked(len)) {
        if !message.ends_with(b"\n") && counted(after).is_some() {
            return true;
        }
        rest = after.trim_ascii_start();
    }
    false
}

/// Whether most steps of a sequence of times descend. At least `least` steps must descend.
pub fn goes_down(times: impl Iterator<Item = i64>, least: u32) -> bool {
    let (mut up, mut down, mut last) = (0, 0, None);
    for time in times {
        if let Some(last) = last {
            up += u32::from(time > last);
            down += u32::from(time < last);
        }
        last = Some(time);
    }
    down >= least && down > 4 * up
}
