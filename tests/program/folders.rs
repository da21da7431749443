//! Tests folders of logs that contain rotated and compressed files, copies and links.

use std::process::Output;

use serde_json::Value;

use crate::common::program::{run, stderr};

/// Runs `pgq digest --format json` on a folder. Returns the report, and the whole output.
fn digest_of(folder: &std::path::Path) -> (Value, Output) {
    let output = run(&["digest", "--format", "json", &folder.to_string_lossy()], b"");
    (serde_json::from_slice(&output.stdout).unwrap_or_default(), output)
}

/// Returns a log of one call.
fn one_call(minute: u32) -> String {
    format!("2026-01-31 12:{minute:02}:00.000 UTC [7] LOG:  duration: 1.000 ms  statement: SELECT 1\n")
}

#[test]
fn rotated_logs_of_a_folder_are_read_under_any_name() {
    for names in [
        ["postgresql.log", "postgresql.log-20261024"],
        ["postgresql.log-20261024", "postgresql.log-20261025"],
        ["postgresql.log.2026-10-25-01", "postgresql.log.2026-10-25-02"],
        ["postgresql.log", "postgresql.log.old"],
        ["postgresql.log", "logfile"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        for (minute, name) in (0..).zip(names) {
            std::fs::write(folder.path().join(name), one_call(minute)).unwrap();
        }
        let (digest, output) = digest_of(folder.path());
        assert_eq!((&digest["statements"], stderr(&output).contains("without")), (&2.into(), false), "{names:?}");
    }
}

#[test]
fn a_truncated_log_with_an_unusual_name_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.log"), one_call(0)).unwrap();
    let compressed = zstd::encode_all(one_call(1).as_bytes(), 1).unwrap();
    std::fs::write(folder.path().join("logfile"), [&compressed[..], &compressed[..compressed.len() - 3]].concat())
        .unwrap();
    let (_, output) = digest_of(folder.path());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("logfile"), "{}", stderr(&output));
}

#[test]
fn a_folder_with_a_file_and_its_compressed_copy_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.sql", "a.sql.gz"] {
        std::fs::write(folder.path().join(name), "SELECT 1;").unwrap();
    }
    let (_, output) = digest_of(folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("a.sql and a.sql.gz, which look like one file in two formats"));
}

/// Returns a folder with three scripts. The names of two of them are not UTF-8.
#[cfg(target_os = "linux")]
pub fn names_that_are_not_utf8(script: &str) -> tempfile::TempDir {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    for name in [&b"caf\xe9.sql"[..], b"caf\xe8.sql", "caf\u{fffd}.sql".as_bytes()] {
        std::fs::write(folder.path().join(std::ffi::OsStr::from_bytes(name)), script).unwrap();
    }
    folder
}

#[cfg(target_os = "linux")]
#[test]
fn files_whose_names_are_not_utf8_have_different_names() {
    let folder = names_that_are_not_utf8("SELECT 1;");
    let output = run(&["split", "--format", "csv", &folder.path().to_string_lossy()], b"");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let rows = String::from_utf8(output.stdout).unwrap();
    let name = |row: &str| row.split(',').next().unwrap().rsplit('/').next().unwrap().to_string();
    let names: Vec<String> = rows.lines().skip(1).map(name).collect();
    assert_eq!(names, ["caf\u{fffd}e8.sql", "caf\u{fffd}e9.sql", "caf\u{fffd}ef\u{fffd}bf\u{fffd}bd.sql"]);
}

#[test]
fn a_rewritten_csvlog_in_a_folder_is_read() {
    let row = "2026-01-31 12:00:00.000 UTC,ann,shop,7,[local],65b.7,1,SELECT,2026-01-31 12:00:00 UTC,3/7,0,LOG,00000,\
               duration: 1.000 ms  statement: SELECT 1,,,,,,,,,psql,client backend,,0\n";
    let quoted: Vec<String> = row.trim_end().split(',').map(|field| format!("\"{field}\"")).collect();
    for row in [row, &format!("{}\n", quoted.join(","))] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("log.csv"), row).unwrap();
        std::fs::write(folder.path().join("data.csv"), "a,b\n1,2\n").unwrap();
        let (digest, output) = digest_of(folder.path());
        assert_eq!(digest["statements"], 1, "{row}{}", stderr(&output));
        assert!(stderr(&output).contains("without 1 other file, which is neither a script nor a log: data.csv"));
    }
}

#[cfg(unix)]
#[test]
fn pipes_sockets_and_devices_in_a_folder_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name| folder.path().join(name);
    std::fs::write(path("a.sql"), "SELECT 1;").unwrap();
    let made = std::process::Command::new("mkfifo").arg(path("b.log")).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/zero", path("c.log")).unwrap();
    let _listener = std::os::unix::net::UnixListener::bind(path("d.log")).unwrap();
    let (digest, output) = digest_of(folder.path());
    assert_eq!((&digest["statements"], output.status.code()), (&Value::from(1), Some(0)));
    let expected = "without 3 other files, which are neither a script nor a log: b.log (a pipe, a socket or a device), \
                    c.log (a pipe, a socket or a device), d.log (a pipe, a socket or a device)\n";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_are_read_once_or_reported() {
    use std::os::unix::fs::symlink;
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = |name| folder.path().join(name);
    std::fs::write(path("a.sql"), "SELECT 1;").unwrap();
    std::fs::write(other.path().join("b.sql"), "SELECT 2;").unwrap();
    symlink("a.sql", path("current.sql")).unwrap();
    symlink(other.path().join("b.sql"), path("b.sql")).unwrap();
    symlink("ann@host.7", path(".#a.sql")).unwrap();
    let split = || run(&["split", &folder.path().to_string_lossy()], b"");
    assert_eq!((split().stdout, split().status.code()), (b"SELECT 1;\0SELECT 2;\0".to_vec(), Some(0)));
    symlink("/nowhere", path("lost.sql")).unwrap();
    assert!(stderr(&split()).contains("lost.sql: No such file"), "{}", stderr(&split()));
    assert_eq!(split().status.code(), Some(2));
}

#[test]
fn a_jsonlog_whose_first_row_has_long_names_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let row = |user: &str, message: &str| {
        format!(
            "{{\"timestamp\":\"2026-01-31 12:00:00.000 UTC\",\"user\":\"{user}\",\"dbname\":\"shop\",\"pid\":7,\
                 \"session_id\":\"65b.7\",\"line_num\":1,\"error_severity\":\"LOG\",\"message\":\"{message}\"}}\n"
        )
    };
    let rows = row(&"b".repeat(9000), "connection received") + &row("ann", "duration: 1.0 ms  statement: SELECT 1");
    std::fs::write(folder.path().join("postgresql.json"), rows).unwrap();
    let (digest, output) = digest_of(folder.path());
    assert_eq!(digest["statements"], 1, "{}", stderr(&output));
}
