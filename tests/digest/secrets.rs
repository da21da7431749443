//! Tests that an output contains the secrets of a log only with `--show-secrets`, and never with
//! `--anonymize`.

use std::fmt::Write;

use serde_json::json;
use tempfile::{TempDir, tempdir};

use crate::common::program::{run, stderr, write};

/// Valid and invalid statements with `{}` in place of a secret.
const STATEMENTS: [&str; 41] = [
    "CREATE ROLE r{n} LOGIN PASSWORD '{}'",
    "ALTER ROLE r WITH ENCRYPTED PASSWORD '{}' VALID UNTIL 'infinity'",
    "CREATE USER MAPPING FOR u SERVER s OPTIONS (user 'u', password '{}')",
    "ALTER USER MAPPING FOR u SERVER s OPTIONS (SET password '{}')",
    "CREATE SERVER s FOREIGN DATA WRAPPER w OPTIONS (host 'h', aws_secret_access_key '{}')",
    "CREATE SUBSCRIPTION s CONNECTION 'host=h user=u password={}' PUBLICATION p",
    "ALTER SUBSCRIPTION s CONNECTION 'postgresql://u:{}@h/d'",
    "COPY t FROM PROGRAM 'curl -u user:{} https://h/'",
    "SET app.api_key = '{}'",
    "ALTER DATABASE d SET my.password TO '{}'",
    "SELECT set_config('app.secret', '{}', false)",
    "SELECT dblink_connect('c', 'host=h password=''{}''')",
    "UPDATE accounts SET password = '{}' WHERE id = 7",
    "INSERT INTO accounts (name, password) VALUES ('n', '{}')",
    "DO $$ BEGIN EXECUTE 'ALTER ROLE r PASSWORD ''{}'''; END $$",
    "ALTER ROLE r SET app.api_key = \"{}\"",
    "SELECT 1 /* postgres://ann:{}@db/shop */",
    "SELECT '{}', '{70 kB}', password FROM accounts",
    "DO $$ BEGIN PERFORM dblink_connect('{}'); END $$",
    "SELECT \"crypt\"('{}', gen_salt('bf'))",
    "SELECT 1 /*password='a%20b {}'*/",
    "SELECT 1 /*action='a',api_key='a%2C\"b&{}'*/",
    "SELECT 1 /*action='a',route='%2Flogin%3Fpassword%3D{}'*/",
    "SELECT digest--c\n('{}', 'md5')",
    // A statement that the digest cuts. The digest keeps 64 kB of a statement as an example, but only 4 kB of a
    // statement that belongs to a message.
    "SELECT '{}', '{5 kB}', password FROM accounts",
    // Invalid statements.
    "UPDATE accounts SET password = 5{}",
    "UPDATE accounts SET password = 1.5e{}",
    "SELECT '{}' FROM FROM t WHERE '{70 kB}' = password",
    "ALTER ROLE r PASSWORD '{}' NOW",
    "CREATE USER u IDENTIFIED BY '{}'",
    "UPDATE accounts SET password = 'it's {}' WHERE id = 1",
    "UPDATE accounts SET password = 'the boys' {}' WHERE id = 1",
    "UPDATE accounts SET password = 'the boys' {}' WHERE name = 'x'",
    "ALTER ROLE r PASSWORD '{}",
    "SELECT password FROM accounts WHERE name = '{}",
    "SELECT dblink('host=h password={}",
    "CREATE USER MAPPING FOR u SERVER s OPTIONS password '{}')",
    "ALTER ROLE r PASSWORD x-{}",
    "CREATE USER u IDENTIFIED BY x@{}",
    "SET app.token = 6fa459ea-ee8a-{}",
    "ALTER ROLE r SET app.api_key = a, {}",
];

/// Returns secret `number`. The logs contain each statement twice, with different secrets. The first execution
/// succeeds. The second fails, and its error messages repeat its secret.
fn secret(number: usize) -> String {
    format!("hunter{number:02}zz")
}

struct Message {
    severity: &'static str,
    text: String,
    statement: String,
    detail: String,
}

