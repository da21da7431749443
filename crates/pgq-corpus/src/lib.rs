//! The SQL statements for tests and benchmarks.
//!
//! The statements form three sets: PostgreSQL's regression SQL, libpg_query's deparse tests, and the project's own
//! fixtures. The first two sets are from the package that build/pins.rs pins. Every run processes the same statements
//! in the same order. [`grammar`] generates further statements.
//!
//! Only tests and benchmarks depend on this crate. Therefore it panics if the corpus is unavailable, with a message
//! that explains how to fetch the corpus. The crate does not parse the statements, so its users must determine which
//! statements are valid.
#![forbid(unsafe_code)]

pub mod grammar;
mod pinned;
#[path = "../../../build/pins.rs"]
#[allow(dead_code)]
mod pins;
mod script;

use std::path::{Path, PathBuf};

pub use pinned::sql_folder;
pub use script::{ScriptStatement, script_statements};
use walkdir::WalkDir;

/// File extensions of SQL scripts.
const EXTENSIONS: [&str; 2] = ["sql", "psql"];

/// The statements of one directory.
#[derive(Debug, Clone)]
pub struct Set {
    /// The set's name in reports, such as `regression`.
    pub name: &'static str,
    /// The statements without semicolons.
    pub statements: Vec<String>,
}

/// Returns all sets.
///
/// # Panics
/// Panics if the pinned package cannot be fetched, or if a set is empty.
#[must_use]
pub fn sets() -> Vec<Set> {
    let pinned = pinned::sql_folder();
    [
        ("regression", pinned.join("postgres_regress")),
        ("plpgsql regression", pinned.join("plpgsql_regress")),
        ("deparse", pinned.join("deparse")),
        ("depesz", pinned.join("deparse-depesz")),
        ("fixtures", project_path("fixtures")),
    ]
    .into_iter()
    .map(|(name, folder)| {
        let statements: Vec<String> = files(&folder).iter().flat_map(|file| statements(file)).collect();
        assert!(!statements.is_empty(), "the set {name:?} is empty: {}", folder.display());
        Set { name, statements }
    })
    .collect()
}

/// Returns the statements of all sets, in the order of the sets.
///
/// # Panics
/// Same as for [`sets`].
#[must_use]
pub fn all_statements() -> Vec<String> {
    sets().into_iter().flat_map(|set| set.statements).collect()
}

/// Returns the statements of a file, without their semicolons. Omits COPY data, and meta-commands between statements.
/// Also omits a statement with a meta-command inside, because such a statement is complete only after psql has
/// processed the meta-command.
///
/// Replaces invalid UTF-8 with U+FFFD, because the parser accepts only UTF-8 and the regression SQL is not always valid
/// UTF-8.
///
/// # Panics
/// Panics if the file cannot be read.
#[must_use]
pub fn statements(file: &Path) -> Vec<String> {
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    script_statements(&String::from_utf8_lossy(&bytes))
        .into_iter()
        .filter(|statement| !statement.has_meta_command)
        .map(|statement| statement.sql.strip_suffix(';').unwrap_or(&statement.sql).trim().to_string())
        .collect()
}

/// Returns the absolute path of a file in the project, such as `fixtures/log/log.csv`.
#[must_use]
pub fn project_path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(relative)
}

/// Returns the SQL files of a directory and its subdirectories, sorted by path.
fn files(folder: &Path) -> Vec<PathBuf> {
    let is_sql = |path: &Path| path.extension().is_some_and(|e| EXTENSIONS.iter().any(|sql| e == *sql));
    let entries = WalkDir::new(folder).into_iter().map(|entry| entry.unwrap_or_else(|error| panic!("{error}")));
    let mut files: Vec<PathBuf> =
        entries.filter(|entry| entry.file_type().is_file()).map(|e| e.into_path()).filter(|p| is_sql(p)).collect();
    files.sort();
    files
}
