//! Measures whole runs of commands that read a log. Each repeat runs pgq, a pglast script, and pgBadger if it is
//! installed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::child::{Usage, measure};
use crate::made_log::{PREFIX, write};
use crate::peers::{Peers, run};
use crate::results::{LogResults, LogRow};
use crate::spread::Spread;

/// A command that reads the log.
struct Reader {
    label: String,
    command: Vec<String>,
    /// The file for its standard output.
    output: PathBuf,
    /// Whether the command prints a fingerprint for each statement.
    prints_fingerprints: bool,
    usages: Vec<Usage>,
}

/// Generates a log of the statements that pgq parses. Measures all commands on it.
pub fn measure_all(
    pgq: &str,
    script: Option<[String; 2]>,
    peers: &mut Peers,
    statements: &[String],
    bytes: usize,
    repeats: usize,
) -> Result<LogResults> {
    let folder = tempfile::tempdir()?;
    let log = folder.path().join("postgresql.log");
    let valid: Vec<String> = statements.iter().filter(|sql| pgq::fingerprint(sql).is_ok()).cloned().collect();
    let count = write(&log, &valid, bytes)?;
    let mut readers = readers(pgq, script, peers, &log, folder.path());
    for repeat in 1..=repeats {
        eprintln!("log: repeat {repeat} of {repeats}");
        let mut working = Vec::new();
        for mut reader in readers {
            match measure(&reader.command, &reader.output) {
                Ok(usage) => {
                    reader.usages.push(usage);
                    working.push(reader);
                }
                Err(error) if reader.command[0] == pgq => return Err(error),
                Err(error) => peers.left_out.push((reader.label, format!("{error:#}"))),
            }
        }
        readers = working;
    }
    let expected = std::fs::read_to_string(&readers[0].output)?;
    let folder_name = folder.path().display().to_string();
    let rows = readers.into_iter().map(|reader| reader.row(&folder_name, &expected)).collect::<Result<_>>()?;
    Ok(LogResults { bytes: log.metadata()?.len(), statements: count, rows })
}

/// Returns the commands to measure. The fingerprints of the other commands are compared with those of the first
/// command.
fn readers(pgq: &str, script: Option<[String; 2]>, peers: &mut Peers, log: &Path, folder: &Path) -> Vec<Reader> {
    let log = log.display().to_string();
    let page = |name: &str| folder.join(name).display().to_string();
    let reader = |label: &str, prints_fingerprints, command: &[&str]| Reader {
        label: label.to_string(),
        command: command.iter().map(ToString::to_string).collect(),
        output: folder.join(label),
        prints_fingerprints,
        usages: Vec::new(),
    };
    let mut readers = vec![reader("pgq fingerprint", true, &[pgq, "fingerprint", "--jobs", "1", &log])];
    if let Some([python, script]) = script {
        readers.push(reader("a script around pglast", true, &[&python, &script, "stderr", &log]));
    }
    let report = page("pgq.html");
    readers.push(reader("pgq digest", false, &[pgq, "digest", "--quiet", "--jobs", "1", "-o", &report, &log]));
    match run(std::process::Command::new("pgbadger").arg("--version")) {
        Ok(version) => {
            let label = version.trim().replace(" version", "");
            let report = page("pgbadger.html");
            readers.push(reader(&label, false, &["pgbadger", "-q", "-f", "stderr", "-p", PREFIX, "-o", &report, &log]));
        }
        Err(_) => peers.left_out.push(("pgBadger".to_string(), "it is not installed".to_string())),
    }
    readers
}

impl Reader {
    fn row(self, folder: &str, expected: &str) -> Result<LogRow> {
        let of = |figure: fn(&Usage) -> f64| Spread::of(self.usages.iter().map(figure).collect());
        let output = std::fs::read_to_string(&self.output)?;
        let result = if self.prints_fingerprints { agreement(expected, &output) } else { "an HTML page".to_string() };
        Ok(LogRow {
            label: self.label,
            command: short(&self.command, folder),
            seconds: of(|usage| usage.seconds),
            megabytes: of(|usage| usage.megabytes),
            result,
        })
    }
}

/// Compares fingerprints with the expected ones. Returns a description of the result.
fn agreement(expected: &str, output: &str) -> String {
    if output == expected {
        return format!("{} fingerprints, equal to pgq's", expected.lines().count());
    }
    let same = expected.lines().zip(output.lines()).filter(|(expected, found)| expected == found).count();
    format!("{} fingerprints, {same} equal to pgq's", output.lines().count())
}

/// Returns a command for the page, without this machine's directories, and quoted for a shell.
fn short(command: &[String], folder: &str) -> String {
    let word = |word: &String| {
        let word = word.strip_prefix(folder).map_or(word.as_str(), |file| &file[1..]);
        let name = if word.starts_with('/') { word.rsplit('/').next().unwrap_or(word) } else { word };
        if name.contains(' ') { format!("'{name}'") } else { name.to_string() }
    };
    command.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Returns the pglast script, if a Python with pglast is available.
pub fn script(here: &Path, python: Result<PathBuf>) -> Option<[String; 2]> {
    let python = python.context("no Python with pglast").ok()?;
    Some([python.display().to_string(), here.join("fingerprint_log.py").display().to_string()])
}

#[test]
fn commands_name_no_folders() {
    let command = ["/usr/bin/pgbadger", "-p", "%m [%p] ", "/x/log", "-o", "/x/a.html"].map(String::from);
    assert_eq!(short(&command, "/x"), "pgbadger -p '%m [%p] ' log -o a.html");
}

#[test]
fn fingerprints_are_compared_line_by_line() {
    assert_eq!(agreement("a\nb\n", "a\nb\n"), "2 fingerprints, equal to pgq's");
    assert_eq!(agreement("a\nb\n", "a\nc\nd\n"), "3 fingerprints, 1 equal to pgq's");
}
