//! Tests pgq's replacements for functions of the C library musl. The test runs on any system, and compiles the
//! replacements in the same way as build/compile.rs.

use std::process::Command;

use crate::common::left_out::left_out;
use crate::common::project::project_file;

#[test]
fn the_replacements_of_musls_functions_have_the_same_results() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("musl");
    let flags = ["-O2", "-fno-builtin", "-fno-tree-loop-distribute-patterns", "-Wall", "-Wextra", "-Werror", "-o"];
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let compiled = Command::new(compiler).args(flags).arg(&program).arg(project_file("tests/program/musl.c")).output();
    let Ok(compiled) = compiled else { return left_out("musl's replacements", "no C compiler") };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
