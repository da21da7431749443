//! The layers of the program import each other in one direction: main -> cmd -> run, and inside run: statements ->
//! report -> input -> pipeline.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// For each layer: the layers that its files may import, and the restricted crates that they may use. The layer `cmd`
/// is imported as `crate::cmd`, the other layers as `crate::run::NAME`.
const ROOMS: [(&str, &[&str], &[&str]); 5] = [
    ("cmd", &["cmd", "statements", "input", "report", "pipeline"], &RESTRICTED),
    ("run/statements", &["input", "report", "pipeline"], &["pgq", "pgq_log"]),
    ("run/input", &["pipeline"], &["pgq", "pgq_digest", "pgq_log"]),
    ("run/report", &["input"], &["pgq", "pgq_columns", "pgq_lexer", "pgq_log"]),
    ("run/pipeline", &[], &[]),
];

/// Crates that only some layers may use.
const RESTRICTED: [&str; 10] = [
    "clap",
    "clap_complete",
    "roff",
    "pgq",
    "pgq_columns",
    "pgq_digest",
    "pgq_lexer",
    "pgq_log",
    "pgq_postgres",
    "pgq_frames",
];

#[test]
fn rooms_import_in_one_direction() {
    for (room, rooms, crates) in ROOMS {
        let mut files = Vec::new();
        add_rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room), &mut files);
        assert!(!files.is_empty(), "{room} is empty");
        for file in files {
            let source = std::fs::read_to_string(&file).unwrap();
            let code: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let code = code.join("\n").replace("crate::run::", "crate::");
            for used in paths(&code, "crate::") {
                let is_own = room.ends_with(&used);
                assert!(is_own || rooms.contains(&used.as_str()), "{}: {room} must not use {used}", file.display());
            }
            for restricted in RESTRICTED.iter().filter(|name| !crates.contains(name)) {
                let used = !paths(&code, &format!("{restricted}::")).is_empty();
                assert!(!used, "{}: {room} must not use the crate {restricted}", file.display());
            }
        }
    }
}

/// The manifests of pgq, pgq-digest and pgq-log contain `[lib] test = false`, so that Cargo does not compile these
/// libraries a second time. A unit test in them would never run.
#[test]
fn these_libraries_have_no_unit_tests() {
    let mut files = Vec::new();
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = project.join("src");
    add_rust_files(&source, &mut files);
    for name in ["pgq-digest", "pgq-log"] {
        add_rust_files(&project.join("crates").join(name).join("src"), &mut files);
    }
    files.retain(|file| !["cmd", "run", "main.rs"].iter().any(|part| file.starts_with(source.join(part))));
    assert!(files.len() > 100);
    for file in files {
        let code = std::fs::read_to_string(&file).unwrap();
        assert!(!code.contains("#[test]"), "{}: this test would never run", file.display());
    }
}

fn add_rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Returns the names that follow `prefix` at the start of a path.
fn paths(code: &str, prefix: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(prefix)
        .filter(|(at, _)| !code[..*at].ends_with(|c: char| is_name(c) || c == ':'))
        .map(|(at, _)| code[at + prefix.len()..].chars().take_while(|c| is_name(*c)).collect())
        .collect()
}
