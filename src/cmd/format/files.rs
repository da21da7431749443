//! Finds the scripts in a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use ignore::WalkBuilder;

use super::ignored::Ignored;
use crate::run::input::has_extension;

/// File name extensions of scripts.
const EXTENSIONS: [&str; 3] = ["sql", "psql", "pgsql"];

/// Returns `path` if it is a file. Otherwise, returns the sorted scripts in the folder, without
/// hidden files and without files that git ignores (unless `no_ignore` is true). Calls `unreadable`
/// with the error for each folder or `.gitignore` that cannot be read.
///
/// # Errors
/// `path` does not exist.
pub fn scripts(path: &Path, no_ignore: bool, mut unreadable: impl FnMut(ignore::Error)) -> Result<Vec<PathBuf>> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut walk = WalkBuilder::new(path);
    walk.standard_filters(false).hidden(true).sort_by_file_name(Ord::cmp);
    let ignored = Arc::new(Ignored::new(path));
    if !no_ignore {
        let ignored = Arc::clone(&ignored);
        walk.filter_entry(move |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.depth() == 0 || !ignored.contains(entry.path(), is_folder)
        });
    }
    let mut scripts = Vec::new();
    for entry in walk.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(problem) => {
                unreadable(problem);
                continue;
            }
        };
        if entry.file_type().is_some_and(|kind| kind.is_file()) && has_extension(entry.path(), &EXTENSIONS) {
            scripts.push(entry.into_path());
        }
    }
    ignored.take_unreadable().into_iter().for_each(unreadable);
    Ok(scripts)
}
