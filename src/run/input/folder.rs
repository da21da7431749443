//! Finds the scripts, logs and tables in a folder by their names and first bytes.

use std::collections::HashMap;
use std::io::ErrorKind::NotFound;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pgq_log::{detect_format, is_known_name, starts_as_log, without_compression};
use walkdir::{DirEntry, WalkDir};

use super::compressed::Decompressed;
use super::name::path_name;
use super::outputs::is_incomplete_output;
use super::regular_file::open_regular;
use super::rotation::rotation;
use super::table::is_table;

/// Files in a folder and its subfolders.
pub struct FolderFiles {
    /// The wanted files, sorted by path. Numbered logs are sorted by [`rotation`], from the oldest to the newest.
    pub files: Vec<PathBuf>,
    /// Skipped files: pipes, devices, and files that are neither scripts nor logs.
    pub skipped: Vec<PathBuf>,
    /// Folders and files that cannot be read, each with its error.
    pub unreadable: Vec<(PathBuf, io::Error)>,
}

/// Returns all wanted files below a folder. A file is wanted if `is_wanted` returns true for its path and its file
/// name. Includes hidden files, and links to files outside of the folder. Does not follow links to folders, and ignores
/// incomplete outputs of this program.
///
/// # Errors
/// The folder itself cannot be read.
pub fn files_below(folder: &Path, is_wanted: impl Fn(&Path, &str) -> bool) -> io::Result<FolderFiles> {
    let mut below = FolderFiles { files: Vec::new(), skipped: Vec::new(), unreadable: Vec::new() };
    for entry in WalkDir::new(folder).sort_by(|a, b| {
        let [a, b] = [a, b].map(|entry| path_name(Path::new(entry.file_name())));
        rotation(&a).cmp(&rotation(&b))
    }) {
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
        let name = entry.file_name().to_string_lossy().into_owned();
        match is_file(folder, &entry) {
            Ok(None) => {}
            Ok(Some(true)) if is_incomplete_output(&name) => {}
            Ok(Some(true)) if is_wanted(entry.path(), &name) => below.files.push(entry.into_path()),
            // Emacs marks a locked file with the link `.#name`, which has no target. Such a link is skipped, and not
            // reported as unreadable.
            Err(problem) if !name.starts_with(".#") && (is_known_name(&name) || problem.kind() != NotFound) => {
                below.unreadable.push((entry.into_path(), problem));
            }
            Ok(Some(_)) | Err(_) => below.skipped.push(entry.into_path()),
        }
    }
    Ok(below)
}

/// Returns true for a regular file, and for a link to a file outside of `folder`. Also returns true for a link to a
/// folder outside of `folder`: pgq then tries to read the link as a file, and a notice names it. Returns false for
/// pipes, sockets and devices. Returns `None` for a folder, and for a link to a target in `folder`, because this target
/// has its own entry.
fn is_file(folder: &Path, entry: &DirEntry) -> io::Result<Option<bool>> {
    if !entry.path_is_symlink() {
        return Ok((!entry.file_type().is_dir()).then(|| entry.file_type().is_file()));
    }
    let target = entry.path().canonicalize()?;
    let is_outside = !target.starts_with(folder.canonicalize()?);
    Ok(is_outside.then(|| target.is_file() || target.is_dir()))
}

/// Lists the scripts and logs in a folder and its subfolders. If there are no such files, lists the tables (such as CSV
/// or Parquet) that have a column of SQL. The column's name is `column` or, without this argument, a usual name such as
/// `query`.
///
/// # Errors
/// The folder cannot be read, contains no input, or contains the same log in two formats.
pub fn inputs_below(folder: &Path, column: Option<&str>) -> io::Result<FolderFiles> {
    let below = files_below(folder, |path, name| {
        match start_of(path) {
            _ if is_known_name(name) => !is_other_data(path),
            Ok(start) => starts_as_log(&start),
            // An unreadable file may be a log. Such a file is listed, so that the user sees the error.
            Err(_) => true,
        }
    })?;
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
    let mut copies = HashMap::new();
    for file in &below.files {
        let name = path_name(file);
        let plain = Path::new(without_compression(&name));
        let key = if has_extension(plain, &LOGS) { plain.with_extension("") } else { plain.to_path_buf() };
        if let Some(other) = copies.insert(key, file) {
            let problem = format!(
                "has {} and {}, which look like one file in two formats: name the files",
                path_name(Path::new(other.file_name().unwrap_or_default())),
                path_name(Path::new(file.file_name().unwrap_or_default()))
            );
            return Err(io::Error::other(problem));
        }
    }
    Ok(below)
}

/// File name extensions of logs.
const LOGS: [&str; 3] = ["log", "csv", "json"];

/// File name extensions of tables.
const TABLES: [&str; 8] = ["csv", "tsv", "json", "jsonl", "ndjson", "parquet", "arrow", "arrows"];

/// Whether a file name has one of these extensions, in upper or lower case.
pub fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|found| extensions.iter().any(|one| found.eq_ignore_ascii_case(one)))
}

/// Whether a file is CSV or JSON but not a server's log.
fn is_other_data(path: &Path) -> bool {
    has_extension(path, &["csv", "json"]) && start_of(path).is_ok_and(|start| detect_format("-", &start).is_none())
}

/// Number of bytes at the start of a file from which its format is detected. The first row of a jsonlog can be long:
/// for example, the name of the user may have 10,000 bytes, and JSON may write each of them as six bytes (`\u0001`).
const START: u64 = 64 << 10;

/// Reads the first bytes of a file, which may be compressed. Returns the bytes before an error of reading, if there are
/// any: reading the file will report the error.
fn start_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    let read = Decompressed::new(Box::new(open_regular(path)?)).take(START).read_to_end(&mut start);
    if start.is_empty() {
        read?;
    }
    Ok(start)
}
