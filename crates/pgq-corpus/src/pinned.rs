//! Finds the corpus package, which build/pins.rs pins, in Cargo's cache. Cargo fetches and verifies the package but
//! never compiles it.

use std::path::PathBuf;

use crate::pins::CORPUS;
use crate::project_path;

/// Returns the directory of the package's SQL files.
///
/// # Panics
/// Panics if the package cannot be found.
pub fn sql_folder() -> PathBuf {
    let project = project_path("").canonicalize().expect("the project's folder exists");
    let package =
        CORPUS.find(&project).unwrap_or_else(|problem| panic!("{problem}\nRun `cargo fetch` with a network."));
    package.join("libpg_query/test/sql")
}
