//! Detects the format and the prefix of a log from its name and its first lines. It prints no
//! notice; the caller reports what was detected.

use crate::label::{Label, find_label};
use crate::prefix::{Prefix, PrefixField, PrefixRanges};
use crate::syslog_header::parse_header;
use crate::timestamp::timestamp_len;

/// A format in which PostgreSQL writes its log (setting log_destination).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogKind {
    /// Lines with log_line_prefix, as written to stderr; also if they went through syslog.
    Stderr,
    /// Rows of CSV.
    Csvlog,
    /// One JSON object per line.
    Jsonlog,
}

/// Common prefixes: PostgreSQL's default, and those of distributions, hosting services and log
/// analysers. A prefix that also matches the lines of another one comes before it.
const COMMON_PREFIXES: [&str; 24] = [
    "%m [%p] %q%u@%d ",
    "%m [%p] %q%u@%d/%a ",
    "%m [%p] %q[user=%u,db=%d,app=%a] ",
    "%m [%p] user=%u,db=%d,app=%a,client=%h ",
    "%m [%p] ",
    "%m [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ",
    "%m [%p]: [%l-1] user=%u,db=%d,host=%h ",
    "%m [%p]: [%l-1] db=%d,user=%u ",
    "%m [%p-%l] %q%u@%d ",
    "%m [%c] %q%u@%d ",
    "%m:%r:%u@%d:[%p]:%l:%e:%s:%v:%x:%c:%q%a:",
    "%t:%r:%u@%d:[%p]:",
    "%t [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ",
    "%t [%p]: [%l-1] user=%u,db=%d,host=%h ",
    "%t [%p]: [%l-1] user=%u,db=%d ",
    "%t [%p]: user=%u,db=%d,app=%a,client=%h ",
    "%t [%p]: [%l-1] %q%u@%d ",
    "%t [%p-%l] %q%u@%d ",
    "%t-%c-",
    "< %m > ",
    "[%p] ",
    "user=%u,db=%d,app=%a,client=%h ",
    "%m ",
    "",
];

/// How many lines of a sample are used.
const MAX_LINES: usize = 400;

/// What a sample shows of a log on stderr.
pub struct DetectedPrefix {
    /// Whether it went through syslog.
    pub syslog: bool,
    /// `None` if no common prefix matches.
    pub prefix: Option<&'static str>,
}

/// Detects the prefix of a log on stderr from its first lines.
pub fn detect_prefix(sample: &[u8]) -> DetectedPrefix {
    let lines: Vec<&[u8]> = sample.split(|b| *b == b'\n').filter(|line| !line.is_empty()).take(MAX_LINES).collect();
    let syslog_lines = lines.iter().filter(|line| parse_header(line).is_some()).count();
    let syslog = syslog_lines > 0 && syslog_lines * 2 >= lines.len();
    let lines = lines.into_iter().filter_map(|line| if syslog { Some(parse_header(line)?.text) } else { Some(line) });
    let is_message = |line: &&[u8]| matches!(find_label(line), Some((_, Label::Primary(_), _)));
    let lines: Vec<&[u8]> = lines.filter(|line| !line.starts_with(b"\t")).filter(is_message).collect();
    let mut ranges = PrefixRanges::default();
    let mut best = (0, None);
    for text in COMMON_PREFIXES {
        let prefix = Prefix::parse(text);
        let mut matches = |line: &[u8]| {
            let matches = prefix.match_line(line, &mut ranges).is_some();
            let field = |field: PrefixField| &line[ranges[field as usize].clone()];
            let time_matches = match field(PrefixField::Time) {
                b"" => true,
                time => time.contains(&b'.') != text.contains("%t"),
            };
            // A name with a space is more likely to be part of another prefix.
            let has_space = |name: PrefixField| field(name).contains(&b' ');
            matches && time_matches && !has_space(PrefixField::User) && !has_space(PrefixField::Database)
        };
        let matched = lines.iter().filter(|line| matches(line)).count();
        if matched > best.0 {
            best = (matched, Some(text));
        }
    }
    // With less than 90 % of the lines matched, no prefix is better than a wrong one.
    let prefix = best.1.filter(|_| best.0 * 10 >= lines.len() * 9);
    DetectedPrefix { syslog, prefix }
}

