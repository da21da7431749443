//! The recipes of docs/cookbook.md run as they stand and print what stands there. A block
//! ```` ```console ```` holds commands behind `$ ` (going on behind `> `) and their output; one
//! with `needs=NAME` is left out, and said to be, where there is no such program.
//! `PGQ_REGENERATE=1 cargo test --test cookbook` writes what came out into the page.

use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = "docs/cookbook.md";

/// A folder that looks like the project's own, so that recipes may leave files in it.
fn kitchen() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::temp_dir().join(format!("pgq-cookbook-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(root.join("fixtures"), folder.join("fixtures")).unwrap();
    folder
}

/// What a command prints, stderr among it, and its exit code where that is not 0.
fn run(command: &str, folder: &Path) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_pgq")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .env("PATH", path)
        .env("LC_ALL", "C")
        .env("COLUMNS", "100")
        .current_dir(folder)
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stdout).unwrap();
    match output.status.code() {
        Some(0) => {}
        code => text += &format!("? {}\n", code.unwrap_or(-1)),
    }
    text
}

fn has(program: &str) -> bool {
    Command::new("sh").args(["-c", &format!("command -v {program}")]).output().is_ok_and(|o| o.status.success())
}

/// Runs the commands of a block and writes it anew.
fn block(lines: &[&str], folder: &Path) -> String {
    let (mut written, mut command) = (String::new(), String::new());
    for line in lines.iter().copied().chain(["$ "]) {
        if let Some(more) = line.strip_prefix("> ") {
            command += &format!("\n{more}");
            written += &format!("{line}\n");
        } else if let Some(next) = line.strip_prefix("$ ") {
            if !command.is_empty() {
                written += &run(&command, folder);
            }
            command = next.to_string();
            if !next.is_empty() {
                written += &format!("{line}\n");
            }
        }
    }
    written
}

#[test]
fn recipes_do_what_they_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(&path).unwrap();
    let folder = kitchen();
    let (mut written, mut ran) = (String::new(), 0);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        written += &format!("{line}\n");
        let Some(needs) = line.strip_prefix("```console") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match needs.trim().strip_prefix("needs=") {
            Some(program) if !has(program) => {
                println!("left out: a recipe that needs {program}, which is not here");
                body.iter().for_each(|line| written += &format!("{line}\n"));
            }
            _ => {
                written += &block(&body, &folder);
                ran += 1;
            }
        }
        written += "```\n";
    }
    std::fs::remove_dir_all(&folder).unwrap();
    println!("{ran} recipes ran");
    assert!(ran > 5, "{ran}");
    if written != page {
        if std::env::var_os("PGQ_REGENERATE").is_some() {
            return std::fs::write(path, written).unwrap();
        }
        let line = page.lines().zip(written.lines()).take_while(|(a, b)| a == b).count();
        let (was, is) = (page.lines().nth(line), written.lines().nth(line));
        panic!(
            "{PAGE}:{}: a recipe prints {is:?}, the page says {was:?}; to rewrite it: \
             PGQ_REGENERATE=1 cargo test --test cookbook",
            line + 1
        );
    }
}
