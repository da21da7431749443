//! Tests of the command line. Each case is a file under tests/cli/ with arguments, standard input and the expected
//! output. `TRYCMD=overwrite cargo test --test cli` writes the output to the files. Output with backslashes is in
//! separate files (`.stdout`), because trycmd would read backslashes in the case's file as path separators.
//!
//! Also tests documents: the commands in README.md run as cases, CONTRIBUTING.md must list the program's options, and
//! the code blocks of CONTRIBUTING.md must be copies of the program's code.

mod common;

use common::committed;
use common::program::{run, stdout_of};
use common::project::project_file;

const CONTRIBUTING: &str = "CONTRIBUTING.md";

#[test]
fn cli() {
    trycmd::TestCases::new().case("tests/cli/*/*.toml").case("README.md");
}

#[test]
fn the_table_of_options_is_current() {
    let text = std::fs::read_to_string(project_file(CONTRIBUTING)).unwrap();
    let (before, rest) = text.split_once("<!-- options -->\n").expect("the table has a beginning");
    let (_, after) = rest.split_once("<!-- /options -->\n").expect("the table has an end");
    let table = stdout_of(&["man", "--options"]);
    let expected = format!("{before}<!-- options -->\n\n{table}\n<!-- /options -->\n{after}");
    committed::check(CONTRIBUTING, &expected, "options");
}

/// In CONTRIBUTING.md, a block ```` ```rust FILE ```` contains lines of a source file. Checks that FILE contains these
/// lines. The build compiles FILE, so the lines are valid code.
#[test]
fn the_code_of_the_page_is_compiled() {
    let text = std::fs::read_to_string(project_file(CONTRIBUTING)).unwrap();
    let blocks: Vec<&str> = text.split("\n```rust ").skip(1).collect();
    assert!(blocks.len() >= 2, "{} blocks", blocks.len());
    for block in blocks {
        let (file, code) = block.split_once('\n').unwrap();
        let (code, _) = code.split_once("\n```").expect("a block ends");
        assert!(code.lines().count() <= 40, "{file}: more than 40 lines");
        let source = std::fs::read_to_string(project_file(file)).unwrap();
        let mut lines = source.lines();
        for line in code.lines().filter(|line| !line.trim().is_empty()) {
            assert!(lines.any(|found| found == line), "{file} has no line, after those before it:\n{line}");
        }
    }
}

/// Help with `-h` has at most 40 lines, so it fits on a screen.
#[test]
fn short_help_fits_a_screen() {
    let commands = String::from_utf8(run(&["help"], b"").stdout).unwrap();
    let commands = commands.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let names: Vec<String> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next().map(str::to_string))
        .collect();
    assert!(names.len() > 10, "{names:?}");
    for name in &names {
        let help = stdout_of(&[name.as_str(), "-h"]);
        assert!(help.lines().count() <= 40, "{name}: {} lines\n{help}", help.lines().count());
    }
}

/// This test cannot be a case in tests/cli, because the files there cannot contain NUL bytes.
#[test]
fn split_ends_each_statement_in_a_nul_byte() {
    assert_eq!(run(&["split"], b"SELECT ';'; SELECT 2").stdout, b"SELECT ';';\0SELECT 2\0");
}

/// Bash passes `--format=j` as three words.
#[cfg(unix)]
#[test]
fn bash_completes_values_after_an_equals_sign() {
    const SCRIPT: &str = r#"
        source /dev/stdin
        complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pgq pgq "${!#}" "${@:$#-1:1}"; echo "${COMPREPLY[*]}"; }
        complete_words pgq check --format = j
        complete_words pgq check --format =
        complete_words pgq digest --sort t
        complete_words pgq digest --kind sel
    "#;
    let script = run(&["completions", "bash"], b"").stdout;
    let mut bash = std::process::Command::new("bash")
        .args(["-c", SCRIPT])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut bash.stdin.take().unwrap(), &script).unwrap();
    let output = String::from_utf8(bash.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(output, "json\ntext json github\ntotal temp\nselect\n");
}
