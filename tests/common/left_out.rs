//! Reports checks that are skipped because a program is missing.

use std::io::Write;

/// Prints the name of a skipped check and the reason. Appends both to the file that `PGQ_LEFT_OUT`
/// names. `.ci/run` prints a table of the file's contents. With `PGQ_STRICT=1` a skipped check is a
/// failure.
pub fn left_out(check: &str, why: &str) {
    println!("left out: {check}: {why}");
    if let Some(path) = std::env::var_os("PGQ_LEFT_OUT") {
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
        file.write_all(format!("{check}: {why}\n").as_bytes()).unwrap();
    }
    let strict = std::env::var_os("PGQ_STRICT").is_some_and(|value| value == "1");
    assert!(!strict, "PGQ_STRICT=1, and this check is left out: {check}: {why}");
}
