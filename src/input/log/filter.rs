//! Which records of a log are wanted.

use super::entry::{Entry, Part};
use super::time::{Moment, parse};
use crate::cli::LogArgs;

/// The filters of the command line, ready for use.
#[derive(Debug, Default)]
pub struct Filter {
    users: Vec<String>,
    databases: Vec<String>,
    applications: Vec<String>,
    kinds: Vec<String>,
    since: Option<Moment>,
    until: Option<Moment>,
    min_duration: Option<f64>,
}

/// What a filter says of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Wanted,
    Unwanted,
    /// The record lacks what is asked for.
    Unknown,
}

impl Filter {
    pub fn new(args: &LogArgs) -> Self {
        Self {
            users: args.user.clone(),
            databases: args.database.clone(),
            applications: args.application.clone(),
            kinds: args.kind.iter().map(|kind| kind.trim().to_ascii_lowercase()).collect(),
            since: args.since,
            until: args.until,
            min_duration: args.min_duration,
        }
    }

    /// Whether a record is wanted.
    pub fn verdict(&self, entry: Entry<'_>) -> Verdict {
        let names =
            [(&self.users, Part::User), (&self.databases, Part::Database), (&self.applications, Part::Application)];
        for (wanted, part) in names {
            if !wanted.is_empty() && !wanted.iter().any(|name| name.as_bytes() == entry.get(part)) {
                return if entry.get(part).is_empty() { Verdict::Unknown } else { Verdict::Unwanted };
            }
        }
        if let Some(least) = self.min_duration {
            match entry.duration() {
                None => return Verdict::Unknown,
                Some(duration) if duration < least => return Verdict::Unwanted,
                Some(_) => {}
            }
        }
        if self.since.is_some() || self.until.is_some() {
            let Some(time) = std::str::from_utf8(entry.get(Part::Time)).ok().and_then(parse) else {
                return Verdict::Unknown;
            };
            let early = self.since.is_some_and(|since| time.is_before(since));
            if early || self.until.is_some_and(|until| until.is_before(time)) {
                return Verdict::Unwanted;
            }
        }
        if !self.kinds.is_empty() {
            let kind = kind(entry.sql());
            if !self.kinds.contains(&kind) {
                return Verdict::Unwanted;
            }
        }
        Verdict::Wanted
    }
}

/// What kind of statement a text is: its first keyword, or the one behind WITH's queries.
pub fn kind(sql: &[u8]) -> String {
    let first = first_word(sql).to_ascii_lowercase();
    if first != b"with" {
        return String::from_utf8_lossy(&first).into_owned();
    }
    let main = std::str::from_utf8(sql).ok().and_then(behind_with);
    main.unwrap_or("with").to_ascii_lowercase()
}

/// The first word, behind comments and brackets.
fn first_word(sql: &[u8]) -> &[u8] {
    let mut rest = sql;
    loop {
        rest = rest.trim_ascii_start();
        if rest.starts_with(b"--") {
            rest = memchr::memchr(b'\n', rest).map_or(&[], |end| &rest[end..]);
        } else if rest.starts_with(b"/*") {
            // Nested comments are rare enough to end at the first end.
            rest = memchr::memmem::find(rest, b"*/").map_or(&[], |end| &rest[end + 2..]);
        } else if let [b'(' | b';', after @ ..] = rest {
            rest = after;
        } else {
            let len = rest.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'_').count();
            return &rest[..len];
        }
    }
}

/// The keyword of the statement that WITH belongs to: the first one outside brackets that
/// begins a statement.
fn behind_with(sql: &str) -> Option<&str> {
    let mut depth = 0usize;
    for token in pgq::scan(sql).ok()? {
        let text = &sql[token.start..token.end];
        match text {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ if depth == 0 && token.keyword != 0 => {
                const MAIN: [&str; 7] = ["select", "insert", "update", "delete", "merge", "values", "table"];
                if MAIN.iter().any(|main| text.eq_ignore_ascii_case(main)) {
                    return Some(text);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::entry::{Message, OwnEntry};
    use super::{Filter, Part, Verdict, kind, parse};

    #[test]
    fn kinds() {
        for (sql, expected) in [
            ("SELECT 1", "select"),
            (" -- c\n/* d */ ((VALUES (1)))", "values"),
            ("WITH a AS (SELECT 1), b AS (DELETE FROM x) INSERT INTO t SELECT * FROM a", "insert"),
            ("with recursive x(n) as (values (1)) select n from x", "select"),
            ("WITH", "with"),
            ("CREATE TABLE t ()", "create"),
            ("", ""),
            ("\"quoted\"", ""),
        ] {
            assert_eq!(kind(sql.as_bytes()), expected, "{sql}");
        }
    }

    #[test]
    fn each_filter_refuses() {
        let mut own = OwnEntry::of(Message::default(), b"");
        own.set(Part::User, b"ann");
        own.set(Part::Time, b"2026-01-31 12:00:00.123 UTC");
        own.set(Part::Duration, b"12.5");
        own.set(Part::Sql, b"SELECT 1");
        let verdict = |filter: Filter| filter.verdict(own.entry());
        let one = |name: &str| vec![name.to_string()];
        assert_eq!(verdict(Filter::default()), Verdict::Wanted);
        assert_eq!(verdict(Filter { users: one("ann"), kinds: one("select"), ..Filter::default() }), Verdict::Wanted);
        assert_eq!(verdict(Filter { users: one("bob"), ..Filter::default() }), Verdict::Unwanted);
        assert_eq!(verdict(Filter { databases: one("shop"), ..Filter::default() }), Verdict::Unknown);
        assert_eq!(verdict(Filter { kinds: one("insert"), ..Filter::default() }), Verdict::Unwanted);
        assert_eq!(verdict(Filter { min_duration: Some(13.0), ..Filter::default() }), Verdict::Unwanted);
        assert_eq!(verdict(Filter { min_duration: Some(12.5), ..Filter::default() }), Verdict::Wanted);
        let at = |text| parse(text);
        assert_eq!(verdict(Filter { since: at("2026-01-31 12:00:01"), ..Filter::default() }), Verdict::Unwanted);
        assert_eq!(verdict(Filter { until: at("2026-01-31 12:00:00"), ..Filter::default() }), Verdict::Unwanted);
        assert_eq!(verdict(Filter { since: at("2026-01-31T13:00:00+01:00"), ..Filter::default() }), Verdict::Wanted);
    }
}
