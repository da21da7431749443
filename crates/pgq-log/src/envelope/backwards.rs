//! Detects logs without an envelope that run from the newest message to the oldest. Also detects the unit of the
//! reversal: a line (`tac`), an event (a line with a time and the lines after it) or a message. The caller reverses the
//! log.

use super::layer::{Emit, Layer};
use super::table::Unit;
use crate::format::csvlog::{is_servers_row, looks_like_row};
use crate::format::frame::Frame;
use crate::message::label::{Label, find_label};
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

/// Whether the times of most lines descend. At least `least` steps must descend. A statement in a csvlog may contain
/// lines that look like rows, so lines inside quotes are ignored. If the first line is not a row, the quotes are
/// unknown, and the times of a csvlog do not descend.
pub fn lines_go_down(lines: &[&[u8]], least: u32) -> bool {
    /// The first times suffice.
    const MAX_TIMES: usize = 300;
    if !goes_down(lines.iter().filter_map(|line| time_of(line)).take(MAX_TIMES), least) {
        return false;
    }
    if !lines.first().is_some_and(|line| is_servers_row(line)) {
        return !lines.iter().any(|line| is_servers_row(line));
    }
    let mut is_quoted = false;
    let outside = lines.iter().filter(|line| {
        let was_quoted = is_quoted;
        is_quoted ^= memchr::memchr_iter(b'"', line).count() % 2 == 1;
        !was_quoted
    });
    goes_down(outside.filter_map(|line| time_of(line)).take(MAX_TIMES), least)
}

/// Whether the first lines may run backwards. A fast test that rejects most logs.
pub fn may_run_down(lines: &[&[u8]]) -> bool {
    const FIRST: usize = 16;
    lines.len() >= FIRST && lines_go_down(&lines[..FIRST], 0)
}

/// Returns the unit of the reversal. Returns `None` if the lines run forwards or if the unit is uncertain.
pub fn unit_of(lines: &[&[u8]]) -> Option<Unit> {
    /// Minimum number of descending steps. In any log, a few lines may be out of order.
    const LEAST: u32 = 8;
    if !may_run_down(lines) || !lines_go_down(lines, LEAST) {
        return None;
    }
    if lines.iter().all(|line| line.starts_with(b"{")) {
        return Some(Unit::Line);
    }
    if lines.iter().filter(|line| time_of(line).is_some()).all(|line| looks_like_row(line)) {
        return rows_are_whole(lines).then_some(Unit::Message);
    }
    // A DETAIL or STATEMENT has the same prefix as its message.
    let (mut above, mut below) = (0, 0);
    let first_lines = lines.iter().filter(|line| !line.starts_with(b"\t"));
    let labels: Vec<(&[u8], Label)> = first_lines
        .filter_map(|line| find_label(line).map(|(start, label, _)| (&line[..start.min(24)], label)))
        .collect();
    for (at, (prefix, _)) in labels.iter().enumerate().filter(|(_, (_, label))| !matches!(label, Label::Primary(_))) {
        let is_head = |(_, label): &&(&[u8], Label)| matches!(label, Label::Primary(_));
        let has_prefix = |other: Option<&(&[u8], Label)>| other.is_some_and(|(other, _)| other == prefix);
        let is_above = has_prefix(labels[..at].iter().rev().find(is_head));
        let is_below = has_prefix(labels[at..].iter().find(is_head));
        above += usize::from(is_above && !is_below);
        below += usize::from(is_below && !is_above);
    }
    match (above, below) {
        (0, 0) if !lines.iter().any(|line| line.starts_with(b"\t")) => Some(Unit::Line),
        (0, 1..) if lines.iter().all(|line| time_of(line).is_some()) => Some(Unit::Line),
        (0, 1..) => match further_lines_follow(lines) {
            (0, 1..) => Some(Unit::Line),
            (1.., 0) => Some(Unit::Event),
            _ => None,
        },
        (1.., 0) => Some(Unit::Message),
        _ => None,
    }
}

