//! Tests statements that change settings and that a filter rejects. A replay usually executes them nevertheless,
//! because later statements may depend on the settings. If it cannot execute them, it counts them.

use serde_json::json;

use crate::common::program;
use crate::ends::log;
use crate::sessions::{ASKS, read, write};
use crate::workload::{report_of, shared};

/// The filter that rejects all statements of a log from [`slow`] except the slow one.
const FILTER: [&str; 2] = ["--min-duration", "1ms"];

/// Returns a log of one session. In the log, a statement that equals `selected` takes 2 ms, every other statement 0 ms.
fn slow(statements: &[&str], selected: &str) -> String {
    let statements: Vec<_> = statements.iter().map(|sql| (1, *sql)).collect();
    let [fast, slow] = ["0", "2"].map(|time| format!("{time}.000 ms  statement: {selected}\n"));
    log(&statements).replace(&fast, &slow)
}

#[test]
fn set_config_passes_the_filters() {
    let Some(workload) = shared() else { return };
    for name in ["set_config", "SET_CONFIG", "Pg_Catalog . \"set_config\"", r#"U&"set\005fconfig""#] {
        let sets = format!("SELECT {name}('work_mem', '7MB', true)");
        let report = read(&workload.server, &slow(&["BEGIN", &sets, ASKS, "COMMIT"], ASKS), &FILTER);
        assert_eq!((&report["executed"], &report["errors"]["new"]), (&1.into(), &json!({})), "{name}: {report}");
    }
}

#[test]
fn with_writes_no_rejected_statement_writes_because_of_set_config() {
    let Some(workload) = shared() else { return };
    let writes = [
        "INSERT INTO notes VALUES (1) /* set_config */",
        "INSERT INTO notes SELECT id FROM (VALUES (2)) AS set_config (id)",
        "INSERT INTO notes SELECT 3 FROM set_config('work_mem', '7MB', false)",
        "WITH a AS (INSERT INTO notes VALUES (4) RETURNING id) SELECT set_config('work_mem', '7MB', false) FROM a",
        "SELECT set_config('work_mem', '7MB', false); INSERT INTO notes VALUES (5)",
        "DO $$ BEGIN PERFORM set_config('work_mem', '7MB', false); INSERT INTO notes VALUES (6); END $$",
        "SELECT 7",
    ];
    let (output, ids) = write(&workload.server, &slow(&writes, "SELECT 7"), &FILTER);
    let report = report_of(&output);
    assert_eq!((&report["executed"], &report["errors"]["new"], ids), (&1.into(), &json!({}), vec![]), "{report}");
}

#[test]
fn with_writes_characteristics_of_transactions_pass_the_filters() {
    let Some(workload) = shared() else { return };
    let asks = "SELECT 1 / (current_setting('transaction_isolation') || current_setting('transaction_read_only') \
                = 'serializableon')::int";
    let level = "ISOLATION LEVEL SERIALIZABLE, READ ONLY";
    let [session, local] =
        ["SESSION CHARACTERISTICS AS TRANSACTION", "TRANSACTION"].map(|what| format!("SET {what} {level}"));
    let variables = ["SET transaction_isolation = serializable", "SET LOCAL transaction_read_only = on"];
    for statements in [&[&*session, asks][..], &["BEGIN", &local, asks], &["BEGIN", variables[0], variables[1], asks]] {
        let (output, _) = write(&workload.server, &slow(statements, asks), &FILTER);
        let report = report_of(&output);
        assert_eq!(
            (&report["executed"], &report["errors"]["new"]),
            (&1.into(), &json!({})),
            "{statements:?}: {report}"
        );
        // Without `--writes`, pgq's own transactions replace those of the log.
        let report = read(&workload.server, &slow(statements, asks), &FILTER);
        assert_eq!(report["errors"]["new"], json!({"22012": 1}), "{statements:?}: {report}");
    }
}

#[test]
fn rejected_settings_that_are_not_sent_or_fail_are_counted() {
    let Some(workload) = shared() else { return };
    let repeated =
        "settings with a backslash, or after the first 100 (or 64 kB) of their session (--writes sends them)";
    let denied = "refused, because the role lacks a right that they need (--writes accepts any role)";
    for (setting, not_sent, new) in [
        (r"SET LOCAL a.b = E'\x31'", json!({repeated: 1}), json!({})),
        ("SET LOCAL ROLE postgres", json!({denied: 1}), json!({})),
        ("SET LOCAL a.b = 'of more than 30 bytes'", json!({"longer than --max-statement-bytes": 1}), json!({})),
        ("SET LOCAL nothing = 1", json!({}), json!({"42704": 1})),
    ] {
        let logged = slow(&["BEGIN", setting, "SELECT 1", "COMMIT"], "SELECT 1");
        let report = read(&workload.server, &logged, &[&FILTER[..], &["--max-statement-bytes", "30"]].concat());
        assert_eq!((&report["executed"], &report["not_sent"]), (&1.into(), &not_sent), "{setting}: {report}");
        assert_eq!(report["errors"]["new"], new, "{setting}: {report}");
    }
    let logged = slow(&["BEGIN", "SET LOCAL ROLE nobody", "SELECT 1", "COMMIT"], "SELECT 1");
    let (output, _) = write(&workload.server, &logged, &FILTER);
    assert_eq!(report_of(&output)["errors"]["new"], json!({"22023": 1, "25P02": 1}), "{output:?}");
}

/// The log is not UTF-8, so it cannot be written by [`slow`], which returns a string.
#[test]
fn rejected_settings_that_are_not_utf8_are_counted() {
    let Some(workload) = shared() else { return };
    let row = |line: u32, time: u32, sql: &str| {
        let start = "2026-01-31 12:00:00.000 UTC";
        format!(
            "{start},\"ann\",\"one\",1,\"[local]\",s1.1,{line},\"SET\",{start},3/1,0,LOG,00000,\
             \"duration: {time}.000 ms  statement: {sql}\",,,,,,,,,\"app\",\"client backend\",,0\n"
        )
    };
    let text = [row(1, 0, "SET a.b = 'é'"), row(2, 2, "SELECT 1")].concat();
    let latin1 = text.chars().map(|c| c as u8).collect::<Vec<_>>();
    let to = format!("host={} port={}", workload.server.folder.display(), workload.server.port);
    let maps = ["--database-map", "*=two", "--user-map", "*=plain", "--format", "json", "--from", "csvlog"];
    let output = program::run(&[&["replay", "--same-server", "--to", &to], &maps[..], &FILTER].concat(), &latin1);
    assert_eq!(report_of(&output)["not_sent"], json!({"not UTF-8": 1}), "{output:?}");
}
