//! Any bytes for a log of each kind, through the program that `PGQ` names (a build of it with
//! the same sanitizers, if it is to find what they find): the readers of logs are not in the
//! library. One process for each input: slower than the other targets.
#![no_main]

use std::io::Write;
use std::process::{Command, Stdio};

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let program = std::env::var_os("PGQ").expect("PGQ=target/release/pgq");
    for form in ["stderr", "csvlog", "jsonlog"] {
        let mut child = Command::new(&program)
            .args(["fingerprint", "--from", form, "--jobs", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let _ = child.stdin.take().expect("it is piped").write_all(bytes);
        let status = child.wait().expect("it ends");
        assert!(matches!(status.code(), Some(0..=2)), "--from {form}: {status}");
    }
});
