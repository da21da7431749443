//! Logs without an envelope from their newest messages to their oldest: turned round where it is certain what belongs
//! together, by lines (`tac`) or by messages. Only says which line goes on with a message; the caller turns round.

use super::choose::goes_down;
use super::layer::{Emit, Layer};
use crate::csvlog::looks_like_row;
use crate::frame::Frame;
use crate::label::{Label, find_label};
use crate::timestamp::{Timestamp, parse_timestamp, timestamp_len};

/// The time at the start of a line of any format.
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

/// Whether lines run backwards: `Some(true)` if further lines stand before the first of their message, `Some(false)` if
/// they follow it. `None` if they do not run so, or if that is not certain.
pub fn is_by_lines(lines: &[&[u8]]) -> Option<bool> {
    /// A few lines may be out of order.
    const LEAST: u32 = 8;
    // Most logs show at once that they do not.
    const FIRST: usize = 16;
    if lines.len() < FIRST || !goes_down(lines[..FIRST].iter().filter_map(|line| time_of(line)), 0) {
        return None;
    }
    if !goes_down(lines.iter().filter_map(|line| time_of(line)), LEAST) {
        return None;
    }
    if lines.iter().all(|line| line.starts_with(b"{")) {
        return Some(true);
    }
    if lines.iter().filter(|line| time_of(line).is_some()).all(|line| looks_like_row(line)) {
        return rows_are_whole(lines).then_some(false);
    }
    // A DETAIL or STATEMENT has the prefix of its message.
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
        (0, 0) if !lines.iter().any(|line| line.starts_with(b"\t")) => Some(true),
        (0, 1..) => Some(true),
        (1.., 0) => Some(false),
        _ => None,
    }
}

/// Whether the rows of a csvlog start outside of quotes.
fn rows_are_whole(lines: &[&[u8]]) -> bool {
    let mut is_quoted = false;
    lines.iter().all(|line| {
        let is_whole = is_quoted != time_of(line).is_some();
        is_quoted ^= memchr::memchr_iter(b'"', line).count() % 2 == 1;
        is_whole
    })
}

impl Layer {
    pub(super) fn backward_line(&mut self, outer: &Frame<'_>, line: &[u8], by_lines: bool, emit: Emit<'_>) {
        let is_row = looks_like_row(line);
        let is_further = match find_label(line) {
            _ if self.is_quoted => true,
            _ if is_row => false,
            _ if line.starts_with(b"\t") => true,
            Some((_, label, _)) => !matches!(label, Label::Primary(_)),
            None => true,
        };
        // Quotes matter in the rows of a csvlog alone.
        if is_row || self.is_quoted {
            self.is_quoted ^= memchr::memchr_iter(b'"', line).count() % 2 == 1;
        }
        emit(&Frame { continued: is_further && !by_lines, ..*outer }, line);
    }
}

#[cfg(test)]
mod tests {
    use super::is_by_lines;

    #[test]
    fn what_belongs_together_is_certain_or_refused() {
        let head = |second: i32| format!("2026-01-31 12:00:{second:02} UTC [{second}] LOG:  statement: SELECT 1\n");
        let error = "2026-01-31 12:00:30 UTC [7] ERROR:  x\n";
        let part = "2026-01-31 12:00:30 UTC [7] STATEMENT:  y\n";
        let log = |error: &str| {
            (31..45).rev().map(head).collect::<String>() + error + &(0..9).rev().map(head).collect::<String>()
        };
        let is = |log: &str| is_by_lines(&log.lines().map(str::as_bytes).collect::<Vec<_>>());
        assert_eq!(is(&log(&format!("{error}{part}"))), Some(false));
        assert_eq!(is(&log(&format!("{part}{error}"))), Some(true));
        assert_eq!(is(&log(error)), Some(true));
        assert_eq!(is(&log("\tz\n")), None);
        assert_eq!(is(&(0..20).map(head).collect::<String>()), None);
    }
}
