//! Runs the recipes of docs/cookbook.md and compares their output with the page. A block ```` ```console ```` contains
//! commands after `$ `, their continuation lines after `> `, and their output. A block with `needs=NAME,…` is skipped
//! if a requirement is missing. A requirement is a program, or a Python package (`python:NAME`). The variable `PYTHON`
//! names the Python interpreter that must have the package.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::common::committed;
use crate::common::left_out::left_out;
use crate::common::program::shell;
use crate::common::project::project_file;

const PAGE: &str = "docs/cookbook.md";

/// Returns a command's output on stdout and stderr, and its exit code unless it is 0.
fn run(command: &str, folder: &Path) -> String {
    let script = format!("exec 2>&1\npython3() {{ command '{}' \"$@\"; }}\n{command}", python());
    let output = shell(&script, folder).env("LC_ALL", "C").env("COLUMNS", "100").output().unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    match output.status.code() {
        Some(0) => {}
        code => text += &format!("? {}\n", code.unwrap_or(-1)),
    }
    text
}

fn python() -> String {
    std::env::var("PYTHON").unwrap_or_else(|_| "python3".into())
}

fn is_there(need: &str) -> bool {
    let succeeds = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    match need.strip_prefix("python:") {
        Some(package) => succeeds(Command::new(python()).args(["-c", &format!("import {package}")])),
        None => succeeds(Command::new("sh").args(["-c", &format!("command -v {need}")])),
    }
}

/// Returns the lines of a block with the current output of its commands.
fn run_block(lines: &[&str], folder: &Path) -> String {
    let (mut block, mut command) = (String::new(), String::new());
    for line in lines.iter().copied().chain(["$ "]) {
        if let Some(more) = line.strip_prefix("> ") {
            command += &format!("\n{more}");
            block += &format!("{line}\n");
        } else if let Some(next) = line.strip_prefix("$ ") {
            if !command.is_empty() {
                block += &run(&command, folder);
            }
            command = next.to_string();
            if !next.is_empty() {
                block += &format!("{line}\n");
            }
        }
    }
    block
}

#[test]
fn recipes_print_the_output_of_the_page() {
    let page = std::fs::read_to_string(project_file(PAGE)).unwrap();
    // The commands may write files, so they run in a temporary folder with links to the project's files.
    let folder = tempfile::tempdir().unwrap();
    symlink(project_file("fixtures"), folder.path().join("fixtures")).unwrap();
    let (mut expected, mut count) = (String::new(), 0);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        expected += &format!("{line}\n");
        let Some(needs) = line.strip_prefix("```console") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let needs = needs.trim().strip_prefix("needs=").unwrap_or_default();
        match needs.split(',').find(|need| !need.is_empty() && !is_there(need)) {
            Some(missing) => {
                left_out("a recipe of the cookbook", &format!("{missing} is missing"));
                body.iter().for_each(|line| expected += &format!("{line}\n"));
            }
            _ => {
                expected += &run_block(&body, folder.path());
                count += 1;
            }
        }
        expected += "```\n";
    }
    println!("{count} recipes ran");
    assert!(count > 5, "{count}");
    committed::check(PAGE, &expected, "cookbook");
}