fn messages() -> Vec<Message> {
    let mut messages = Vec::new();
    for (index, statement) in STATEMENTS.iter().enumerate() {
        let long = statement.replace("{70 kB}", &"x".repeat(70_000)).replace("{5 kB}", &"x".repeat(5_000));
        let statement = |secret: &str| long.replace("{n}", &index.to_string()).replace("{}", secret);
        let [executed, failed] = [secret(2 * index), secret(2 * index + 1)];
        let text = format!("duration: 1.5 ms  statement: {}", statement(&executed));
        messages.push(Message { severity: "LOG", text, statement: String::new(), detail: String::new() });
        messages.push(Message {
            severity: "ERROR",
            text: format!("syntax error at or near \"'{failed}'\""),
            statement: statement(&failed),
            detail: format!("Near {failed}."),
        });
        // The quoted part contains a line break and quotation marks.
        messages.push(Message {
            severity: "ERROR",
            text: format!("unterminated quoted string at or near \"'x\n \"y\" {failed} ;\n-- z\""),
            statement: statement(&failed),
            detail: String::new(),
        });
    }
    // Messages of one statement that contain the SQL of a different statement.
    let failed = secret(0);
    for sql in [
        format!("SELECT crypt('{failed}', 'x')"),
        format!("ALTER ROLE r PASSWORD $q${failed}$q$"),
        format!("COPY t FROM PROGRAM 'curl {failed}'"),
        format!("UPDATE accounts SET password = e'{failed}', pin = n'{failed}' || x'{failed}'"),
        format!("CREATE USER MAPPING FOR u SERVER s OPTIONS (user '{failed}')"),
    ] {
        messages.push(Message {
            severity: "ERROR",
            text: "deadlock detected".into(),
            statement: "UPDATE t SET a = 1".into(),
            detail: format!("Process 1: UPDATE t SET a = 1\nProcess 2: {sql}"),
        });
    }
    messages.push(Message {
        severity: "ERROR",
        text: format!("running: INSERT INTO t SELECT '{failed}', '{}', password", "x".repeat(600)),
        statement: "SELECT 1".into(),
        detail: String::new(),
    });
    // The digest keeps only the start of this message. The name of the secret (`password`) is in the rest.
    messages.push(Message {
        severity: "WARNING",
        text: format!("running: INSERT INTO t SELECT '{failed}', '{}', password", "x".repeat(5_000)),
        statement: String::new(),
        detail: String::new(),
    });
    messages
}

/// Returns the name and path of the log in each format.
fn logs(folder: &TempDir) -> Vec<(&'static str, String)> {
    let (mut stderr, mut csv, mut json) = (String::new(), String::new(), String::new());
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    for Message { severity, text, statement, detail } in messages() {
        let time = "2026-01-31 12:00:00.000 UTC";
        let _ = writeln!(stderr, "{time} [7] u@d {severity}:  {}", text.replace('\n', "\n\t"));
        let sqlstate = if severity == "ERROR" { "42601" } else { "00000" };
        let [message, detail_field, query] = [&text, &detail, &statement].map(|text| quoted(text));
        let _ = writeln!(
            csv,
            "{time},\"u\",\"d\",7,\"h:1\",s.7,1,\"SELECT\",{time},1/1,0,{severity},{sqlstate},{message},{detail_field},,,,,{query},,,\"app\",\"client backend\",,0"
        );
        let mut object = json!({"timestamp": time, "user": "u", "dbname": "d", "pid": 7, "error_severity": severity,
            "state_code": sqlstate, "message": text});
        if severity == "ERROR" {
            if !detail.is_empty() {
                let _ = writeln!(stderr, "{time} [7] u@d DETAIL:  {}", detail.replace('\n', "\n\t"));
            }
            let _ = writeln!(stderr, "{time} [7] u@d STATEMENT:  {statement}");
            object["detail"] = detail.into();
            object["statement"] = statement.into();
        }
        let _ = writeln!(json, "{object}");
    }
    let logs = [("stderr", stderr), ("csvlog", csv), ("jsonlog", json)];
    logs.into_iter().map(|(format, log)| (format, write(folder.path(), format, log))).collect()
}

