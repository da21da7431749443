//! Where libpg_query's C sources are: the folder that `LIBPG_QUERY_DIR` names, or the
//! package that vendor/libpg_query/Cargo.lock pins, which Cargo fetches and verifies.

use std::path::{Path, PathBuf};
use std::process::Command;

const PIN: &str = "vendor/libpg_query/Cargo.toml";
const PACKAGE: &str = "pg_query";

/// The folder that holds `pg_query.h`, or a message that says what to do.
pub fn find() -> Result<PathBuf, String> {
    println!("cargo::rerun-if-env-changed=LIBPG_QUERY_DIR");
    println!("cargo::rerun-if-changed=vendor/libpg_query");
    // Packagers may name the sources instead.
    let dir = match std::env::var_os("LIBPG_QUERY_DIR") {
        Some(dir) => PathBuf::from(dir),
        None => package_dir(PIN, PACKAGE)?.join("libpg_query"),
    };
    if !dir.join("pg_query.h").is_file() {
        return Err(format!(
            "no libpg_query in {}: pg_query.h is missing (set LIBPG_QUERY_DIR to a folder of its sources)",
            dir.display()
        ));
    }
    Ok(dir)
}

/// The PostgreSQL version that pg_query.h names.
pub fn postgres_version(library: &Path) -> String {
    let header = std::fs::read_to_string(library.join("pg_query.h")).expect("pg_query.h is readable");
    let version = header.lines().find_map(|line| line.strip_prefix("#define PG_VERSION \""));
    version.expect("pg_query.h defines PG_VERSION").trim_end_matches('"').to_string()
}

/// Asks Cargo for the folder of `package`, pinned by the manifest `pin` (relative to the
/// project). Cargo fetches and verifies it if need be; it is never compiled.
pub fn package_dir(pin: &str, package: &str) -> Result<PathBuf, String> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let manifest = root.join(pin);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--locked", "--format-version", "1", "--manifest-path"])
        .arg(&manifest)
        .current_dir(manifest.parent().unwrap_or(Path::new(".")))
        .output()
        .map_err(|e| format!("could not run cargo metadata: {e}"))?;
    if !output.status.success() {
        return Err(format!(
            "cargo metadata could not resolve {pin} (is the registry reachable?):\n{}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata printed no JSON: {e}"))?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    packages
        .iter()
        .find(|p| p["name"] == package)
        .and_then(|p| p["manifest_path"].as_str())
        .and_then(|path| Path::new(path).parent())
        .map(Path::to_path_buf)
        .ok_or_else(|| format!("{pin} does not pin the package {package}"))
}
