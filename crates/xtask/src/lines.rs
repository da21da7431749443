//! `cargo xtask lines`: counts code and comment lines of the product by directory. Excludes tests, generated files and
//! generators.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::Shell;

/// The source directories of the product.
const ROOTS: [&str; 4] = ["src", "crates", "build", "build.rs"];

/// Crates that are not counted: tools to generate and package files, and the tests' corpus.
const TOOLS: [&str; 3] = ["crates/xtask", "crates/pgq-codegen", "crates/pgq-corpus"];

#[derive(Default)]
struct Lines {
    files: usize,
    code: usize,
    comments: usize,
}

pub fn run(shell: &Shell) -> Result<()> {
    let root = shell.current_dir();
    let mut files = Vec::new();
    for start in ROOTS {
        add_files(&root.join(start), &mut files)?;
    }
    let mut rooms: BTreeMap<String, Lines> = BTreeMap::new();
    for path in files {
        let name = path.strip_prefix(&root)?.to_string_lossy().into_owned();
        let is_test = name.ends_with("tests.rs") || name.contains("/tests/") || name.ends_with("testing.rs");
        if is_test || TOOLS.iter().any(|tool| name.starts_with(tool)) {
            continue;
        }
        let text = shell.read_file(&path)?;
        if text
            .lines()
            .take(6)
            .any(|line| line.contains("cargo xtask regenerate") || line.contains("automatically generated"))
        {
            continue;
        }
        count(&text, rooms.entry(room(&name)).or_default());
    }
    let mut total = Lines::default();
    println!("{:<28} {:>6} {:>8} {:>8}", "room", "files", "code", "comments");
    for (room, lines) in &rooms {
        println!("{room:<28} {:>6} {:>8} {:>8}", lines.files, lines.code, lines.comments);
        total.files += lines.files;
        total.code += lines.code;
        total.comments += lines.comments;
    }
    println!("{:<28} {:>6} {:>8} {:>8}", "total", total.files, total.code, total.comments);
    Ok(())
}

/// Returns the first two parts of a path, such as `src/cmd` or `crates/pgq-log`. For a file directly in a top-level
/// directory, returns that directory.
fn room(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').collect();
    if parts.len() > 2 { parts[..2].join("/") } else { parts[0].to_string() }
}

fn add_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            add_files(&entry?.path(), files)?;
        }
    } else if path
        .extension()
        .is_some_and(|extension| ["rs", "c", "h", "js", "css"].iter().any(|known| extension == *known))
    {
        files.push(path.to_path_buf());
    }
    Ok(())
}

/// Counts the code and comment lines of a file, without its test module. Skips blank lines.
fn count(text: &str, lines: &mut Lines) {
    lines.files += 1;
    let product = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut in_block = false;
    for line in product.lines().map(str::trim).filter(|line| !line.is_empty()) {
        in_block |= line.starts_with("/*");
        if in_block || line.starts_with("//") {
            lines.comments += 1;
        } else {
            lines.code += 1;
        }
        in_block &= !line.contains("*/");
    }
}