/// Runs `digest` and `export` on `log` with `options`, in several output formats. Returns all outputs, including
/// stderr.
fn outputs(format: &str, log: &str, options: &[&str]) -> Vec<(String, String)> {
    let from: &[&str] = if format == "stderr" { &["--log-line-prefix", "%m [%p] %u@%d "] } else { &[] };
    let mut commands: Vec<(String, Vec<&str>)> = Vec::new();
    for output in ["text", "json", "csv", "markdown", "html"] {
        commands.push((format!("digest as {output}"), vec!["digest", "--wide", "--top", "100", "--format", output]));
    }
    for output in ["json", "csv"] {
        commands.push((format!("export as {output}"), vec!["export", "--format", output]));
    }
    let run_all = commands.into_iter().map(|(name, mut args)| {
        if args.contains(&"html") || args[0] == "export" {
            args.retain(|arg| *arg != "--wide");
        }
        let all = [&args, &["--from", format][..], from, options, &[log]].concat();
        let output = run(&all, b"");
        (format!("{name} of {format}"), String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output))
    });
    let mut outputs: Vec<(String, String)> = run_all.collect();
    // A state is compressed. To check its contents, create a report from it that shows secrets.
    let state = format!("{log}.state");
    run(&[&["digest", "--partial", &state, "--from", format], from, options, &[log]].concat(), b"");
    let merged = run(&["digest", "--show-secrets", "--format", "json", "--merge", &state], b"");
    outputs.push((format!("state of {format}"), String::from_utf8_lossy(&merged.stdout).into_owned()));
    outputs
}

fn found(text: &str) -> Vec<usize> {
    (0..2 * STATEMENTS.len()).filter(|number| text.contains(&secret(*number))).collect()
}

#[test]
fn secrets_are_in_no_output() {
    let folder = tempdir().unwrap();
    for (format, log) in logs(&folder) {
        for options in [&[][..], &["--anonymize"]] {
            for (output, text) in outputs(format, &log, options) {
                let around = found(&text).first().map(|number| {
                    let at = text.find(&secret(*number)).unwrap_or_default();
                    String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(200)..text.len().min(at + 50)])
                        .into_owned()
                });
                assert_eq!(found(&text), [0; 0], "{output} {options:?}: {around:?}");
                assert!(text.len() > 100, "{output} is empty");
            }
        }
    }
}

#[test]
fn fingerprints_do_not_depend_on_secrets() {
    let more = [
        "BEGIN; ALTER ROLE r PASSWORD '{}'",
        "SECURITY LABEL ON TABLE token IS '{}'",
        "IMPORT FOREIGN SCHEMA a FROM SERVER s INTO b OPTIONS (x '{}')",
        "DO LANGUAGE x 'password {}'",
        "COMMENT ON TABLE a IS 'password {}'",
        "DO $$BEGIN IF NOT EXISTS (SELECT FROM r) THEN CREATE ROLE r PASSWORD '{}'; END IF; END$$",
        "DO LANGUAGE plpgsql 'BEGIN ALTER ROLE r PASSWORD ''{}''; END'",
        "DO $x$BEGIN DO $$BEGIN ALTER ROLE r PASSWORD '{}'; END$$; END$x$",
        "DO $$BEGIN CREATE SUBSCRIPTION s CONNECTION '{}' PUBLICATION p; END$$",
        "DO $$BEGIN COPY t FROM PROGRAM '{}'; END$$",
        "DO $$BEGIN RAISE NOTICE 'password is {}'; END$$",
        "DO $$BEGIN RAISE EXCEPTION SQLSTATE '22{}' USING HINT = 'password'; END$$",
        "DO $$BEGIN PERFORM password; EXCEPTION WHEN SQLSTATE '22{}' THEN END$$",
        "DO $$BEGIN the password {} END$$",
        // The masked statement does not parse.
        "CREATE SERVER s FOREIGN DATA WRAPPER w OPTIONS (x '{}\\', y 'z')",
    ];
    let document = |args: &[&str], statement: &str, secret: &str| -> serde_json::Value {
        let sql = statement.replace("{}", secret).replace('"', "\"\"");
        let head = "2026-01-31 12:00:00.000 UTC,,,7,,s.7,1,,,1/1,0,LOG,00000";
        let log = format!("{head},\"statement: {sql}\",,,,,,,,,,,,{secret}\n");
        let output = run(&[args, &["--from", "csvlog"]].concat(), log.as_bytes());
        serde_json::from_slice(&output.stdout).unwrap()
    };
    for statement in STATEMENTS.iter().chain(&more) {
        let [one, other] = ["123", "456"].map(|secret| {
            document(&["digest", "--format", "json"], statement, secret)["groups"][0]["fingerprint"].clone()
        });
        assert_eq!(one, other, "{statement}");
        let [one, other] =
            ["123", "456"].map(|secret| document(&["export", "--columns", "fingerprint"], statement, secret));
        assert_eq!(one, other, "{statement}");
    }
    let query_id = |statement: &str, option: &str| {
        document(&["export", "--columns", "query_id", option], statement, "123")["query_id"].clone()
    };
    assert_eq!(query_id("ALTER ROLE r PASSWORD '{}'", "--errors"), json!(null));
    assert_eq!(query_id("ALTER ROLE r PASSWORD '{}'", "--anonymize"), json!(null));
    assert_eq!(query_id("ALTER ROLE r PASSWORD '{}'", "--show-secrets"), json!(123));
    assert_eq!(query_id("SELECT crypt('{}', a)", "--errors"), json!(null));
    assert_eq!(query_id("SELECT f('{}', a)", "--errors"), json!(123));
    assert_eq!(query_id("SELECT f('{}', a)", "--anonymize"), json!(null));
}

