//! Names of files for messages and records.

use std::path::Path;

use pgq_digest::name_text;

/// Returns the name of a file. Bytes that are not UTF-8 are escaped, because different files must have different names.
pub fn path_name(path: &Path) -> String {
    name_text(path.as_os_str().as_encoded_bytes()).into_owned()
}
