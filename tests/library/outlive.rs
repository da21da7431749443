//! Programs that must not compile because views or new nodes outlive their tree. Each file of tests/outlive lists the
//! expected compiler errors. The programs are compiled with this test's library, so nothing else is built.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the library next to this test. There may be several libraries, from builds with different features. In this
/// case, returns the newest.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let files = std::fs::read_dir(test.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libpgq-") && name.ends_with(".rlib")
    };
    let built = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).unwrap();
    files.filter(is_library).max_by_key(built).expect("the library next to its test")
}

/// Returns the codes of the compiler's errors, such as E0597, and their text. If there are no codes, the program
/// compiles.
fn errors(program: &Path, library: &Path) -> (BTreeSet<String>, String) {
    let out = tempfile::tempdir().unwrap();
    let compiled = Command::new(option_env!("RUSTC").unwrap_or("rustc"))
        .args(["--edition", "2024", "--emit", "metadata", "--crate-type", "bin", "--out-dir"])
        .arg(out.path())
        .arg("--extern")
        .arg(format!("pgq={}", library.display()))
        .arg("-L")
        .arg(format!("dependency={}", library.parent().unwrap().display()))
        .arg(program)
        .output()
        .expect("rustc runs");
    let said = String::from_utf8_lossy(&compiled.stderr);
    let codes: BTreeSet<String> =
        said.split("error[").skip(1).filter_map(|rest| Some(rest.split_once(']')?.0.to_string())).collect();
    assert_eq!(compiled.status.success(), codes.is_empty(), "{}:\n{said}", program.display());
    (codes, said.into_owned())
}

#[test]
fn views_do_not_outlive_their_trees() {
    let library = library();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outlive");
    let (mut allowed, mut refused) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let program = entry.unwrap().path();
        let source = std::fs::read_to_string(&program).unwrap();
        let (expected, _) = source.strip_prefix("//! Expected: ").unwrap().split_once('.').unwrap();
        let expected: BTreeSet<String> = match expected {
            "no error" => BTreeSet::new(),
            codes => codes.split(", ").map(str::to_string).collect(),
        };
        *(if expected.is_empty() { &mut allowed } else { &mut refused }) += 1;
        let (codes, said) = errors(&program, &library);
        assert_eq!(codes, expected, "{}", program.display());
        let is_sent = program.ends_with("sent.rs");
        assert!(!is_sent || said.contains("OnlySharedNodeIsSend"), "{said}");
    }
    assert!(allowed >= 1 && refused >= 5, "{allowed} programs compile, {refused} do not");
}