#[test]
fn parameters_of_a_statement_that_names_a_secret_are_masked() {
    let folder = tempdir().unwrap();
    for sql in [
        "SELECT store('password', $1)",
        "CALL store('password', $1)",
        "CREATE TABLE t AS SELECT 'token'::text AS kind, $1::text AS v",
        "CREATE MATERIALIZED VIEW v AS SELECT 'api_key' AS kind, $1 AS v",
        "COPY (SELECT 'password', $1) TO STDOUT",
    ] {
        let (head, secret) = ("2026-01-31 12:00:00.000 UTC [7] u@d ", secret(0));
        let log = format!(
            "{head}LOG:  duration: 1.0 ms  execute <unnamed>: {sql}\n{head}DETAIL:  parameters: $1 = '{secret}'\n\
             {head}ERROR:  duplicate key\n{head}DETAIL:  Key (a)=({secret}) exists.\n{head}STATEMENT:  {sql}\n"
        );
        let log = write(folder.path(), "log", log);
        for (output, text) in outputs("stderr", &log, &[]) {
            assert!(text.contains("duplicate key") || output.starts_with("export"), "{output}: {text}");
            assert!(!text.contains(&secret), "{output}: {sql}: {text}");
        }
    }
}

#[test]
fn all_secrets_are_shown_on_request() {
    let folder = tempdir().unwrap();
    for (format, log) in logs(&folder) {
        let outputs = outputs(format, &log, &["--show-secrets"]);
        let all: String = outputs.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(found(&all).len(), 2 * STATEMENTS.len(), "{format}");
        let json = &outputs.iter().find(|(name, _)| name.starts_with("digest as json")).unwrap().1;
        assert!(json.contains("--show-secrets"), "the report says so");
    }
}

#[test]
fn a_baseline_with_secrets_shows_none() {
    let folder = tempdir().unwrap();
    let before = "LOG:  duration: 1.0 ms  statement: DO $$ BEGIN EXECUTE 'ALTER ROLE a PASSWORD ''hunter2'''; END $$\n\
                  LOG:  duration: 1.0 ms  statement: EXECUTE login('hunter2') /* password */\n";
    let [state, json] = ["before.state", "before.json"].map(|name| folder.path().join(name).display().to_string());
    run(&["digest", "--show-secrets", "--state", &state], before.as_bytes());
    run(&["digest", "--show-secrets", "-o", &json], before.as_bytes());
    let refused = run(&["digest", "--baseline", &json], b"LOG:  duration: 1.0 ms  statement: SELECT 1\n");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("before.json shows secrets"), "{refused:?}");
    for format in ["text", "json", "html", "markdown"] {
        let after = b"LOG:  duration: 1.0 ms  statement: SELECT 1\n";
        let output = run(&["digest", "--baseline", &state, "--format", format], after);
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.contains("ALTER ROLE") || report.contains("DO"), "{format}: {report}");
        assert!(!report.contains("hunter2"), "{format}: {report}");
    }
}

#[test]
fn statements_that_differ_in_a_password_are_one_query() {
    let log = "LOG:  statement: ALTER ROLE a PASSWORD 'abc'\nLOG:  statement: ALTER ROLE a PASSWORD 'def'\n";
    for options in [&[][..], &["--show-secrets"]] {
        let output = run(&[&["digest", "--format", "json"], options].concat(), log.as_bytes());
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((document["distinct_queries"].as_u64(), document["statements"].as_u64()), (Some(1), Some(2)));
    }
}

