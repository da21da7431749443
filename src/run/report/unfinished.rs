//! The output file that is not complete, for the ways in which the program ends early.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Names the file that is being written; `None` when it is complete.
pub fn set(path: Option<PathBuf>) {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = path;
}

/// Removes the file: the program is about to end.
pub fn remove() {
    if let Some(path) = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = std::fs::remove_file(path);
    }
}
