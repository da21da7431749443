//! Finds the next log in a folder, if the server names its logs by time (`log_filename`), or if log rotation renames
//! them.

use std::fs::Metadata;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use pgq_log::without_compression;

use super::super::outputs::folder_of;
use super::super::rotation::rotation;
use super::date::{date, pattern};

/// The newer logs in a folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Newer {
    /// The next log of the same server.
    pub next: Option<PathBuf>,
    /// Logs with a later modification time that may be the wrong ones. If a number that is not part of the date differs
    /// (`postgresql-17-2026-11-26.log` after `postgresql-16-2026-11-25.log`), the log may be from another server. If
    /// the date is earlier, the log may be older.
    pub unclear: Vec<PathBuf>,
}

/// Returns the logs that are newer than the followed log. Logs belong together if their names differ only in the date.
/// Excludes files for which `is_excluded` returns true.
///
/// `path` is the path from which the followed log was opened. The log may have been moved to another path after that.
/// `written` is the modification time of the followed log.
///
/// # Errors
/// The folder of the log cannot be listed.
pub fn newer(path: &Path, written: SystemTime, is_excluded: impl Fn(&Path) -> bool) -> io::Result<Newer> {
    let name = name(path);
    let date = date(&name);
    // A later modification time alone does not prove that a log is newer, because a program may have modified an older
    // log. Therefore, if the names sort by time, the next log has a greater name, whatever its modification time. If the
    // clock was set back, a newer log has a smaller name. Such a log is listed in `unclear`, and is not read.
    let is_next = |other: &Path| {
        let other = self::name(other);
        let (Some(date), Some(other_date)) = (&date, self::date(&other)) else { return false };
        around(&name, &date.range) == around(&other, &other_date.range) && (!date.sorts || *other > *name)
    };
    let sorts = date.as_ref().is_some_and(|date| date.sorts);
    let key = |other: &Path| match modified(other)? {
        _ if sorts && is_next(other) => Some(written),
        time => Some(time).filter(|time| *time > written),
    };
    let others = like(path)?.into_iter().filter(|other| !is_excluded(other));
    let mut newer: Vec<(SystemTime, PathBuf)> = others.filter_map(|other| Some((key(&other)?, other))).collect();
    newer.sort();
    let (next, unclear): (Vec<_>, Vec<_>) = newer.into_iter().map(|(_, path)| path).partition(|path| is_next(path));
    Ok(Newer { next: next.into_iter().next(), unclear })
}

/// Returns the logs that had the name `path` after the log `open`, and were then renamed (`x.log.1`, `x.log-20260131`),
/// from the oldest to the newest. Excludes empty logs.
pub fn renamed(path: &Path, open: &Metadata) -> Vec<PathBuf> {
    let Ok(written) = open.modified() else { return Vec::new() };
    let with_metadata = |other: PathBuf| Some((std::fs::metadata(&other).ok()?, other));
    let others: Vec<(Metadata, PathBuf)> =
        others(path).unwrap_or_default().into_iter().filter_map(with_metadata).collect();
    let is_open = |(metadata, _): &&(Metadata, PathBuf)| same_file(metadata, open);
    let new_name = others.iter().find(is_open).map(|(_, other)| pattern(&name(other)));
    let log = name(path);
    let is_renamed =
        |name: &str| rotation(name).0 == log || new_name.as_ref() == Some(&pattern(without_compression(name)));
    let files = others.into_iter().filter(|(metadata, _)| metadata.is_file() && metadata.len() > 0);
    let mut renamed: Vec<(SystemTime, PathBuf)> = files
        .filter(|(_, other)| is_renamed(&name(other)))
        .filter_map(|(metadata, other)| Some((metadata.modified().ok().filter(|time| *time > written)?, other)))
        .collect();
    renamed.sort();
    renamed.into_iter().map(|(_, path)| path).collect()
}

/// Returns the files that are in the same folder as `path`, and whose names differ from the name of `path` only in
/// numbers and in names of days and months.
///
/// # Errors
/// The folder cannot be listed.
pub fn like(path: &Path) -> io::Result<Vec<PathBuf>> {
    let pattern = pattern(&name(path));
    Ok(others(path)?.into_iter().filter(|other| self::pattern(&name(other)) == pattern).collect())
}

/// Returns the other files in the folder of `path`.
fn others(path: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder_of(path)).map_err(|error| {
        let problem = format!("its folder cannot be listed, so later logs cannot be found: {error}");
        io::Error::new(error.kind(), problem)
    })?;
    let files = entries.flatten().map(|entry| path.with_file_name(entry.file_name()));
    Ok(files.filter(|other| other.file_name() != path.file_name()).collect())
}

/// Whether [`like`] would return the file `other` if this file existed.
pub fn is_like(path: &Path, other: &Path) -> bool {
    let [folder, other_folder] = [path, other].map(|path| folder_of(path).canonicalize().ok());
    let is_in_folder = folder.is_some() && folder == other_folder;
    is_in_folder && path.file_name() != other.file_name() && pattern(&name(path)) == pattern(&name(other))
}