#[test]
fn secrets_of_dropped_statements_are_masked() {
    let line = |sql: &str, millis: u32| format!("LOG:  duration: {millis}.000 ms  statement: {sql}\n");
    // The digest drops the statement with the secret, because its parser error is rarer than the other parser errors.
    // This statement is the slowest of the dropped statements, so it becomes the example of all dropped statements.
    let others = (0..12_000).map(|number| line(&format!("SELEC{} 1", number % 6000), 1));
    let log = line("UPDATE users SET password = 'hunter' WHERE (", 9000) + &others.collect::<String>();
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state").display().to_string();
    let limited = |more: &[&str]| run(&[&["digest", "--max-memory", "300kB"], more].concat(), log.as_bytes());
    let outputs = ["json", "html", "markdown"].map(|format| limited(&["--format", format]).stdout);
    assert!(limited(&["--state", &state]).status.success());
    let merged = run(&["digest", "--format", "json", "--merge", &state], b"").stdout;
    for output in outputs.into_iter().chain([merged]) {
        let text = String::from_utf8(output).unwrap();
        assert!(!text.is_empty() && !text.contains("hunter"), "{text}");
    }
}

#[test]
fn statements_that_name_a_secret_and_need_a_number_still_parse() {
    let statements = [
        "ALTER TABLE users ADD COLUMN token varchar(6464), ADD secret numeric(6464, 64)",
        "ALTER TABLE t ALTER a SET DATA TYPE boolean USING a = t.password",
        "ALTER ROLE token SET TIME ZONE INTERVAL '6464' HOUR TO MINUTE",
        "ALTER TABLE users ALTER COLUMN password SET STATISTICS 6464",
        "ALTER ROLE a PASSWORD 'x' CONNECTION LIMIT 6464",
        "CREATE SEQUENCE token START 6464 INCREMENT -6464 CACHE 6464",
        "CREATE FUNCTION token(int) RETURNS int LANGUAGE sql COST 6464 ROWS 6464 AS 'select 6464'",
        "CREATE TABLE token PARTITION OF p FOR VALUES WITH (MODULUS 6464, REMAINDER 64)",
        "CREATE INDEX ON token (a) WITH (fillfactor = 6464)",
        "COPY token TO STDOUT (FORMAT csv, HEADER 6464)",
        "ALTER TABLE token ALTER a TYPE interval(6464), SET (autovacuum_vacuum_threshold = 6464)",
    ];
    let log: String = statements.iter().map(|sql| format!("LOG:  statement: {sql}\n")).collect();
    for format in ["json", "markdown", "html"] {
        let output = run(&["digest", "--format", format], log.as_bytes());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && !text.contains("6464"), "{text}");
        if format == "json" {
            let document: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(document["distinct_queries"], statements.len(), "{text}");
        }
    }
}

#[test]
fn anonymous_reports_have_no_names_and_no_values() {
    let log = "2026-01-31 12:00:00.000 UTC [7] zaphod@heartofgold LOG:  duration: 1.5 ms  statement: SELECT marvin FROM trillian \
               WHERE fordprefect = 'vogon' AND n = 424242\n\
               2026-01-31 12:00:00.000 UTC [7] zaphod@heartofgold ERROR:  magrathea is 'slartibartfast'\n\
               2026-01-31 12:00:00.000 UTC [7] zaphod@heartofgold STATEMENT:  SELECT marvin FROM trillian\n";
    let words = [
        "zaphod",
        "heartofgold",
        "marvin",
        "trillian",
        "fordprefect",
        "vogon",
        "424242",
        "magrathea",
        "slartibartfast",
    ];
    for format in ["text", "json", "csv", "markdown", "html"] {
        let args =
            ["digest", "--anonymize", "--format", format, "--from", "stderr", "--log-line-prefix", "%m [%p] %u@%d "];
        let text = String::from_utf8(run(&args, log.as_bytes()).stdout).unwrap();
        let seen: Vec<_> = words.iter().filter(|word| text.contains(**word)).collect();
        assert!(seen.is_empty(), "{format}: {seen:?}");
        assert!(format == "csv" || text.contains("--anonymize"), "{format} does not say so");
    }
    let output = run(
        &["normalize", "--anonymize"],
        b"SELECT 'vogon' FROM marvin; ALTER ROLE ford PASSWORD 'vogon'; SELECT interval 'vogon'",
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!words.iter().any(|word| text.contains(word)), "{text}");
}

