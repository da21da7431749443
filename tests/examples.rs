//! The examples of `--help` run as they stand, in a shell.

use std::process::Command;

/// Runs a line of shell with `pgq` on the PATH, in a folder of its own.
fn shell(line: &str, folder: &std::path::Path) -> std::process::Output {
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_pgq")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    Command::new("bash").arg("-c").arg(line).env("PATH", path).current_dir(folder).output().unwrap()
}

/// The lines under "Examples:" in the help of a command.
fn examples(command: &str) -> Vec<String> {
    let help =
        Command::new(env!("CARGO_BIN_EXE_pgq")).args(["help", command].iter().filter(|a| !a.is_empty())).output();
    let help = String::from_utf8(help.unwrap().stdout).unwrap();
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_string()).collect()
}

#[test]
fn examples_run_as_they_stand() {
    let folder = std::env::temp_dir().join(format!("pgq-examples-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut ran = 0;
    for command in ["", "parse", "deparse", "fingerprint", "normalize", "scan", "digest", "bench", "completions", "man"]
    {
        let lines = examples(command);
        assert!(lines.len() > 1, "{command} has no examples");
        for line in lines {
            // What a person looks at is left to the person.
            let line = line.replace("/tmp/", "./").replace("&& man -l", "&& ls -l");
            let output = shell(&line, &folder);
            let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(output.status.success(), "{line}\n{out}{err}");
            assert!(
                !out.is_empty() || line.contains('>') || line.contains("pgq man") || line.contains("--partial"),
                "{line} prints nothing"
            );
            ran += 1;
        }
    }
    println!("{ran} examples ran");
    std::fs::remove_dir_all(&folder).unwrap();
}