/// Detects the log format of an input from its file name, and otherwise from its first bytes.
/// `None` if it is not a log, which means SQL.
///
/// ```
/// use pgq_log::{LogKind, detect_format};
///
/// assert_eq!(detect_format("postgresql.csv.gz", b""), Some(LogKind::Csvlog));
/// assert_eq!(detect_format("queries", b"SELECT 1;\n"), None);
/// ```
#[must_use]
pub fn detect_format(name: &str, sample: &[u8]) -> Option<LogKind> {
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    match name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).as_deref() {
        Some("sql") => return None,
        Some("csv") => return Some(LogKind::Csvlog),
        Some("json") => return Some(LogKind::Jsonlog),
        _ => {}
    }
    let is_object = |line: &[u8]| line.starts_with(b"{\"timestamp\":\"");
    let is_row = |line: &[u8]| line.get(timestamp_len(line)) == Some(&b',') && timestamp_len(line) > 0;
    let is_message = |line: &[u8]| matches!(find_label(line), Some((start, Label::Primary(_), _)) if start < 512);
    // The format of most lines: a damaged line, or text in a statement, can look like another one.
    let (mut objects, mut rows, mut messages) = (0, 0, 0);
    for line in sample.split(|b| *b == b'\n').take(MAX_LINES) {
        if is_object(line) {
            objects += 1;
        } else if is_row(line) {
            rows += 1;
        } else if is_message(line) {
            messages += 1;
        }
    }
    match objects.max(rows).max(messages) {
        0 => None,
        most if most == objects => Some(LogKind::Jsonlog),
        most if most == rows => Some(LogKind::Csvlog),
        _ => Some(LogKind::Stderr),
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMON_PREFIXES, LogKind, detect_format, detect_prefix};

    /// A line as PostgreSQL writes it with a prefix.
    fn line(prefix: &str) -> String {
        let escapes = [
            ("%m", "2026-01-31 12:00:00.123 UTC"),
            ("%t", "2026-01-31 12:00:00 UTC"),
            ("%s", "2026-01-31 11:00:00 UTC"),
            ("%p", "42"),
            ("%q", ""),
            ("%u", "ann"),
            ("%d", "shop"),
            ("%a", "my app"),
            ("%h", "10.0.0.1"),
            ("%r", "10.0.0.1(5000)"),
            ("%l", "3"),
            ("%e", "00000"),
            ("%v", "3/7"),
            ("%x", "0"),
            ("%c", "65b.2a"),
        ];
        escapes.iter().fold(prefix.to_string(), |line, (escape, text)| line.replace(escape, text)) + "LOG:  x\n"
    }

    #[test]
    fn common_prefixes_are_detected() {
        for prefix in COMMON_PREFIXES {
            let detected = detect_prefix(line(prefix).as_bytes()).prefix.unwrap_or("none");
            // One line of a process without a session matches the prefix with %q, too.
            let expected = if prefix == "%m [%p] " { "%m [%p] %q%u@%d " } else { prefix };
            assert_eq!(detected, expected);
        }
        assert!(detect_prefix(b"<|ann|> LOG:  x\n").prefix.is_none());
        let syslog = detect_prefix(format!("Jan  1 12:00:00 h postgres[42]: [1-1] {}", line("%u@%d ")).as_bytes());
        assert!(syslog.syslog);
    }

    #[test]
    fn formats_are_detected_by_name_then_by_content() {
        assert_eq!(detect_format("x.sql", b"2026-01-31 12:00:00 UTC LOG:  x"), None);
        assert_eq!(detect_format("x.csv.gz", b""), Some(LogKind::Csvlog));
        assert_eq!(detect_format("-", b"{\"timestamp\":\"2026"), Some(LogKind::Jsonlog));
        assert_eq!(detect_format("a.log", b"2026-01-31 12:00:00.1 UTC,\"ann\",\"shop\",1"), Some(LogKind::Csvlog));
        assert_eq!(detect_format("a.log", line("%m [%p] ").as_bytes()), Some(LogKind::Stderr));
        assert_eq!(detect_format("a.log", b"SELECT 1;\n"), None);
    }

    #[test]
    fn one_damaged_line_does_not_decide() {
        let row = "2026-01-31 12:00:00.123 UTC,\"u\",\"d\",7,\n";
        let message = line("%m [%p] ");
        assert_eq!(detect_format("log", format!("{message}{message}{row}").as_bytes()), Some(LogKind::Stderr));
        assert_eq!(detect_format("log", format!("{message}{row}{row}").as_bytes()), Some(LogKind::Csvlog));
    }
}