/// Counts the continuation lines that belong to the line above them, and those that belong to the line below them. A
/// statement continues after a comma or an opening parenthesis, and ends after a semicolon. Ignores one-line messages
/// and the ends of the log.
fn further_lines_follow(lines: &[&[u8]]) -> (usize, usize) {
    let (mut follow, mut precede) = (0, 0);
    let goes_on = |line: &[u8]| line.trim_ascii_end().ends_with(b",") || line.trim_ascii_end().ends_with(b"(");
    let ends = |line: &[u8]| line.trim_ascii_end().ends_with(b";");
    let mut at = 0;
    while at < lines.len() {
        let run = lines[at..].iter().take_while(|line| time_of(line).is_none()).count();
        if run > 0 {
            let (first, last) = (lines[at], lines[at + run - 1]);
            let above = at.checked_sub(1).map(|at| lines[at]);
            let below = lines.get(at + run).copied();
            let is_first = |line: Option<&[u8]>| line.is_some_and(goes_on);
            let is_whole = |line: Option<&[u8]>| line.is_none_or(|line| ends(line) || is_one_line(line));
            let has_end = |end: &[u8], other: &[u8]| run > 1 && ends(end) && !ends(other);
            follow += usize::from(is_first(above) || has_end(last, first) || is_whole(below) && !is_whole(above));
            precede += usize::from(is_first(below) || has_end(first, last) || is_whole(above) && !is_whole(below));
        }
        at += run + 1;
    }
    // Tolerates one contradiction in ten lines.
    let is_noise = |few: usize, many: usize| few * 10 <= many;
    (if is_noise(follow, precede) { 0 } else { follow }, if is_noise(precede, follow) { 0 } else { precede })
}

/// Whether a line is a message that never has continuation lines.
fn is_one_line(line: &[u8]) -> bool {
    const STARTS: [&[u8]; 5] =
        [b"connection ", b"disconnection: ", b"checkpoint ", b"temporary file: ", b"database system "];
    let Some((_, _, text)) = find_label(line) else { return false };
    let text = &line[text..];
    STARTS.iter().any(|start| text.starts_with(start)) || text.starts_with(b"duration: ") && text.ends_with(b" ms")
}

/// Whether every row of a csvlog starts outside quotes.
fn rows_are_whole(lines: &[&[u8]]) -> bool {
    let mut is_quoted = false;
    lines.iter().all(|line| {
        let is_whole = is_quoted != time_of(line).is_some();
        is_quoted ^= memchr::memchr_iter(b'"', line).count() % 2 == 1;
        is_whole
    })
}

impl Layer {
    pub(super) fn backward_line(&mut self, outer: &Frame<'_>, line: &[u8], unit: Unit, emit: Emit<'_>) {
        let is_row = looks_like_row(line);
        let is_further = match find_label(line) {
            _ if self.is_quoted => true,
            _ if is_row => false,
            _ if line.starts_with(b"\t") => true,
            Some((_, label, _)) => unit == Unit::Message && !matches!(label, Label::Primary(_)),
            None => true,
        };
        // Quotes matter only in csvlog rows.
        if is_row || self.is_quoted {
            self.is_quoted ^= memchr::memchr_iter(b'"', line).count() % 2 == 1;
        }
        emit(&Frame { continued: is_further && unit != Unit::Line, ..*outer }, line);
    }
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
    down >= least && (down > 4 * up || (least == 0 && up == 0))
}

#[cfg(test)]
mod tests {
    use super::{Unit, unit_of};

    #[test]
    fn what_belongs_together_is_certain_or_refused() {
        let head = |second: i32| format!("2026-01-31 12:00:{second:02} UTC [{second}] LOG:  statement: SELECT 1\n");
        let error = "2026-01-31 12:00:30 UTC [7] ERROR:  x\n";
        let part = "2026-01-31 12:00:30 UTC [7] STATEMENT:  y\n";
        let log = |error: &str| {
            (31..45).rev().map(head).collect::<String>() + error + &(0..9).rev().map(head).collect::<String>()
        };
        let is = |log: &str| unit_of(&log.lines().map(str::as_bytes).collect::<Vec<_>>());
        assert_eq!(is(&log(&format!("{error}{part}"))), Some(Unit::Message));
        assert_eq!(is(&log(&format!("{part}{error}"))), Some(Unit::Line));
        assert_eq!(is(&log(error)), Some(Unit::Line));
        assert_eq!(is(&log("\tz\n")), None);
        let text = format!("{part}{}\tFROM t;\n", error.replace('x', "SELECT a,"));
        assert_eq!(is(&log(&text)), Some(Unit::Event));
        let text = format!("{part}\tFROM t;\n\ta,\n{}", error.replace('x', "SELECT"));
        assert_eq!(is(&log(&text)), Some(Unit::Line));
        assert_eq!(is(&(0..20).map(head).collect::<String>()), None);
    }
}
