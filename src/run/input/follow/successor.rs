//! Finds the log that follows another one in a folder, if the server names its logs by time (`log_filename`).

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The newer logs in a folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Newer {
    /// The next log of the same server.
    pub next: Option<PathBuf>,
    /// A log that may be of another server, or of an earlier time: its name differs in numbers that are not a
    /// recognized date, or has an earlier date.
    pub unclear: Option<PathBuf>,
}

/// Returns the logs that are newer than the log at `path`. Logs belong together if their names differ only within their
/// date. If several logs are newer, returns the oldest ones. Excludes files for which `is_excluded` is true.
pub fn newer(path: &Path, is_excluded: impl Fn(&Path) -> bool) -> Newer {
    let name = path.file_name().and_then(|name| name.to_str());
    let (Some(name), Some(written)) = (name, modified(path)) else { return Newer::default() };
    let date = date(name);
    let around = |name: &str, date: Range<usize>| (name[..date.start].to_string(), name[date.end..].to_string());
    let newer = like(path).into_iter().filter_map(|other| {
        let other_path = path.with_file_name(&other);
        let time = modified(&other_path).filter(|time| *time > written && !is_excluded(&other_path))?;
        Some((time, other))
    });
    let (mut next, mut unclear) = (Vec::new(), Vec::new());
    for (time, other) in newer {
        match (date.clone(), self::date(&other)) {
            (Some(date), Some(other_date)) if around(name, date.clone()) != around(&other, other_date.clone()) => {}
            // A later modification time alone does not prove that a log is newer, because an older log may have been
            // modified later. If the names contain the year, they sort by time, so the name of a newer log must also
            // be greater. Where clocks are set back, the name of a newer log is smaller.
            (Some(_), Some(_)) if !sorts_by_time(name) || other.as_str() > name => next.push((time, other)),
            _ => unclear.push((time, other)),
        }
    }
    let oldest = |logs: Vec<(SystemTime, String)>| logs.into_iter().min().map(|(_, name)| path.with_file_name(name));
    Newer { next: oldest(next), unclear: oldest(unclear) }
}

/// Returns the names of the other files in the folder whose names differ only in numbers and in names of days and
/// months.
pub fn like(path: &Path) -> Vec<String> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let pattern = pattern(name);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|other| other != name && self::pattern(other) == pattern).collect()
}

/// Whether a file name contains the year, so that later logs have greater names.
pub fn sorts_by_time(name: &str) -> bool {
    year(name).is_some()
}

fn modified(path: &Path) -> Option<SystemTime> {
    let metadata = std::fs::metadata(path).ok()?;
    metadata.modified().ok().filter(|_| metadata.is_file())
}

/// The text that replaces the name of a day or a month in the result of [`pattern`].
const DAY: &str = "\u{1}";

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

/// Divides a file name into numbers, words of letters, and single other characters.
fn words(name: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &name[at..];
        let first = rest.chars().next()?;
        let is_same = |c: char| if first.is_ascii_digit() { c.is_ascii_digit() } else { c.is_alphabetic() };
        let len = rest.find(|c: char| !is_same(c)).unwrap_or(rest.len()).max(first.len_utf8());
        at += len;
        Some(at - len..at)
    })
}

/// Replaces each number in a file name by `0`, and each name of a day or month by [`DAY`].
fn pattern(name: &str) -> String {
    let replaced = words(name).map(|word| match &name[word] {
        word if word.starts_with(|c: char| c.is_ascii_digit()) => "0",
        word if DAYS.iter().any(|day| day.eq_ignore_ascii_case(word)) => DAY,
        word => word,
    });
    replaced.collect()
}

