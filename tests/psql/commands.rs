//! Tests that all commands find the same statements in a script.

use pgq::script::{ScriptPart, script_parts};
use serde_json::Value;

use crate::common::program::run;

/// Scripts, each with its number of statements.
const SCRIPTS: [(usize, &str); 26] = [
    (2, "SELECT a\\; DELETE FROM t;\n"),
    (1, "SELECT a\\;\\;;\n"),
    (1, "\\;\\; SELECT a;\n"),
    (4, "SELECT 1; SELECT 2\\; DELETE FROM t \\; \\; SELECT 3\\;;\n"),
    (2, "SELECT 1\\; VACUUM;\n"),
    (2, "SELECT x FROM t\\; ABORT;\n"),
    (2, "DROP TABLE t\\; CASCADE;\n"),
    (3, "SELECT 1 \\; SELECT 2 \\gset\nSELECT 3;\n"),
    (2, "SELECT 1 -- one\\;\n\\; -- two\n SELECT 2 /* \\; */;\n"),
    (2, "SELECT '\\;' \\; SELECT $$\\;$$;\n"),
    (2, "SELECT 1 \\gx\nSELECT 2 \\g (format=unaligned) out.txt\n"),
    (2, "SELECT 1 AS a, 2 AS b \\gset x_\nSELECT :x_a;\n"),
    (1, "\\copy t from 'a.csv' csv\nSELECT 1;\n"),
    (1, "\\copy (select 1; select 2) to 'a.csv'\nSELECT 1;\n"),
    (2, "COPY t FROM stdin;\n1\t;\n2\n\\.\nSELECT 1;\n"),
    (3, "COPY t FROM stdin\\; COPY u FROM stdin;\n1\n\\.\n2\n\\.\nSELECT 1;\n"),
    (3, "COPY t FROM stdin; SELECT 1;\n;\n\\.\nSELECT 2;\n"),
    (4, "COPY (SELECT 1) FROM stdin;\nSELECT 1;\nCOPY t FROM stdin;\n1;\n\\.\nSELECT 2;\n"),
    (2, "COPY t(a, b) FROM stdin WITH (FORMAT csv);\n1;\n\\.\nSELECT 2;\n"),
    (3, "\\if :x\nSELECT 1;\n\\else\nSELECT 2;\n\\endif\nSELECT 3;\n"),
    (1, "SELECT a\n\\if :x\n, b\n\\else\n, c\n\\endif\nFROM t;\n"),
    (2, "SELECT 1 \\r\nSELECT :'a', :\"b\";\nSELECT :c;\n"),
    (1, "SELECT 1;\n\\q\nSELECT 2;\n"),
    (2, "CREATE RULE r AS ON DELETE TO t DO (SELECT 1; SELECT 2)\\; SELECT 3;\n"),
    (2, "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END\\; SELECT 3;\n"),
    (3, "SELECT 1; SELEC 2\\; SELECT 3"),
];

/// Returns the number of statements in a command's JSON.
fn count(command: &str, script: &str) -> u64 {
    let placeholders: &[&str] = if script.contains(':') { &["--placeholders", "psql"] } else { &[] };
    let args = [&[command, "--from", "sql", "--format", "json"], placeholders].concat();
    let output = String::from_utf8(run(&args, script.as_bytes()).stdout).unwrap();
    let records: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    match command {
        "check" | "digest" => records.last().expect(script)["statements"].as_u64().unwrap(),
        _ => records.len() as u64,
    }
}

#[test]
fn all_commands_find_the_same_statements() {
    let commands =
        ["check", "split", "scan", "parse", "normalize", "fingerprint", "tables", "deparse", "export", "digest"];
    let mut wrong = String::new();
    for (expected, script) in SCRIPTS {
        let parts = script_parts(script.as_bytes());
        let parts = parts.iter().filter(|part| matches!(part, ScriptPart::Statement { .. })).count();
        let counts = commands.map(|command| (command, count(command, script) as usize));
        for (command, count) in [("library", parts)].into_iter().chain(counts) {
            if count != expected {
                wrong += &format!("{command}: {count} statements instead of {expected}: {script:?}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
