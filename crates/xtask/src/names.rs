//! The published name, the version and the published crates of the project. Cargo.toml defines the name and the
//! version, and the manifests of other languages repeat them. This module checks that those manifests agree with
//! Cargo.toml.

use std::path::Path;

use anyhow::{Context, Result, ensure};

/// The published crates that pgq depends on. The list is in dependency order: a crate is listed
/// after the crates that it depends on.
pub const CRATES: [&str; 6] = ["pgq-lexer", "pgq-log", "pgq-digest", "pgq-columns", "pgq-postgres", "pgq-frames"];

/// Files and their required lines. `NAME` and `VERSION` represent the values from Cargo.toml.
const LINES: [(&str, &[&str]); 6] = [
    ("clients/python/pyproject.toml", &["name = \"NAME\"", "module-name = \"NAME._native\"", "data = \"NAME.data\""]),
    ("clients/python/Cargo.toml", &["version = \"VERSION\""]),
    ("clients/node/Cargo.toml", &["name = \"NAME\"", "version = \"VERSION\""]),
    (
        "clients/node/package.json",
        &[
            "\"name\": \"NAME\"",
            "\"version\": \"VERSION\"",
            "\"NAME-darwin-arm64\": \"VERSION\"",
            "\"NAME-darwin-x64\": \"VERSION\"",
            "\"NAME-linux-arm64\": \"VERSION\"",
            "\"NAME-linux-x64\": \"VERSION\"",
        ],
    ),
    ("packaging/action/action.yml", &["NAME==VERSION"]),
    ("packaging/gitlab.yml", &["NAME==VERSION"]),
];

/// Returns the name under which the project is published.
pub fn published(root: &Path) -> Result<String> {
    in_workspace(root, ["metadata", "published", "name"])
}

/// Returns the common version of all crates in the workspace.
pub fn version(root: &Path) -> Result<String> {
    in_workspace(root, ["package", "version"])
}

/// Returns the string at a path of keys in the table `workspace` of Cargo.toml.
fn in_workspace<const N: usize>(root: &Path, keys: [&str; N]) -> Result<String> {
    let document: toml_edit::DocumentMut = std::fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
    let text = keys.iter().try_fold(&document["workspace"], |table, key| table.get(key)).and_then(|item| item.as_str());
    Ok(text.with_context(|| format!("Cargo.toml has no workspace.{}", keys.join(".")))?.to_string())
}

/// Checks the name and the version in the other manifests.
pub fn check(root: &Path) -> Result<()> {
    let (name, version) = (published(root)?, version(root)?);
    let mut missing = Vec::new();
    for (file, lines) in LINES {
        let text = std::fs::read_to_string(root.join(file)).with_context(|| file.to_string())?;
        for line in lines {
            let line = line.replace("NAME", &name).replace("VERSION", &version);
            if !text.contains(&line) {
                missing.push(format!("{file}: {line}"));
            }
        }
    }
    let steps = std::fs::read_to_string(root.join("docs/publish.md"))?;
    let unnamed = CRATES.iter().filter(|name| !steps.contains(&format!("`{name}`")));
    missing.extend(unnamed.map(|name| format!("docs/publish.md: `{name}`")));
    ensure!(missing.is_empty(), "not the name and version of Cargo.toml; write:\n{}", missing.join("\n"));
    Ok(())
}
