//! Detects the format of a log by its file name and first lines.

use crate::format::batch::BYTE_ORDER_MARK;
use crate::format::csvlog::row::columns_of_first_row;
use crate::format::csvlog::{is_servers_row, looks_like_row};
use crate::format::frame::{Frame, first_parts};
use crate::message::label::{Label, find_label};
use crate::message::severity::Severity;
use crate::scan::lines::split_lines;
use crate::time::timestamp::timestamp_len;

/// A log format of PostgreSQL (log_destination).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogKind {
    /// Lines with log_line_prefix, written to stderr or syslog.
    Stderr,
    /// Rows of CSV.
    Csvlog,
    /// One JSON object per line.
    Jsonlog,
}

const MAX_LINES: usize = 2000;

/// Whether a stderr log may mix lines of several sources. The sources are in the short headers that have replaced the
/// envelopes of the lines (frame.rs). Returns `false` if the lines have no such headers.
pub fn is_mixed(sample: &[u8]) -> bool {
    let is_source = |frame: &Frame<'_>| frame.pid > 0 || frame.stream > 0 || frame.piece.is_some() || frame.splits;
    Frame::parse(sample).is_some() && split_lines(sample).filter_map(Frame::parse).any(|(frame, _)| is_source(&frame))
}

/// Returns the lines of a stderr log without their headers (frame.rs). Skips empty lines. If syslog numbers the pieces
/// of a message (`[7-2]`), skips all but the first piece, because the other pieces start in the middle of the text.
pub fn stderr_lines(sample: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let is_start = |line: &&[u8]| match Frame::parse(line) {
        Some((frame, len)) => !frame.begins_inside() && !line[len..].starts_with(b"#011"),
        None => !line.is_empty(),
    };
    split_lines(sample).filter(is_start).map(Frame::strip)
}

/// Fields of every jsonlog object, in any order.
#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "only the presence of the fields matters")]
struct ServerFields {
    error_severity: serde::de::IgnoredAny,
    message: serde::de::IgnoredAny,
    timestamp: serde::de::IgnoredAny,
}

/// Returns a file name without its compression suffix, such as `.gz`.
#[must_use]
pub fn without_compression(name: &str) -> &str {
    const PACKED: [&str; 5] = ["gz", "zst", "bz2", "xz", "lz4"];
    match name.rsplit_once('.') {
        Some((plain, suffix)) if PACKED.iter().any(|packed| suffix.eq_ignore_ascii_case(packed)) => plain,
        _ => name,
    }
}

/// Returns the extension of a file name in lower case. Ignores a compression suffix.
fn extension(name: &str) -> Option<String> {
    without_compression(name).rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase())
}

/// Whether the first line of a file has a time and is a message of a server's log. Does not need the file's name.
///
/// ```
/// use pgq_log::starts_as_log;
///
/// assert!(starts_as_log(b"2026-01-31 12:00:00 UTC [7] LOG:  checkpoint starting: time\n"));
/// assert!(!starts_as_log(b"LOG:  an example\n"));
/// ```
#[must_use]
pub fn starts_as_log(sample: &[u8]) -> bool {
    let Some(line) = split_lines(sample).next() else { return false };
    has_time(line) && detect_format("-", line).is_some()
}

/// Whether a line has a time near its start.
fn has_time(line: &[u8]) -> bool {
    (0..line.len().min(64)).any(|at| timestamp_len(&line[at..]) > 0)
}

/// Whether a file name extension is the extension of an SQL script.
fn is_script(extension: &str) -> bool {
    matches!(extension, "sql" | "psql" | "pgsql")
}

/// Whether a file name is the name of an SQL script. The content of the file is not inspected.
#[must_use]
pub fn is_script_name(name: &str) -> bool {
    extension(name).is_some_and(|extension| is_script(&extension))
}

/// Whether a file name is the name of a script or a log. A log may be rotated or compressed. Examples:
/// `postgresql.log`, `postgresql.log.2.gz`, `postgresql-16-main.csv`, `postgresql.log-20260131`.
#[must_use]
pub fn is_known_name(name: &str) -> bool {
    let extension = extension(name).unwrap_or_default();
    let is_rotated = || {
        let lower = name.to_ascii_lowercase();
        let behind = [".log.", ".log-", ".csv.", ".json."].iter().find_map(|infix| Some(lower.split_once(infix)?.1));
        behind.is_some_and(|behind| behind.starts_with(|c: char| c.is_ascii_digit()))
    };
    is_script(&extension) || matches!(extension.as_str(), "log" | "csv" | "json") || is_rotated()
}

/// The first words of PostgreSQL's statements, separated by white space.
pub const STATEMENT_WORDS: &str = "abort alter analyze begin call checkpoint close cluster comment commit copy create deallocate \
    declare delete discard do drop end execute explain fetch grant import insert listen load lock merge move notify \
    prepare reassign refresh reindex release reset revoke rollback savepoint security select set show start table \
    truncate unlisten update vacuum values with";

/// Whether a line starts like a statement, a comment or a psql command. In a server's log, the lines of a statement do
/// not match: the first line has a prefix, and the other lines are indented.
fn begins_as_sql(line: &[u8]) -> bool {
    if line.starts_with(b"--") || line.starts_with(b"/*") || line.starts_with(b"\\") {
        return true;
    }
    let word = &line[..line.iter().take_while(|b| b.is_ascii_alphabetic()).count()];
    let is_whole = !line.get(word.len()).is_some_and(|b| b.is_ascii_digit() || matches!(b, b'_' | b':' | b'='));
    is_whole && STATEMENT_WORDS.split_ascii_whitespace().any(|known| known.as_bytes().eq_ignore_ascii_case(word))
}

