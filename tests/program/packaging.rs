//! Tests the scripts in packaging/.

use std::process::Command;

use crate::common::project::project_file;

/// The targets whose archives the Homebrew formula downloads, and whose checksums it needs.
const TARGETS: [&str; 4] =
    ["aarch64-apple-darwin", "x86_64-apple-darwin", "aarch64-unknown-linux-musl", "x86_64-unknown-linux-musl"];

#[test]
fn a_formula_has_the_checksums_of_a_file_in_the_current_folder() {
    let folder = tempfile::tempdir().unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let lines = TARGETS.map(|target| format!("checksum-of-{target}  pgquill-{version}-{target}.tar.gz\n"));
    let formula = |sums: &str| {
        std::fs::write(folder.path().join("SHA256SUMS"), sums).unwrap();
        let mut script = Command::new(project_file("packaging/homebrew-formula"));
        script.args(["https://example.org/v1/", "SHA256SUMS"]).current_dir(&folder).output().unwrap()
    };
    let output = formula(&lines.concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    for target in TARGETS {
        let url = format!("url \"https://example.org/v1/pgquill-{version}-{target}.tar.gz\"");
        assert!(text.contains(&format!("{url}\n      sha256 \"checksum-of-{target}\"")), "{text}");
    }
    assert!(!formula(&lines[1..].concat()).status.success(), "a checksum is missing");
}
