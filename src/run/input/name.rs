//! Names of files for messages and records.

use std::path::Path;

use pgq_digest::name_text;

/// Returns the name of a file. Escapes bytes that are not UTF-8, so that different names stay different.
pub fn path_name(path: &Path) -> String {
    name_text(path.as_os_str().as_encoded_bytes()).into_owned()
}
