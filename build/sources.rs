//! Finds libpg_query's C sources: the directory that `LIBPG_QUERY_DIR` names, the directory inside a published package,
//! or the pinned package in Cargo's cache.

use std::path::{Path, PathBuf};

use crate::pins::LIBPG_QUERY;

/// Directory of the sources that `cargo xtask package` adds to the published package. It is not in git.
pub const CARRIED: &str = "libpg_query";

/// Returns the directory that contains `pg_query.h`, or a message with possible remedies. `root` is the project's
/// directory.
pub fn find(root: &Path) -> Result<PathBuf, String> {
    if let Some(dir) = std::env::var_os("LIBPG_QUERY_DIR") {
        return checked(PathBuf::from(dir)).map_err(|problem| format!("LIBPG_QUERY_DIR: {problem}\n{}", ways_out()));
    }
    if root.join(CARRIED).is_dir() {
        return checked(root.join(CARRIED));
    }
    let package = LIBPG_QUERY.find(root);
    package
        .and_then(|package| checked(package.join("libpg_query")))
        .map_err(|problem| format!("libpg_query's C sources were not found: {problem}\n{}", ways_out()))
}

/// Returns the absolute path of `dir`, or an error if the directory lacks one of libpg_query's main files.
fn checked(dir: PathBuf) -> Result<PathBuf, String> {
    for file in ["pg_query.h", "protobuf/pg_query.proto", "src/pg_query_outfuncs_json.c"] {
        if !dir.join(file).is_file() {
            return Err(format!("{} is not a folder of libpg_query: it has no {file}", dir.display()));
        }
    }
    // Relative paths are relative to this package, and not to Cargo's working directory.
    std::path::absolute(&dir).map_err(|e| format!("{}: {e}", dir.display()))
}

/// Returns the include path from libpg_query's own Makefile.
pub fn include_dirs(library: &Path) -> Vec<PathBuf> {
    let target = |key: &str| std::env::var(key).unwrap_or_default();
    let windows: &[&str] = match (target("CARGO_CFG_TARGET_OS").as_str(), target("CARGO_CFG_TARGET_ENV").as_str()) {
        ("windows", "msvc") => &["src/postgres/include/port/win32", "src/postgres/include/port/win32_msvc"],
        ("windows", _) => &["src/postgres/include/port/win32"],
        _ => &[],
    };
    ["", "vendor", "vendor/upb", "vendor/upb/third_party/utf8_range", "src", "src/postgres/include", "src/include"]
        .iter()
        .chain(windows)
        .map(|dir| library.join(dir))
        .collect()
}

fn ways_out() -> String {
    let (name, version) = (LIBPG_QUERY.name, LIBPG_QUERY.version);
    format!(
        "Any of these helps:\n  \
         - run `cargo fetch` (or `cargo vendor`) in the program's folder once, with a network;\n  \
         - depend on pgq from the registry: the published package carries the sources;\n  \
         - unpack {name} {version} from the registry and set LIBPG_QUERY_DIR to the folder `libpg_query` in it."
    )
}

/// Returns the PostgreSQL version in pg_query.h.
pub fn postgres_version(library: &Path) -> String {
    let header = std::fs::read_to_string(library.join("pg_query.h")).expect("pg_query.h is readable");
    let version = header.lines().find_map(|line| line.strip_prefix("#define PG_VERSION \""));
    version.expect("pg_query.h defines PG_VERSION").trim_end_matches('"').to_string()
}
