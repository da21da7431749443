//! What a log is, by its name and its first lines. A guess is never silent: the caller says
//! what was taken.

use crate::LogKind;
use crate::prefix::{Field, Found, Prefix};
use crate::severity::{Label, anywhere};
use crate::syslog::parse_header;
use crate::timestamp::timestamp_len;

/// Prefixes in common use, from PostgreSQL's default, distributions, hosting and log
/// analysers. One that covers another's lines too stands before it.
const COMMON: [&str; 24] = [
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

/// Lines that are looked at.
const LINES: usize = 400;

/// How a log on stderr is written.
pub struct DetectedPrefix {
    pub syslog: bool,
    /// `None` where no prefix in common use fits.
    pub prefix: Option<&'static str>,
}

/// Looks at the first lines of a log.
pub fn detect_prefix(sample: &[u8]) -> DetectedPrefix {
    let lines: Vec<&[u8]> = sample.split(|b| *b == b'\n').filter(|line| !line.is_empty()).take(LINES).collect();
    let wrapped = lines.iter().filter(|line| parse_header(line).is_some()).count();
    let syslog = wrapped > 0 && wrapped * 2 >= lines.len();
    let lines = lines.into_iter().filter_map(|line| if syslog { Some(parse_header(line)?.text) } else { Some(line) });
    let is_message = |line: &&[u8]| matches!(anywhere(line), Some((_, Label::Primary(_), _)));
    let lines: Vec<&[u8]> = lines.filter(|line| !line.starts_with(b"\t")).filter(is_message).collect();
    let mut found = Found::default();
    let mut best = (0, None);
    for text in COMMON {
        let prefix = Prefix::new(text);
        let mut fits = |line: &[u8]| {
            // A name with a space in it is more likely the rest of another prefix.
            let matches = prefix.read(line, &mut found).is_some();
            let field = |field: Field| &line[found[field as usize].clone()];
            let time_fits = match field(Field::Time) {
                b"" => true,
                time => time.contains(&b'.') != text.contains("%t"),
            };
            matches && time_fits && !field(Field::User).contains(&b' ') && !field(Field::Database).contains(&b' ')
        };
        let matched = lines.iter().filter(|line| fits(line)).count();
        if matched > best.0 {
            best = (matched, Some(text));
        }
    }
    // With less than most lines, a prefix is only like the real one.
    let prefix = best.1.filter(|_| best.0 * 10 >= lines.len() * 9);
    DetectedPrefix { syslog, prefix }
}

/// What an input is: by its name, then by its first bytes.
pub fn detect_format(name: &str, sample: &[u8]) -> Option<LogKind> {
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    match name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).as_deref() {
        Some("sql") => return None,
        Some("csv") => return Some(LogKind::Csvlog),
        Some("json") => return Some(LogKind::Jsonlog),
        _ => {}
    }
    let lines = || sample.split(|b| *b == b'\n').take(LINES);
    let is_json = |line: &[u8]| line.starts_with(b"{\"timestamp\":\"");
    let is_row = |line: &[u8]| line.get(timestamp_len(line)) == Some(&b',') && timestamp_len(line) > 0;
    let is_message = |line: &[u8]| matches!(anywhere(line), Some((start, Label::Primary(_), _)) if start < 512);
    if lines().any(is_json) {
        Some(LogKind::Jsonlog)
    } else if lines().any(is_row) {
        Some(LogKind::Csvlog)
    } else if lines().any(is_message) {
        Some(LogKind::Stderr)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMON, LogKind, detect_format, detect_prefix};

    /// A line as PostgreSQL would write it.
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
    fn common_prefixes_are_recognised() {
        for prefix in COMMON {
            let taken = detect_prefix(line(prefix).as_bytes()).prefix.unwrap_or("none");
            // Alone, a background process's line fits what covers it.
            let expected = if prefix == "%m [%p] " { "%m [%p] %q%u@%d " } else { prefix };
            assert_eq!(taken, expected);
        }
        assert!(detect_prefix(b"<|ann|> LOG:  x\n").prefix.is_none());
        let wrapped = detect_prefix(format!("Jan  1 12:00:00 h postgres[42]: [1-1] {}", line("%u@%d ")).as_bytes());
        assert!(wrapped.syslog);
    }

    #[test]
    fn forms() {
        assert_eq!(detect_format("x.sql", b"2026-01-31 12:00:00 UTC LOG:  x"), None);
        assert_eq!(detect_format("x.csv.gz", b""), Some(LogKind::Csvlog));
        assert_eq!(detect_format("-", b"{\"timestamp\":\"2026"), Some(LogKind::Jsonlog));
        assert_eq!(detect_format("a.log", b"2026-01-31 12:00:00.1 UTC,\"ann\",\"shop\",1"), Some(LogKind::Csvlog));
        assert_eq!(detect_format("a.log", line("%m [%p] ").as_bytes()), Some(LogKind::Stderr));
        assert_eq!(detect_format("a.log", b"SELECT 1;\n"), None);
    }
}