/// Whether the name contains a date that sorts by time. If so, the server uses each name only once, and later logs have
/// greater names.
pub fn sorts_by_time(path: &Path) -> bool {
    date(&name(path)).is_some_and(|date| date.sorts)
}

/// Returns the file name. Replaces each byte that is not UTF-8 with the byte's own private-use character, so that
/// different file names stay different.
fn name(path: &Path) -> String {
    let invalid = |byte: &u8| char::from_u32(0xe000 + u32::from(*byte)).expect("a character for private use");
    let chunks = path.file_name().unwrap_or_default().as_encoded_bytes().utf8_chunks();
    chunks.flat_map(|chunk| chunk.valid().chars().chain(chunk.invalid().iter().map(invalid))).collect()
}

fn around<'a>(name: &'a str, date: &Range<usize>) -> (&'a str, &'a str) {
    (&name[..date.start], &name[date.end..])
}

fn modified(path: &Path) -> Option<SystemTime> {
    let metadata = std::fs::metadata(path).ok()?;
    metadata.modified().ok().filter(|_| metadata.is_file())
}

/// Returns whether two files are the same file.
#[cfg(unix)]
pub fn same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Always returns true, because systems other than Unix do not allow a program to replace an open file.
#[cfg(not(unix))]
pub fn same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Whether a file has no name any more. A copy with the same name has replaced it, or log rotation has removed it.
#[cfg(unix)]
pub fn is_removed(file: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(file) == 0
}

#[cfg(not(unix))]
pub fn is_removed(_: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::newer;

    /// Creates logs with these names, in the order of their modification times. Returns the name of the log that
    /// follows the first one, and the name of the first unclear log.
    fn after(names: &[&str]) -> [Option<String>; 2] {
        let folder = tempfile::tempdir().unwrap();
        for (second, name) in (0..).zip(names) {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(second)).unwrap();
        }
        let newer =
            newer(&folder.path().join(names[0]), UNIX_EPOCH, |path| path.ends_with("p-2026-11-29.csv")).unwrap();
        [newer.next, newer.unclear.into_iter().next()].map(|path| path.map(|path| super::name(&path)))
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
            (&["p-2026-Nov-30.log", "p-2026-Dec-01.log"], "p-2026-Dec-01.log"),
            (&["p-2026-Dec-31.log", "p-2027-Jan-01.log"], "p-2027-Jan-01.log"),
            (&["p-Nov-30-5432.log", "p-Dec-01-5432.log"], "p-Dec-01-5432.log"),
            (&["p-2026-11-25-5432.log", "p-2026-11-26-5432.log"], "p-2026-11-26-5432.log"),
            (&["p-2026-330.log", "p-2026-331.log"], "p-2026-331.log"),
            (&["p-2026-11-28.csv", "p-2026-11-29.csv", "p-2026-11-30.csv"], "p-2026-11-30.csv"), // one is excluded
        ] {
            assert_eq!(after(names)[0].as_deref(), Some(expected), "{names:?}");
        }
        let unclear = |name: &str| Some(name.to_string());
        let servers = ["postgresql-15-main.log", "postgresql-16-main.log"];
        assert_eq!(after(&servers), [None, unclear(servers[1])]);
        for names in [
            ["db1-2026-11-26.log", "db2-2026-11-27.log"],
            ["2026-11-26-node7.log", "2026-11-27-node8.log"],
            ["10.0.0.1-Mon.log", "10.0.0.2-Tue.log"],
            ["pg-2026-11-25-5432.log", "pg-2026-11-25-5433.log"],
            ["pg-2026-11-25-5432.log", "pg-2026-11-26-5433.log"],
            ["pg-Wed-5432.log", "pg-Thu-5433.log"],
            ["pg-1795564800-1.log", "pg-1795564801-2.log"],
            ["20261125_000000-1.log", "20261126_000000-2.log"],
            ["p-25.11.2026.log", "p-26.11.2026.log"],
        ] {
            assert_eq!(after(&names), [None, unclear(names[1])]);
        }
        // Clocks were set back.
        let logs = ["p-2026-10-25_0230.log", "p-2026-10-25_0205.log", "p-2026-10-25_0300.log"];
        assert_eq!(after(&logs), [unclear(logs[2]), unclear(logs[1])]);
        for names in [
            &["p-2026-11-26.log"][..],
            &["p-2026-11-26.log", "p-2026-11-27.log.gz"],
            &["postgresql.log", "postgresql.log.1", "other.log"],
        ] {
            assert_eq!(after(names), [None, None], "{names:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf8_distinguish_servers() {
        use std::os::unix::ffi::OsStrExt;
        let name = |bytes: &[u8]| super::name(std::path::Path::new(std::ffi::OsStr::from_bytes(bytes)));
        assert_ne!(name(b"\xe9-2026-11-25.log"), name(b"\xe8-2026-11-25.log"));
        assert_eq!(super::pattern(&name(b"\xe92026-11-25.log")), super::pattern(&name(b"\xe92026-11-26.log")));
    }
}
