//! examples/spark: the digest of Spark's tasks equals the digest of a single run, byte for byte. Needs Java and
//! pyspark; `PYTHON` names a Python that has pyspark.

use std::path::Path;
use std::process::Command;

use crate::common::left_out::left_out;
use crate::common::program::{PGQ, stderr, write};
use crate::common::project::project_file;

/// Splits a log into files, each of which begins with the first line of a record.
fn split(log: &str, folder: &Path, parts: usize) -> Vec<String> {
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let begins_record =
        |line: &str| line.starts_with("2026-") && (line.contains(" LOG: ") || line.contains(" ERROR: "));
    let starts: Vec<usize> = (0..lines.len()).filter(|at| begins_record(lines[*at])).collect();
    let mut cuts: Vec<usize> = (0..parts).map(|part| starts[part * starts.len() / parts]).collect();
    cuts[0] = 0;
    cuts.push(lines.len());
    let parts = cuts.windows(2).enumerate();
    // File names with spaces, which the example must quote.
    parts.map(|(part, cut)| write(folder, &format!("part {part:02}.log"), lines[cut[0]..cut[1]].concat())).collect()
}

#[test]
fn spark_gives_the_digest_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let log = std::fs::read_to_string(project_file("fixtures/log/log.log")).unwrap();
    let output = Command::new("sh")
        .arg(project_file("examples/spark/run.sh"))
        .arg(folder.path().join("out"))
        .args(split(&log, folder.path(), 20))
        .env("PGQ", PGQ)
        .env("OPTIONS", "--from stderr --log-line-prefix '%m [%p] %q%u@%d %a %c '")
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", stderr(&output));
    let last = stdout.lines().last().unwrap_or_default();
    if let Some(why) = last.strip_prefix("left out: ") {
        return left_out("the digest of Spark", why);
    }
    println!("{stdout}");
    assert!(last.starts_with("equal: ") && stdout.contains("20 files in 20 tasks, "), "{stdout}");
}
