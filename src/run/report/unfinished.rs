//! The incomplete output files. If the program ends early, they are removed.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Adds an incomplete file.
pub fn add(path: &Path) {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_path_buf());
}

/// Removes a file from the list of incomplete files, because it is complete.
pub fn forget(path: &Path) {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| known != path);
}

/// Deletes all incomplete files. Called before the program ends.
pub fn remove() {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = std::fs::remove_file(path);
    }
}
