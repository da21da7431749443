//! The incomplete output files, which have temporary names. If the program ends early, it removes them. If the program
//! is killed, the next run removes them.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Result, bail};
use tempfile::{PathPersistError, TempPath};

use crate::run::input::{INCOMPLETE_NAME, INCOMPLETE_RANDOM, is_incomplete_output, open_regular};

/// Locked while a file is created or gets its final name, so that a signal finds each incomplete file in the list.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Maximum number of temporary files that [`create`] tries to lock.
const MAX_ATTEMPTS: usize = 16;

/// Creates an incomplete file under a temporary name and locks it. The lock shows that the run still exists, because
/// the system releases the locks of a killed run. If `is_private` is true, other users cannot open the file.
///
/// # Errors
/// The file cannot be created or locked.
pub fn create(folder: &Path, is_private: bool) -> Result<(File, TempPath)> {
    for _ in 0..MAX_ATTEMPTS {
        let mut builder = tempfile::Builder::new();
        builder.prefix(INCOMPLETE_NAME.0).rand_bytes(INCOMPLETE_RANDOM).suffix(INCOMPLETE_NAME.1);
        #[cfg(unix)]
        if !is_private {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // the umask of the process still applies
        }
        let mut unfinished = unfinished();
        let (file, temporary) = builder.tempfile_in(folder)?.into_parts();
        // Until the new file is locked, it looks like the file of a killed run. Therefore another run may lock or
        // remove it first. In this case, the next attempt creates another file. This run does not wait for the lock,
        // because another user may hold it forever.
        match file.try_lock() {
            Ok(()) if temporary.exists() => {
                unfinished.push(temporary.to_path_buf());
                return Ok((file, temporary));
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
        }
    }
    bail!("another program locks each temporary file in its folder")
}

/// Folders from which the incomplete files of killed runs were already removed.
static CLEAN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes incomplete files of runs that were killed. Searches each folder at most once in a run. Does nothing if the
/// folder cannot be read.
pub fn remove_left_behind(folder: &Path) {
    if !CLEAN.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_path_buf()) {
        return;
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_ours = is_incomplete_output(&entry.file_name().to_string_lossy());
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // Skips files that cannot be opened, such as those of other users.
            let Ok(file) = open_regular(&entry.path()) else { continue };
            if file.try_lock().is_ok() {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// Gives a complete file its final name.
///
/// # Errors
/// The file cannot be renamed. It is removed.
pub fn persist(temporary: TempPath, path: &Path) -> Result<(), PathPersistError> {
    let mut unfinished = unfinished();
    unfinished.retain(|known| *known != *temporary);
    temporary.persist(path)
}

/// Deletes all incomplete files. Called before the program ends: no file can be created or completed afterwards.
pub fn remove() {
    let unfinished = unfinished();
    for path in unfinished.iter() {
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(unfinished);
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn a_private_file_is_private_from_its_creation() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (file, _temporary) = super::create(folder.path(), true).unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}
