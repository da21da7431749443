//! Tests that the examples in `--help` run in a shell as printed.

use crate::common::program::{shell, stderr, stdout_of};

/// Returns the commands that have examples; "" is the program itself. Leaves out `serve` and `replay`, which need a
/// daemon and a server.
fn commands() -> Vec<String> {
    let help = stdout_of(&["help"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| line.starts_with("  "));
    let names = lines.filter_map(|line| line.split_whitespace().next().map(String::from));
    let names = names.filter(|name| !["serve", "replay", "help"].contains(&name.as_str()));
    std::iter::once(String::new()).chain(names).collect()
}

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
    // These scripts are already formatted, so the commands change nothing.
    for script in ["migrations/1.sql", "schema.sql"] {
        std::fs::create_dir_all(folder.path().join(script).parent().unwrap()).unwrap();
        std::fs::write(folder.path().join(script), "SELECT 1;\n").unwrap();
    }
    let mut count = 0;
    let commands = commands();
    assert!(commands.len() > 12, "{commands:?}");
    for command in &commands {
        let lines = examples(command);
        assert!(lines.len() > 1, "{command} has no examples");
        for line in lines {
            // Write files to the test's folder, and open no pager.
            let line = line.replace("/tmp/", "./").replace("&& man -l", "&& ls -l");
            let output = shell(&line, folder.path()).output().unwrap();
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{line}\n{stdout}{}", stderr(&output));
            let writes_files = line.contains('>')
                || ["pgq man", "pgq format", "--state", "--output"].iter().any(|part| line.contains(part));
            assert!(!stdout.is_empty() || writes_files, "{line} prints nothing");
            count += 1;
        }
    }
    println!("{count} examples ran");
}
