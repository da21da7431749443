//! Compares the masked SQL of the daemon's `normalize` with that of the command `pgq normalize`.

use std::io::Write;
use std::process::{Command, Stdio};

use pgq_frames::{Operation, flag};
use serde_json::json;

use crate::client::{Frames, Lines};
use crate::common::program::PGQ;
use crate::daemon::Daemon;

const WITH_SECRETS: [&str; 8] = [
    "IMPORT FOREIGN SCHEMA s FROM SERVER v INTO w OPTIONS (password 'hunter2secret')",
    "CREATE SERVER s FOREIGN DATA WRAPPER w OPTIONS (passphrase 'hunter2secret')",
    "ALTER SYSTEM SET primary_conninfo = 'host=h password=hunter2secret'",
    "ALTER DATABASE d SET my.token = 'hunter2secret'",
    "COPY t FROM PROGRAM 'curl -u me:hunter2secret h'",
    "CREATE TABLE t (token varchar(64) DEFAULT 'hunter2secret')",
    "SELECT 1; ALTER DATABASE d SET my.token = 'hunter2secret'; SET a = 'b'",
    "SELECT 1 /* password=hunter2secret */",
];

/// Returns the output lines of `pgq normalize` for `lines`.
fn of_the_command(lines: &[String], options: &[&str]) -> Vec<String> {
    let mut command = Command::new(PGQ);
    command.args(["normalize", "--from", "lines"]).args(options).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let (mut input, text) = (child.stdin.take().unwrap(), lines.join("\n"));
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

#[test]
fn secrets_are_masked_as_on_the_command_line() {
    let daemon = Daemon::start(&["--jobs", "1"]);
    let mut frames = Frames::begin(daemon.connect());
    let corpus = pgq_corpus::all_statements().into_iter();
    let corpus =
        corpus.filter(|sql| !sql.trim().is_empty() && !sql.contains(['\n', '\r']) && pgq::normalize(sql).is_ok());
    let texts: Vec<String> = WITH_SECRETS.map(String::from).into_iter().chain(corpus.step_by(9)).collect();
    let mut masked = 0;
    for (options, shown) in
        [(json!({"one_line": true}), false), (json!({"one_line": true, "show_secrets": true}), true)]
    {
        let (_, handle) = frames.ask(Operation::Options, 0, options.to_string().as_bytes()).unwrap();
        let handle = u16::from_le_bytes(handle.try_into().unwrap());
        let expected = of_the_command(&texts, if shown { &["--show-secrets"] } else { &[] });
        assert_eq!(expected.len(), texts.len());
        // The second time, the answers are from the caches.
        for operation in [Operation::Normalize, Operation::Both, Operation::Normalize, Operation::Both] {
            frames.send_batch(5, operation, handle, &texts);
            let batch = frames.receive().unwrap();
            for ((text, item), expected) in texts.iter().zip(batch.items).zip(&expected) {
                let body = item.unwrap().1;
                let normalized = if operation == Operation::Both { &body[8..] } else { &body[..] };
                assert_eq!(&String::from_utf8_lossy(normalized), expected, "{text}");
                masked += usize::from(expected.contains("***"));
            }
        }
        assert_eq!(expected.iter().any(|line| line.contains("hunter2secret")), shown);
    }
    assert!(masked > 4 * WITH_SECRETS.len(), "{masked}");

    let mut lines = Lines::begin(daemon.connect());
    for sql in WITH_SECRETS {
        for op in ["normalize", "both", "normalize"] {
            let answer = lines.ask(&json!({"op": op, "sql": sql}).to_string()).to_string();
            assert!(answer.contains("***") && !answer.contains("hunter2secret"), "{answer}");
        }
    }
    // Masking does not change the flags.
    let (flags, body) = frames.ask(Operation::Normalize, 0, b"CREATE USER u PASSWORD 'x' CONNECTION LIMIT 5").unwrap();
    assert_eq!(String::from_utf8(body).unwrap(), "CREATE USER u PASSWORD '$1' CONNECTION LIMIT '***'");
    assert!(flags & flag::QUOTED != 0);
}
