//! What a log is, by its name and its first lines. A guess is never silent: the caller says
//! what was taken.

use super::prefix::{Field, Found, Prefix};
use super::severity::{Word, anywhere};
use super::syslog::unwrap;
use super::time::extent;
use crate::cli::From;

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
pub struct Guess {
    pub syslog: bool,
    /// `None` where no prefix in common use fits.
    pub prefix: Option<&'static str>,
}

/// Looks at the first lines of a log.
pub fn guess(sample: &[u8]) -> Guess {
    let lines: Vec<&[u8]> = sample.split(|b| *b == b'\n').filter(|line| !line.is_empty()).take(LINES).collect();
    let wrapped = lines.iter().filter(|line| unwrap(line).is_some()).count();
    let syslog = wrapped > 0 && wrapped * 2 >= lines.len();
    let lines = lines.into_iter().filter_map(|line| if syslog { Some(unwrap(line)?.text) } else { Some(line) });
    let is_message = |line: &&[u8]| matches!(anywhere(line), Some((_, Word::Primary(_), _)));
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
    Guess { syslog, prefix }
}

/// What an input is: by its name, then by its first bytes.
pub fn form(name: &str, sample: &[u8]) -> From {
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    match name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).as_deref() {
        Some("sql") => return From::Sql,
        Some("csv") => return From::Csvlog,
        Some("json") => return From::Jsonlog,
        _ => {}
    }
    let lines = || sample.split(|b| *b == b'\n').take(LINES);
    let is_json = |line: &[u8]| line.starts_with(b"{\"timestamp\":\"");
    let is_row = |line: &[u8]| line.get(extent(line)) == Some(&b',') && extent(line) > 0;
    let is_message = |line: &[u8]| matches!(anywhere(line), Some((start, Word::Primary(_), _)) if start < 512);
    if lines().any(is_json) {
        From::Jsonlog
    } else if lines().any(is_row) {
        From::Csvlog
    } else if lines().any(is_message) {
        From::Stderr
    } else {
        From::Sql
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMON, From, form, guess};

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
            let taken = guess(line(prefix).as_bytes()).prefix.unwrap_or("none");
            // Alone, a background process's line fits what covers it.
            let expected = if prefix == "%m [%p] " { "%m [%p] %q%u@%d " } else { prefix };
            assert_eq!(taken, expected);
        }
        assert!(guess(b"<|ann|> LOG:  x\n").prefix.is_none());
        let wrapped = guess(format!("Jan  1 12:00:00 h postgres[42]: [1-1] {}", line("%u@%d ")).as_bytes());
        assert!(wrapped.syslog);
    }

    #[test]
    fn forms() {
        assert_eq!(form("x.sql", b"2026-01-31 12:00:00 UTC LOG:  x"), From::Sql);
        assert_eq!(form("x.csv.gz", b""), From::Csvlog);
        assert_eq!(form("-", b"{\"timestamp\":\"2026"), From::Jsonlog);
        assert_eq!(form("a.log", b"2026-01-31 12:00:00.1 UTC,\"ann\",\"shop\",1"), From::Csvlog);
        assert_eq!(form("a.log", line("%m [%p] ").as_bytes()), From::Stderr);
        assert_eq!(form("a.log", b"SELECT 1;\n"), From::Sql);
    }
}
