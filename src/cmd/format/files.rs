//! Finds the scripts in a folder, and replaces a file by formatted SQL.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ignore::WalkBuilder;

use crate::run::input::has_extension;

/// File name extensions of scripts.
const EXTENSIONS: [&str; 3] = ["sql", "psql", "pgsql"];

/// Returns a file itself, or the sorted scripts in a folder. Skips hidden files and files that .gitignore excludes.
/// Passes each folder that cannot be read to `unreadable`.
///
/// # Errors
/// `path` does not exist.
pub fn scripts(path: &Path, no_ignore: bool, mut unreadable: impl FnMut(ignore::Error)) -> Result<Vec<PathBuf>> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut walk = WalkBuilder::new(path);
    walk.require_git(false).sort_by_file_name(Ord::cmp);
    if no_ignore {
        walk.ignore(false).git_ignore(false).git_global(false).git_exclude(false).parents(false);
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
    Ok(scripts)
}

/// Replaces a file atomically. Keeps its mode and owner. If `path` is a link, replaces the link's target.
///
/// # Errors
/// The file cannot be written, or its owner cannot be kept.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let path = fs::canonicalize(path)?;
    let folder = path.parent().context("has no folder")?;
    let before = fs::metadata(&path)?;
    let mut temporary = tempfile::Builder::new().prefix(".pgq-").tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    keep_owner(temporary.as_file(), &before).context("its owner cannot be kept")?;
    temporary.as_file().set_permissions(before.permissions())?;
    temporary.persist(&path)?;
    Ok(())
}

#[cfg(unix)]
fn keep_owner(file: &File, before: &fs::Metadata) -> std::io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let now = file.metadata()?;
    if (now.uid(), now.gid()) == (before.uid(), before.gid()) {
        return Ok(());
    }
    fchown(file, Some(before.uid()), Some(before.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) -> std::io::Result<()> {
    Ok(())
}
