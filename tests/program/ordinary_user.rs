//! Faults that do not occur for root: the system allows no more threads, or clears bits of a file's
//! mode.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::program::{PGQ, stderr, write};
use tempfile::tempdir;

/// Runs a shell command in `folder`, which contains a copy of the program. If the test runs as
/// root, the command runs as a different user.
fn run(folder: &Path, shell: &str) -> Output {
    std::fs::set_permissions(folder, PermissionsExt::from_mode(0o777)).unwrap();
    let program = folder.join("pgq");
    if !program.exists() {
        std::fs::copy(PGQ, &program).unwrap();
    }
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let user: &[&str] = &["--reuid=65534", "--regid=65534", "--clear-groups", "bash"];
    let mut command = Command::new(if is_root { "setpriv" } else { "bash" });
    command.args(if is_root { user } else { &[] }).args(["-c", shell]).current_dir(folder).output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn without_threads_there_is_a_result_or_an_error() {
    let folder = tempdir().unwrap();
    for name in ["a.sql", "b.sql", "c.sql"] {
        write(folder.path(), name, "SELECT a FROM t;\n");
    }
    let line = r#"2026-01-31 12:00:00.001 UTC,"ann","one",7,"[local]",65ba2f3c.7,1,"SELECT",2026-01-31 11:59:00 UTC,3/0,0,LOG,00000,"duration: 1.000 ms  statement: SELECT 1",,,,,,,,,"psql","client backend",,0"#;
    write(folder.path(), "log.csv", format!("{line}\n"));
    let replay = "replay --same-server --to 'host=127.0.0.1 port=1' log.csv";
    for (args, code) in [("format --check a.sql b.sql c.sql", 0), ("digest log.csv", 0), ("check -", 0), (replay, 2)] {
        let output = run(folder.path(), &format!("ulimit -u 1 && exec ./pgq {args} </dev/null"));
        let text = stderr(&output);
        assert!(output.status.code() == Some(code) && !text.contains("panicked"), "{args}: {output:?}");
    }
}

#[test]
fn a_replaced_file_keeps_its_setuid_and_setgid_bits() {
    let folder = tempdir().unwrap();
    let shell = "echo 'select  1;' > a.sql && chmod 6755 a.sql && ./pgq format a.sql && stat -c %a a.sql";
    let output = run(folder.path(), shell);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "6755\n", "{output:?}");
}
