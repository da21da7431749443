//! Finds the scripts, logs and tables in a folder by file name.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pgq_log::{detect_format, is_known_name};
use walkdir::WalkDir;

use super::table::is_table;

/// Files in a folder and its subfolders.
pub struct FolderFiles {
    /// Sorted by path.
    pub files: Vec<PathBuf>,
    /// Number of skipped files. Their names are not names of scripts or logs.
    pub skipped: usize,
    /// Folders and files that cannot be read, each with its error.
    pub unreadable: Vec<(PathBuf, io::Error)>,
}

/// Returns all files below a folder for which `is_wanted` returns true. Includes hidden files. `is_wanted` receives the
/// path and the file name.
///
/// # Errors
/// The folder itself cannot be read.
pub fn files_below(folder: &Path, is_wanted: impl Fn(&Path, &str) -> bool) -> io::Result<FolderFiles> {
    let mut below = FolderFiles { files: Vec::new(), skipped: 0, unreadable: Vec::new() };
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if error.depth() == 0 => return Err(error.into()),
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_path_buf();
                let why = match error.io_error().map(io::Error::kind) {
                    Some(kind) => kind.into(),
                    None => io::Error::from(error),
                };
                below.unreadable.push((path, why));
                continue;
            }
        };
        match entry.file_type().is_file() {
            true if is_wanted(entry.path(), &entry.file_name().to_string_lossy()) => {
                below.files.push(entry.into_path())
            }
            true => below.skipped += 1,
            false => {}
        }
    }
    Ok(below)
}

/// Lists the scripts and logs in a folder and its subfolders. If there are none, lists the tables instead. The SQL
/// column of a table is `column` or has a recognized name.
///
/// # Errors
/// The folder cannot be read, has none of these files, or has the same log in two formats.
pub fn inputs_below(folder: &Path, column: Option<&str>) -> io::Result<FolderFiles> {
    let below = files_below(folder, |path, name| is_known_name(name) && !is_other_data(path))?;
    if below.files.is_empty() && below.unreadable.is_empty() {
        let tables = files_below(folder, |path, name| {
            has_extension(path, &TABLES) && is_table(name, &start_of(path).unwrap_or_default(), column)
        })?;
        if tables.files.is_empty() {
            let problem = "has no script (.sql), no log (.log, .csv, .json) and no table with a column of SQL (.csv, .tsv, \
                           .jsonl, .parquet, .arrow): name the files";
            return Err(io::Error::new(io::ErrorKind::NotFound, problem));
        }
        return Ok(tables);
    }
    let is_log = |file: &Path| !has_extension(file, &["sql"]);
    for (one, other) in below.files.iter().zip(below.files.iter().skip(1)) {
        if is_log(one) && is_log(other) && one.with_extension("") == other.with_extension("") {
            let problem = format!(
                "has {} and {}, which look like one log in two formats: name the files",
                one.file_name().unwrap_or_default().display(),
                other.file_name().unwrap_or_default().display()
            );
            return Err(io::Error::other(problem));
        }
    }
    Ok(below)
}

/// File name extensions of tables.
const TABLES: [&str; 8] = ["csv", "tsv", "json", "jsonl", "ndjson", "parquet", "arrow", "arrows"];

/// Whether a file name has one of these extensions, in any case.
pub fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|found| extensions.iter().any(|one| found.eq_ignore_ascii_case(one)))
}

/// Whether a CSV or JSON file is not a server's log.
fn is_other_data(path: &Path) -> bool {
    has_extension(path, &["csv", "json"]) && start_of(path).is_ok_and(|start| detect_format("-", &start).is_none())
}

/// Reads the first bytes of a file.
fn start_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut start)?;
    Ok(start)
}