/// Statements with the name `marvin`, which anonymized output must not contain. The parser's message may repeat the
/// name. In one statement, the name directly follows a parameter.
const NAMES: [&str; 7] = [
    "SELECT 1 FROM a.b.marvin.d",
    "SELECT * FROM x.y.z.marvin",
    "SELECT $1marvin",
    "SELECT 1 LIMIT 1 marvin 2",
    "ALTER ROLE r marvin",
    "CREATE FUNCTION f() RETURNS marvin%TYPE LANGUAGE plpgsql AS $$ BEGIN RETURN y; marvin; END $$",
    "SELECT json_value('x', 'y' RETURNING json FORMAT JSON ENCODING marvin)",
];

#[test]
fn anonymous_messages_have_no_names() {
    let script = NAMES.map(|sql| format!("{sql};\n")).concat() + "SELECT 1;\n";
    for args in [
        "digest --format text",
        "digest --format json",
        "digest --format csv",
        "digest --format html",
        "export --format csv",
        "export --format json",
        "normalize",
        "normalize --format json",
    ] {
        let args: Vec<&str> = args.split(' ').chain(["--anonymize", "--from", "sql"]).collect();
        let output = run(&args, script.as_bytes());
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output);
        assert!(!text.contains("marvin"), "{args:?}: {text}");
        assert!(text.contains("dotted names): ***") || args[0] == "export", "{args:?}: {text}");
    }
}

/// If a statement is cut or names a secret, its messages are masked at least as much as those of any other statement.
#[test]
fn values_without_quotes_are_masked_in_messages_of_all_statements() {
    let folder = tempdir().unwrap();
    for (case, sql) in ["SELECT 1".into(), format!("SELECT '{}'", "x".repeat(5000)), "SET a.password = x".into()]
        .into_iter()
        .enumerate()
    {
        let row = format!(
            "2026-01-31 12:00:00.000 UTC,\"ann\",\"shop\",7,\"10.0.0.7:5\",abc.1,1,\"SELECT\",2026-01-31 12:00:00 UTC,1/1,0,\
             WARNING,P0001,\"some password=hunter2 here\",,,,,,\"{sql}\",,,\"app\",\"client backend\",,0\n"
        );
        let log = write(folder.path(), &format!("{case}.csv"), row);
        let state = folder.path().join(format!("{case}.state")).display().to_string();
        assert!(run(&["digest", "--state", &state, &log], b"").status.success());
        let warnings = |args: &[&str]| {
            let digest = run(&[&["digest", "--format", "json"], args].concat(), b"").stdout;
            serde_json::from_slice::<serde_json::Value>(&digest).unwrap()["warning_kinds"].to_string()
        };
        let text = warnings(&[&log]);
        assert_eq!(text, warnings(&["--merge", &state]), "{case}");
        assert!(text.contains("some password=***") && !text.contains("hunter2"), "{case}: {text}");
    }
}

#[test]
fn plans_of_statements_with_secrets_are_masked() {
    // A plan contains the SQL of its statement, in the format of auto_explain.log_format.
    let sql = "SET my.password TO hunter2; SELECT login(4711)";
    let json = serde_json::to_string(&json!({"Query Text": sql, "Plan": {"Filter": "a = \"4711\""}})).unwrap();
    let plans = [
        format!("Query Text: {sql}\nResult  (cost=0.00..0.01 rows=1 width=4)"),
        format!("Query Text: {}\nPlan: \n  Filter: \"a = 4711\"", json!(sql)),
        format!("<explain><Query-Text>{sql}</Query-Text></explain>"),
        json,
    ];
    let folder = TempDir::new().unwrap();
    for plan in plans {
        let head = "2026-01-31 12:00:00.000 UTC [7] ann@shop LOG:  duration: 1.0 ms  ";
        let plan = plan.replace('\n', "\n\t");
        let log = write(folder.path(), "log", format!("{head}plan:\n\t{plan}\n{head}statement: {sql}\n"));
        for (output, text) in outputs("stderr", &log, &[]) {
            assert!(!text.contains("hunter2") && !text.contains("4711"), "{output}: {text}");
        }
    }
}