/// Returns the range of the date in a file name: from the year, or from the first name of a day or month, up to the next
/// letter that is not part of such a name. The numbers before it are of the server, as in `postgresql-16-main-Tue.log`.
fn date(name: &str) -> Option<Range<usize>> {
    let words: Vec<Range<usize>> = words(name).collect();
    let is_day = |word: &Range<usize>| DAYS.iter().any(|day| day.eq_ignore_ascii_case(&name[word.clone()]));
    let start = year(name).or_else(|| words.iter().find(|word| is_day(word)).map(|word| word.start))?;
    // `T` is between a date and a time.
    let is_other = |word: &Range<usize>| {
        let text = &name[word.clone()];
        word.start >= start && text.starts_with(char::is_alphabetic) && !is_day(word) && text != "T"
    };
    let end = words.iter().find(|word| is_other(word)).map_or(name.len(), |word| word.start);
    Some(start..start + name[start..end].trim_end_matches(|c: char| !c.is_alphanumeric()).len())
}

/// Returns the position of a year with a month, such as `2026-01`, or of a number of seconds since 1970.
fn year(name: &str) -> Option<usize> {
    let bytes = name.as_bytes();
    let is_number = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_digit);
    let is_year = |at: &usize| {
        let (year, month) = (&bytes[*at..at + 4], &bytes[at + 4..]);
        let month = month.strip_prefix(b"-").or(month.strip_prefix(b"_")).or(month.strip_prefix(b".")).unwrap_or(month);
        year.starts_with(b"20") && is_number(year) && month.len() >= 2 && is_number(&month[..2])
    };
    let is_epoch = |word: &Range<usize>| {
        let digits = &bytes[word.clone()];
        digits.len() == 10 && digits[0] == b'1' && is_number(digits)
    };
    let year = (0..bytes.len().saturating_sub(3)).find(is_year);
    year.or_else(|| words(name).find(is_epoch).map(|word| word.start))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::newer;

    /// Returns the names of the next and of the unclear log after the first log of `names`, if the logs are written in
    /// the order of `names`.
    fn after(names: &[&str]) -> [Option<String>; 2] {
        let folder = tempfile::tempdir().unwrap();
        for (second, name) in (0..).zip(names) {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(second)).unwrap();
        }
        let newer = newer(&folder.path().join(names[0]), |path| path.ends_with("p-2026-11-29.csv"));
        [newer.next, newer.unclear].map(|path| path.map(|path| path.file_name().unwrap().to_str().unwrap().into()))
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
            (&["pg-16-main-Tue.log", "pg-15-main-Wed.log", "pg-16-main-Wed.log"], "pg-16-main-Wed.log"),
            (&["db1-2026-11-30T2359.log", "db2-2026-12-01.log", "db1-2026-12-01T0000.log"], "db1-2026-12-01T0000.log"),
            (&["p-2026-11-28.csv", "p-2026-11-29.csv", "p-2026-11-30.csv"], "p-2026-11-30.csv"), // one is an output
        ] {
            assert_eq!(after(names), [Some(expected.to_string()), None], "{names:?}");
        }
        let unclear = |name: &str| Some(name.to_string());
        let servers = ["postgresql-15-main.log", "postgresql-16-main.log"];
        assert_eq!(after(&servers), [None, unclear(servers[1])]);
        // Clocks were set back.
        let logs = ["p-2026-10-25_0230.log", "p-2026-10-25_0205.log", "p-2026-10-25_0300.log"];
        assert_eq!(after(&logs), [unclear(logs[2]), unclear(logs[1])]);
        for names in [
            &["p-2026-11-26.log"][..],
            &["p-2026-11-26.log", "p-2026-11-27.log.gz"],
            &["postgresql.log", "postgresql.log.1", "other.log"],
            &["db1-2026-11-26.log", "db2-2026-11-26.log", "db2-2026-11-27.log"],
            &["2026-11-26-node7.log", "2026-11-27-node8.log"],
            &["10.0.0.1-Mon.log", "10.0.0.2-Tue.log"],
        ] {
            assert_eq!(after(names), [None, None], "{names:?}");
        }
    }
}
