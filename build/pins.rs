//! The pinned packages, and their locations in Cargo's directories. The build only reads C sources and test data from
//! these packages. It does not compile the packages themselves. This module writes only to `CARGO_HOME`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A package of the registry, with its exact version.
#[derive(Debug, Clone, Copy)]
pub struct Pin {
    pub name: &'static str,
    pub version: &'static str,
}

/// The package with libpg_query's C sources. Cargo.toml specifies the same version.
pub const LIBPG_QUERY: Pin = Pin { name: "pg_query", version: "18.1.0" };

/// The package with the test corpus. Cargo.toml specifies the same version.
#[allow(dead_code, reason = "for tests; the build script includes this file, too")]
pub const CORPUS: Pin = Pin { name: "pg_raw_parse", version: "0.1.0" };

impl Pin {
    /// Returns the package's directory. Searches in this order:
    ///
    /// 1. the directory that contains `package` (for example the directory of a registry), then `package/vendor`
    /// 2. Cargo's unpacked packages
    /// 3. the directory that Cargo reports without network access, first for the built project, then for `package`
    /// 4. the directory of a new download
    ///
    /// # Errors
    /// Returns a message for the user that lists the searched locations.
    pub fn find(&self, package: &Path) -> Result<PathBuf, String> {
        let near = package.parent().into_iter().map(Path::to_path_buf).chain([package.join("vendor")]);
        if let Some(found) = near.clone().chain(registries()).find_map(|folder| self.inside(&folder)) {
            return Ok(found);
        }
        let outer = outer_project().filter(|project| project != package);
        let projects = outer.into_iter().chain([package.to_path_buf()]);
        if let Some(found) = projects.clone().find_map(|project| self.as_cargo_resolves(&project)) {
            return Ok(found);
        }
        let refusal = if offline() {
            "Cargo is offline".to_string()
        } else {
            let folder = projects.clone().next().unwrap_or_else(|| package.to_path_buf());
            match self.download(&folder) {
                Ok(()) => match registries().find_map(|folder| self.inside(&folder)) {
                    Some(found) => return Ok(found),
                    None => "Cargo downloaded it to a place that is not known".to_string(),
                },
                Err(problem) => problem,
            }
        };
        let mut searched: Vec<String> = near.chain(registries()).map(|folder| folder.display().to_string()).collect();
        searched.extend(projects.map(|project| format!("the packages of {}", project.join("Cargo.toml").display())));
        Err(format!(
            "the package {} {} is not on this machine and was not downloaded: {refusal}\n\
             Searched:\n  {}",
            self.name,
            self.version,
            searched.join("\n  ")
        ))
    }

    /// Returns this package's directory inside `folder`. The directory's name may or may not include the version.
    fn inside(&self, folder: &Path) -> Option<PathBuf> {
        let names = [format!("{}-{}", self.name, self.version), self.name.to_string()];
        names.into_iter().map(|name| folder.join(name)).find(|candidate| self.is(candidate))
    }

    /// Returns whether the manifest in the directory has this package name and version.
    fn is(&self, folder: &Path) -> bool {
        let Ok(manifest) = std::fs::read_to_string(folder.join("Cargo.toml")) else { return false };
        let has = |key: &str, value: &str| {
            let line = format!("{key} = \"{value}\"");
            // Read only the lines from `[package]` to the next table. Other tables may contain the same keys.
            manifest
                .lines()
                .skip_while(|l| l.trim() != "[package]")
                .skip(1)
                .take_while(|l| !l.starts_with('['))
                .any(|l| l.trim() == line)
        };
        has("name", self.name) && has("version", self.version)
    }

    /// Asks Cargo, without network access, for the directory of this package as a dependency of `project`.
    fn as_cargo_resolves(&self, project: &Path) -> Option<PathBuf> {
        let output =
            cargo(project).args(["metadata", "--offline", "--locked", "--format-version", "1"]).output().ok()?;
        // Parse this one field by hand, because a JSON parser would be another build dependency.
        let metadata = String::from_utf8(output.stdout).ok()?;
        let manifests = metadata.split(r#""manifest_path":""#).skip(1).filter_map(|rest| rest.split('"').next());
        manifests
            .map(|manifest| PathBuf::from(manifest.replace(r"\\", r"\")))
            .filter_map(|manifest| manifest.parent().map(Path::to_path_buf))
            .find(|folder| self.is(folder))
    }

    /// Makes Cargo download and verify only this package. Uses `cargo info`, which downloads a package to describe it,
    /// because `cargo fetch` would also download the package's dependencies.
    fn download(&self, project: &Path) -> Result<(), String> {
        let spec = format!("{}@{}", self.name, self.version);
        let output = cargo(project).args(["info", "--quiet", "--registry", "crates-io", &spec]).output();
        let output = output.map_err(|e| format!("could not run cargo: {e}"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&output.stderr).trim().to_string())
    }
}

/// Returns a Cargo command that runs in the directory `project`, so Cargo reads this project's configuration.
fn cargo(project: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(project);
    command
}

/// Returns `CARGO_HOME`, where Cargo stores downloads.
pub fn cargo_home() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
}

/// Returns the directories of unpacked packages, one per registry.
pub fn registries() -> impl Iterator<Item = PathBuf> {
    let entries = cargo_home().and_then(|home| std::fs::read_dir(home.join("registry/src")).ok());
    entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

/// Returns the directory of the project that is being built. Searches for Cargo.toml in Cargo's working directory and
/// its parents or, if the working directory is unknown, in the parents of OUT_DIR.
fn outer_project() -> Option<PathBuf> {
    let started_in = parent_process().and_then(|parent| std::fs::read_link(parent.join("cwd")).ok());
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from);
    let start = started_in.or(out)?;
    start.ancestors().find(|folder| folder.join("Cargo.toml").is_file()).map(Path::to_path_buf)
}

/// Returns whether the user told Cargo not to use the network. Cargo does not pass its options `--offline` and
/// `--frozen` to a build script. Therefore this function reads them from the command line of its parent process, which
/// is Cargo. A setting in a configuration file needs no check, because the Cargo process that the script starts reads
/// the same files.
fn offline() -> bool {
    let by_environment = std::env::var("CARGO_NET_OFFLINE").is_ok_and(|value| value == "true");
    let arguments = parent_process().and_then(|parent| std::fs::read(parent.join("cmdline")).ok()).unwrap_or_default();
    by_environment || arguments.split(|byte| *byte == 0).any(|a| a == b"--offline" || a == b"--frozen")
}

/// Returns the directory of the parent process in Linux's /proc. The parent of a build script is Cargo.
#[cfg(unix)]
fn parent_process() -> Option<PathBuf> {
    let folder = PathBuf::from(format!("/proc/{}", std::os::unix::process::parent_id()));
    folder.is_dir().then_some(folder)
}

#[cfg(not(unix))]
fn parent_process() -> Option<PathBuf> {
    None
}
