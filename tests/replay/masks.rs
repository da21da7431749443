//! Masks in the state that a replay writes.

use crate::common::program::stdout_of;
use crate::ends::log;
use crate::workload::{replay_log, shared};

/// Both statements have the same fingerprint, but only one of them names a secret.
#[test]
fn an_error_of_a_statement_that_names_a_secret_is_masked_in_the_state() {
    let Some(workload) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state").display().to_string();
    let statements = [(1, "SELECT 'abc'::int"), (1, "SELECT 'hunter2'::int AS password")];
    let options = ["--speed", "max", "--database-map", "one=two", "--user-map", "ann=plain", "--state", &state];
    let output = replay_log(&workload.server, &log(&statements), &options);
    assert!(output.status.success(), "{output:?}");
    let merged = stdout_of(&["digest", "--format", "json", "--merge", &state]);
    assert!(merged.contains("abc") && !merged.contains("hunter2"), "{merged}");
}
