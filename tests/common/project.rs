//! Files of the project.

use std::path::Path;

/// Returns the path of a file of the project, as an argument for commands.
pub fn project_file(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path).to_string_lossy().into_owned()
}
