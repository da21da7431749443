//! Packages that a folder of vendor/ pins. Cargo fetches and verifies them; they are never compiled.

use std::path::PathBuf;

use cargo_metadata::MetadataCommand;

use crate::project_path;

/// The folder of the package that `vendor/{pin}/Cargo.toml` pins.
///
/// # Panics
/// The package cannot be fetched, or is not pinned there.
#[must_use]
pub fn pinned_package(pin: &str, package: &str) -> PathBuf {
    let pin = format!("vendor/{pin}/Cargo.toml");
    let metadata = MetadataCommand::new()
        .manifest_path(project_path(&pin))
        .other_options(["--locked".to_string()])
        .exec()
        .unwrap_or_else(|error| panic!("cargo could not fetch {package}, which {pin} pins: {error}"));
    let package = metadata.packages.iter().find(|candidate| candidate.name.as_str() == package);
    let manifest = &package.unwrap_or_else(|| panic!("{pin} does not pin the package")).manifest_path;
    manifest.parent().expect("a manifest lies in a folder").to_path_buf().into_std_path_buf()
}
