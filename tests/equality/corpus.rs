//! The corpus: PostgreSQL's regression SQL and libpg_query's deparse sets, from the pinned
//! package, and our fixtures; split into statements.

use std::path::{Path, PathBuf};

use pgq::script::{ScriptPart, copy_data_end, next_part};

#[path = "../../build/pins.rs"]
#[allow(dead_code)]
mod pins;

/// A set of files, by the name that the report gives it.
pub struct Set {
    pub name: &'static str,
    pub statements: Vec<String>,
}

/// Every set. Panics, with what to do, when the corpus cannot be had.
pub fn sets() -> Vec<Set> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package =
        pins::CORPUS.find(own).unwrap_or_else(|problem| panic!("{problem}\nRun `cargo fetch` with a network."));
    let sql = package.join("libpg_query/test/sql");
    [
        ("regression", sql.join("postgres_regress")),
        ("plpgsql regression", sql.join("plpgsql_regress")),
        ("deparse", sql.join("deparse")),
        ("depesz", sql.join("deparse-depesz")),
        ("fixtures", own.join("fixtures")),
    ]
    .into_iter()
    .map(|(name, dir)| Set { name, statements: files(&dir).iter().flat_map(|f| statements(f)).collect() })
    .collect()
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "sql" || e == "psql") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The statements of a file, without meta-commands and COPY data. Bytes that are not UTF-8
/// become U+FFFD: the corpus has a few, and the parser takes text.
pub fn statements(file: &Path) -> Vec<String> {
    let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(part) = next_part(text.as_bytes(), at, true) {
        at = part.end();
        if let ScriptPart::Statement { range, meta_commands, copy_from_stdin, .. } = part {
            if meta_commands.is_empty() {
                let statement = &text[range];
                found.push(statement.strip_suffix(';').unwrap_or(statement).trim().to_string());
            }
            if copy_from_stdin {
                at = copy_data_end(text.as_bytes(), at).unwrap_or(at);
            }
        }
    }
    found
}
