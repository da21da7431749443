//! examples/spark: a digest made by Spark's tasks is to the byte what one run makes. Where Java
//! or pyspark is missing it says that it is left out; `PYTHON` names a Python that has pyspark.

use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Cuts a log between records into files; each begins with a line that begins a record.
fn split(log: &str, folder: &Path, parts: usize) -> Vec<String> {
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let starts: Vec<usize> = (0..lines.len())
        .filter(|at| {
            lines[*at].starts_with("2026-") && (lines[*at].contains(" LOG: ") || lines[*at].contains(" ERROR: "))
        })
        .collect();
    let mut cuts: Vec<usize> = (0..parts).map(|part| starts[part * starts.len() / parts]).collect();
    cuts[0] = 0;
    cuts.push(lines.len());
    let names = (0..parts).map(|part| folder.join(format!("part {part:02}.log")));
    names
        .zip(cuts.windows(2))
        .map(|(name, cut)| {
            std::fs::write(&name, lines[cut[0]..cut[1]].concat()).unwrap();
            name.to_string_lossy().into_owned()
        })
        .collect()
}

#[test]
fn spark_makes_what_one_run_makes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::temp_dir().join(format!("pgq-spark-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let log = std::fs::read_to_string(root.join("fixtures/log/log.log")).unwrap();
    let parts = split(&log, &folder, 20);
    let output = Command::new("sh")
        .arg(root.join("examples/spark/run.sh"))
        .arg(folder.join("made"))
        .args(&parts)
        .env("PGQ", env!("CARGO_BIN_EXE_pgq"))
        .env("OPTIONS", "--from stderr --log-line-prefix '%m [%p] %q%u@%d %a %c '")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    std::io::stdout().write_all(&output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("left out: ") || last.starts_with("equal: "), "{said}");
    if last.starts_with("equal: ") {
        assert!(said.contains("20 files in 20 tasks, "), "{said}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
