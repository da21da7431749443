//! Finds the log that follows another one in a folder, if the server names its logs by time (`log_filename`).

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A newer log in the folder.
#[derive(Debug, PartialEq, Eq)]
pub enum Successor {
    /// The next log of the same server.
    Next(PathBuf),
    /// A newer log whose name differs only in numbers. The numbers are not a recognized date, so the log may belong to
    /// another server.
    Unclear(PathBuf),
}

/// Returns the next log after the log at `path`. Logs belong together if their names differ only in numbers and in
/// names of days and months. If several logs are newer, returns the oldest one of them.
pub fn successor(path: &Path) -> Option<Successor> {
    let (name, written) = (path.file_name()?.to_str()?, modified(path)?);
    let pattern = pattern(name);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let others = std::fs::read_dir(folder).ok()?.flatten().filter_map(|entry| {
        let other = entry.file_name().into_string().ok()?;
        let is_like = other != name && self::pattern(&other) == pattern;
        let time = is_like.then(|| modified(&entry.path())).flatten()?;
        // A later modification time alone does not prove that a log is newer, because an older log may have been
        // modified later. If the names contain the year, they sort by time, so the name of a newer log must also be
        // greater.
        let is_later = time > written && (!has_year(name) || other.as_str() > name);
        is_later.then_some((time, other))
    });
    let (_, next) = others.min()?;
    let is_dated = has_year(name) || pattern.contains(DAY);
    let next = path.with_file_name(next);
    Some(if is_dated { Successor::Next(next) } else { Successor::Unclear(next) })
}

fn modified(path: &Path) -> Option<SystemTime> {
    let metadata = std::fs::metadata(path).ok()?;
    metadata.modified().ok().filter(|_| metadata.is_file())
}

/// The character that replaces the name of a day or a month in the result of [`pattern`].
const DAY: char = '\u{1}';

/// English names of days and months, which the server writes for `%a`, `%A`, `%b` and `%B` in `log_filename`.
const DAYS: [&str; 37] = [
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Replaces each number in a file name by `0`, and each name of a day or month by [`DAY`].
fn pattern(name: &str) -> String {
    let mut pattern = String::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let is_same = |c: char| if first.is_ascii_digit() { c.is_ascii_digit() } else { c.is_alphabetic() };
        let len = rest.find(|c: char| !is_same(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (word, behind) = rest.split_at(len);
        match word {
            _ if first.is_ascii_digit() => pattern.push('0'),
            word if DAYS.iter().any(|day| day.eq_ignore_ascii_case(word)) => pattern.push(DAY),
            word => pattern.push_str(word),
        }
        rest = behind;
    }
    pattern
}

/// Whether a file name has a year with a month, such as `2026-01`, or a number of seconds since 1970.
fn has_year(name: &str) -> bool {
    let bytes = name.as_bytes();
    let is_number = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_digit);
    let is_year = |at: usize| {
        let (year, month) = (&bytes[at..at + 4], &bytes[at + 4..]);
        let month = month.strip_prefix(b"-").or(month.strip_prefix(b"_")).or(month.strip_prefix(b".")).unwrap_or(month);
        year.starts_with(b"20") && is_number(year) && month.len() >= 2 && is_number(&month[..2])
    };
    let is_epoch = |digits: &[u8]| digits.len() == 10 && digits[0] == b'1' && is_number(digits);
    (0..bytes.len().saturating_sub(3)).any(is_year) || bytes.split(|byte| !byte.is_ascii_digit()).any(is_epoch)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::{Successor, successor};

    /// Returns the successor of the first log of `names`, if the logs are written in the order of `names`.
    fn next(names: &[&str]) -> Option<Successor> {
        let folder = tempfile::tempdir().unwrap();
        for (second, name) in (0..).zip(names) {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(second)).unwrap();
        }
        let name = |path: std::path::PathBuf| path.file_name().unwrap().into();
        Some(match successor(&folder.path().join(names[0]))? {
            Successor::Next(path) => Successor::Next(name(path)),
            Successor::Unclear(path) => Successor::Unclear(name(path)),
        })
    }

    #[test]
    fn dates_and_days_show_the_next_log() {
        for (names, expected) in [
            (
                &["pg-20261125_143408.csv", "pg-20261125_143408.log", "pg-20261125_143726.csv"][..],
                "pg-20261125_143726.csv",
            ),
            (&["p-2026-11-25.log", "p-2026-11-26.log", "p-2026-11-27.log"], "p-2026-11-26.log"),
            (&["postgresql-Tue.log", "postgresql-Wed.log"], "postgresql-Wed.log"),
            (&["pg.1795612345", "pg.1795612999"], "pg.1795612999"),
        ] {
            assert_eq!(next(names), Some(Successor::Next(expected.into())), "{names:?}");
        }
        let servers = ["postgresql-15-main.log", "postgresql-16-main.log"];
        assert_eq!(next(&servers), Some(Successor::Unclear(servers[1].into())));
        for names in [
            &["p-2026-11-26.log"][..],
            &["p-2026-11-26.log", "p-2026-11-25.log"],
            &["p-2026-11-26.log", "p-2026-11-27.log.gz"],
            &["postgresql.log", "postgresql.log.1", "other.log"],
        ] {
            assert_eq!(next(names), None, "{names:?}");
        }
    }
}
