//! The packages of this workspace, with their versions and directories from Cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

pub struct Package {
    pub name: String,
    pub version: String,
    pub folder: PathBuf,
}

pub struct Packages {
    list: Vec<Package>,
    /// Cargo's target directory.
    pub target: PathBuf,
}

impl Packages {
    /// Returns the packages of the manifest in `folder`, with all features and for all targets.
    pub fn read(folder: &Path) -> Result<Self> {
        let output = Command::new("cargo")
            .args(["metadata", "--format-version", "1", "--all-features"])
            .current_dir(folder)
            .output()
            .context("cargo metadata")?;
        ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
        let metadata: Value = serde_json::from_slice(&output.stdout)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let packages = metadata["packages"].as_array().context("no packages")?.iter();
        let list = packages
            .map(|package| {
                let manifest = PathBuf::from(text(&package["manifest_path"]));
                let folder = manifest.parent().map_or_else(PathBuf::new, Path::to_path_buf);
                Package { name: text(&package["name"]), version: text(&package["version"]), folder }
            })
            .collect();
        Ok(Self { list, target: PathBuf::from(text(&metadata["target_directory"])) })
    }

    pub fn find(&self, name: &str) -> Option<&Package> {
        self.list.iter().find(|package| package.name == name)
    }
}
