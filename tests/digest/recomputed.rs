//! Compares every figure and list of every report format with the results of a script. The script counts the rows of a
//! generated log.

use std::process::Command;

use tempfile::tempdir;

use crate::common::program::PGQ;
use crate::common::project::project_file;

/// Number of rows in the log. With this number, the log has more names and more kinds of errors than any list shows.
const RECORDS: &str = "15000";

#[test]
fn every_format_has_the_figures_that_a_script_counts() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("left out: python3 is not installed");
        return;
    }
    let folder = tempdir().unwrap();
    let script = project_file("tests/digest/recompute.py");
    let output = Command::new("python3").args([script.as_str(), PGQ]).arg(folder.path()).arg(RECORDS).output().unwrap();
    let report = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{report}");
    assert!(report.contains(" 0 differences"), "{report}");
}