/// Detects the log format of an input by its file name or its first bytes. Returns `None` if the input is SQL instead
/// of a log.
///
/// ```
/// use pgq_log::{LogKind, detect_format};
///
/// assert_eq!(detect_format("postgresql.csv.gz", b""), Some(LogKind::Csvlog));
/// assert_eq!(detect_format("queries", b"SELECT 1;\n"), None);
/// ```
#[must_use]
pub fn detect_format(name: &str, sample: &[u8]) -> Option<LogKind> {
    let named = match extension(name).as_deref() {
        Some(extension) if is_script(extension) => return None,
        Some("csv") => Some(LogKind::Csvlog),
        Some("json") => Some(LogKind::Jsonlog),
        _ => None,
    };
    // The file name has priority over the content. Exception: if the content is a stderr log, and no line looks like
    // jsonlog or csvlog, the content has priority.
    let found = detect_content(sample);
    match (named, found) {
        (Some(_), Some((LogKind::Stderr, 0))) if !is_data(sample) => Some(LogKind::Stderr),
        (Some(named), _) => Some(named),
        (None, found) => found.map(|(kind, _)| kind),
    }
}

/// Whether a line is the start of a csvlog row that another program has written, with quotes around all fields or only
/// around some.
fn is_rewritten_row(line: &[u8]) -> bool {
    let unquoted =
        |field: &'_ [u8]| field.strip_prefix(b"\"").and_then(|it| it.strip_suffix(b"\"")).map(<[u8]>::to_vec);
    let fields = line.split(|byte| *byte == b',').map(|field| unquoted(field).unwrap_or_else(|| field.to_vec()));
    let fields: Vec<Vec<u8>> = fields.take(13).collect();
    let is_number = |field: &[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
    let [time, _, _, pid, _, _, number, _, _, _, _, severity, _] = &fields[..] else { return false };
    timestamp_len(time) > 0 && is_number(pid) && is_number(number) && Severity::from_name(severity) != Severity::Other
}

/// Whether a line is the start of a csvlog row, as the server or another program writes it.
pub fn is_csvlog_row(line: &[u8]) -> bool {
    is_servers_row(line) || is_rewritten_row(line)
}

/// Whether a sample starts like JSON or like a quoted row.
fn is_data(sample: &[u8]) -> bool {
    let sample = sample.strip_prefix(BYTE_ORDER_MARK).unwrap_or(sample);
    let sample = Frame::strip(sample);
    !sample.starts_with(b"\t") && matches!(sample.trim_ascii_start().first(), Some(b'{' | b'[' | b'"'))
}

/// Returns the most frequent format of a sample's lines, and the number of lines that look like csvlog or jsonlog.
fn detect_content(sample: &[u8]) -> Option<(LogKind, usize)> {
    let is_object = |line: &[u8]| {
        let has = |key: &[u8]| memchr::memmem::find(line, key).is_some();
        match line.first() {
            Some(b'{') if line.starts_with(b"{\"timestamp\":\"") && has(b"\"error_severity\":") => true,
            Some(b'{') => has(b"\"error_severity\"") && serde_json::from_slice::<ServerFields>(line).is_ok(),
            _ => false,
        }
    };
    // In a row of a csvlog, a quoted user name or an empty column follows the time. A comma alone is not sufficient,
    // because other programs write times such as `12:00:00,123`.
    let is_row = |line: &[u8]| timestamp_len(line) > 0 && looks_like_row(line) || is_rewritten_row(line);
    let is_message = |line: &[u8]| matches!(find_label(line), Some((start, Label::Primary(_), _)) if start < 512);
    // If the first line is a row, the log is a csvlog. In this case, later lines do not count, because they may be part
    // of a client's statement. Otherwise the majority of lines decides, because a damaged line or a statement may look
    // like another format.
    let unframed = Frame::parse(sample).map(|_| first_parts(sample));
    let sample = unframed.as_deref().unwrap_or(sample);
    let sample = sample.strip_prefix(BYTE_ORDER_MARK).unwrap_or(sample);
    if columns_of_first_row(sample).is_some() || split_lines(sample).next().is_some_and(is_rewritten_row) {
        return Some((LogKind::Csvlog, 1));
    }
    let (mut objects, mut rows, mut messages, mut statements, mut comments) = (0, 0, 0, 0, 0);
    let mut first_is_sql = false;
    for line in split_lines(sample).take(MAX_LINES) {
        if is_object(line) {
            objects += 1;
        } else if is_row(line) {
            rows += 1;
        } else if begins_as_sql(line) {
            first_is_sql |= messages == 0;
            statements += 1;
            comments += usize::from(line.starts_with(b"--") && find_label(line).is_some() && has_time(line));
        } else if is_message(line) {
            messages += 1;
        }
    }
    // A log_line_prefix may look like the start of a comment (`--`). If all lines that look like SQL are comments with
    // a time and a label, these lines are messages.
    if comments > 1 && comments == statements {
        return Some((LogKind::Stderr, 0));
    }
    // If a line of SQL precedes all messages, and there are at least as many lines of SQL as messages, the sample is a
    // script. A script may contain lines of a log.
    if first_is_sql && messages <= statements {
        messages = 0;
    }
    let kind = match objects.max(rows).max(messages) {
        0 => return None,
        most if most == objects => LogKind::Jsonlog,
        most if most == rows => LogKind::Csvlog,
        _ => LogKind::Stderr,
    };
    Some((kind, objects + rows))
}
