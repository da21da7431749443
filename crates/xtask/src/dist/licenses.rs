//! Collects the licenses of all code in the program.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::package::cargo_program;
use crate::pins;

/// Libraries inside libpg_query: name with license, and a file whose first comment contains the copyright.
const C_SOURCES: [(&str, &str); 3] = [
    ("upb (BSD-3-Clause: the conditions are those of libpg_query)", "vendor/upb/upb/port/def.inc"),
    ("utf8_range (MIT: the conditions are those of pgq's LICENSE)", "vendor/upb/third_party/utf8_range/utf8_range.c"),
    ("xxHash (BSD-2-Clause)", "vendor/xxhash/xxhash.c"),
];

pub(super) fn third_party(root: &Path, target: &str) -> Result<String> {
    let mut text = String::from("pgq contains the following software.\n");
    let corpus = pins::CORPUS.find(root).map_err(anyhow::Error::msg)?;
    section(&mut text, "libpg_query", &read(&corpus.join("libpg_query/LICENSE"))?);
    section(&mut text, "PostgreSQL", &read(&root.join("vendor/libpg_query/LICENSE.PostgreSQL"))?);
    let library = pins::LIBPG_QUERY.find(root).map_err(anyhow::Error::msg)?.join("libpg_query");
    for (name, path) in C_SOURCES {
        let comment = first_comment(&read(&library.join(path))?);
        ensure!(comment.contains("Copyright"), "the first comment of {path} names no copyright holder");
        section(&mut text, name, &comment);
    }
    for (name, package) in linked_packages(root, target)? {
        let license = package["license"].as_str().unwrap_or("see below");
        section(&mut text, &format!("{name} ({license})"), &license_files(&package)?);
    }
    Ok(text)
}

fn section(text: &mut String, name: &str, license: &str) {
    write!(text, "\n{}\n{name}\n\n{}\n", "=".repeat(80), license.trim()).expect("writing to a string");
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// Returns the comment lines at the start of a C file.
fn first_comment(source: &str) -> String {
    let lines = source.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with(['/', '*']));
    lines.map(|line| line.trim_matches(['/', '*']).trim()).collect::<Vec<_>>().join("\n")
}

/// Returns the third-party packages in the program, by name and version.
fn linked_packages(root: &Path, target: &str) -> Result<BTreeMap<String, Value>> {
    let cargo = |arguments: &[&str]| -> Result<Vec<u8>> {
        let output = Command::new(cargo_program()).args(arguments).current_dir(root).output()?;
        ensure!(output.status.success(), "cargo {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(output.stdout)
    };
    let tree =
        ["tree", "--package", "pgq", "--edges", "normal", "--target", target, "--prefix", "none", "--format", "{p}"];
    let tree = String::from_utf8(cargo(&tree)?)?;
    // Lines have the form `name v1.2.3` or, for a package of the workspace, `name v1.2.3 (directory)`.
    let linked: Vec<String> =
        tree.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect();
    let metadata = cargo(&["metadata", "--format-version", "1", "--filter-platform", target])?;
    let mut metadata: Value = serde_json::from_slice(&metadata)?;
    let packages = metadata["packages"].as_array_mut().context("cargo metadata lists no packages")?;
    let named = packages.iter_mut().filter(|package| !package["source"].is_null()).map(|package| {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        (format!("{} v{}", text("name"), text("version")), package.take())
    });
    Ok(named.filter(|(name, _)| linked.contains(name)).collect())
}

/// Returns the contents of a package's license files.
fn license_files(package: &Value) -> Result<String> {
    let manifest = Path::new(package["manifest_path"].as_str().context("a package has a manifest")?);
    let folder = manifest.parent().context("a manifest is in a folder")?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        path.is_file()
            && ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|start| name.starts_with(start))
    });
    files.sort();
    let texts: Vec<String> = files.iter().map(|path| read(path)).collect::<Result<_>>()?;
    if texts.is_empty() {
        let authors = package["authors"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let authors = authors.collect::<Vec<_>>().join(", ");
        return Ok(format!("The package contains no license file. Authors: {authors}"));
    }
    Ok(texts.join("\n\n"))
}
