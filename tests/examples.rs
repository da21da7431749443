//! The examples in `--help` run in a shell as printed.

mod common;

use common::program::{shell, stderr, stdout_of};

/// All commands; "" is the program itself.
const COMMANDS: [&str; 10] =
    ["", "parse", "deparse", "fingerprint", "normalize", "scan", "digest", "bench", "completions", "man"];

/// Returns the lines below "Examples:" in the help of a command.
fn examples(command: &str) -> Vec<String> {
    let args: Vec<&str> = ["help", command].into_iter().filter(|arg| !arg.is_empty()).collect();
    let help = stdout_of(&args);
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_string()).collect()
}

#[test]
fn examples_run_as_they_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"), folder.path().join("fixtures"))
        .unwrap();
    let mut count = 0;
    for command in COMMANDS {
        let lines = examples(command);
        assert!(lines.len() > 1, "{command} has no examples");
        for line in lines {
            // Files go to the test's folder, and no pager is opened.
            let line = line.replace("/tmp/", "./").replace("&& man -l", "&& ls -l");
            let output = shell(&line, folder.path()).output().unwrap();
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{line}\n{stdout}{}", stderr(&output));
            let writes_files = line.contains('>') || line.contains("pgq man") || line.contains("--state");
            assert!(!stdout.is_empty() || writes_files, "{line} prints nothing");
            count += 1;
        }
    }
    println!("{count} examples ran");
}
