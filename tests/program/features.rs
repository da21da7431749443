//! The program has the same crates and features in `cargo run` and in `cargo test`, so that the second command compiles
//! none of the first one's crates again.

use std::collections::BTreeSet;
use std::process::Command;

/// Returns the crates that `cargo tree` lists, with their versions and features.
fn crates(args: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--prefix", "none", "--format", "{p} [{f}]"]).args(args);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.trim_end_matches(" (*)").to_string()).collect()
}

#[test]
fn tests_change_no_features_of_the_program() {
    let with_tests = crates(&["--edges", "all", "--workspace", "--exclude", "xtask"]);
    let program = crates(&["--edges", "normal,build"]);
    let changed: Vec<&String> = program.difference(&with_tests).collect();
    assert!(changed.is_empty(), "compiled twice, because tests need other features: {changed:#?}");
}
