//! Tests that `cargo test` does not recompile the crates that `cargo run` has compiled. Cargo would recompile a crate
//! if the features of the crate, or of a crate that it depends on, were different.

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

/// No test may depend on a crate that the program uses only through procedural macros. With such a dependency, `cargo
/// test` would compile the crate with other settings than `cargo run`. Therefore it would also compile the macros, and
/// every crate that uses them, a second time.
#[test]
fn tests_contain_no_crate_that_only_macros_of_the_program_use() {
    let program = crates(&["-p", "pgq", "--edges", "no-dev"]);
    let linked = crates(&["-p", "pgq", "--edges", "no-dev,no-build,no-proc-macro"]);
    let with_tests = crates(&["--edges", "no-build,no-proc-macro", "--workspace", "--exclude", "xtask"]);
    let shared: Vec<&String> = program.difference(&linked).filter(|name| with_tests.contains(*name)).collect();
    assert!(shared.is_empty(), "compiled twice, because tests contain a crate of macros: {shared:#?}");
}
