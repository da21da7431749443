//! A PostgreSQL server for tests. It stops when the test process ends, even after a crash.
#![allow(dead_code, reason = "not every test needs all of it")]

#[allow(clippy::duplicate_mod, reason = "tests of the package pgq include the same file")]
#[path = "../../../../tests/common/left_out.rs"]
mod left_out;

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

pub use self::left_out::left_out;
use pgq_postgres::{Client, Environment, Settings};

/// Shell script that starts a server and prints its folder. At the end of standard input, the script stops the server
/// and removes the folder.
const SCRIPT: &str = r#"
set -eu
work=$(mktemp -d)
cd "$work"
stop() { "$bin/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || :; rm -rf "$work"; }
trap stop EXIT
"$bin/initdb" -D data -U postgres -A trust --no-sync -E UTF8 --locale=C.UTF-8 >/dev/null
cat >> data/postgresql.conf <<CONF
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$work'
fsync = off
max_connections = 30
$conf
CONF
cat > data/pg_hba.conf <<HBA
local all all trust
host all trusted all trust
host all plain all password
host all hashed all md5
host all scram all scram-sha-256
hostssl all encrypted all scram-sha-256
HBA
if [ "$tls" = yes ]; then
    # An authority, and the certificate of a server called localhost.
    openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=authority 2>/dev/null
    openssl req -newkey rsa:2048 -nodes -keyout data/server.key -out server.csr -subj /CN=localhost 2>/dev/null
    printf 'subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n' > extensions
    openssl x509 -req -sha384 -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile extensions \
        -out data/server.crt 2>/dev/null
    openssl req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.crt -days 2 -subj /CN=other 2>/dev/null
    chmod 0600 data/server.key
    echo 'ssl = on' >> data/postgresql.conf
fi
"$bin/pg_ctl" -D "$work/data" -w -l "$work/log" start >/dev/null
chmod 0755 "$work"
[ "$tls" = no ] || chmod 0644 ca.crt other.crt
echo "$work"
cat >/dev/null
"#;

/// Users for the pg_hba.conf in [`SCRIPT`].
const ROLES: &str = "
    CREATE ROLE trusted LOGIN SUPERUSER;
    CREATE ROLE plain LOGIN PASSWORD 'pass word';
    CREATE ROLE scram LOGIN PASSWORD 'pass word';
    CREATE ROLE encrypted LOGIN PASSWORD 'pass word';
    SET password_encryption = 'md5';
    CREATE ROLE hashed LOGIN PASSWORD 'pass word';
";

/// A running server.
pub struct Server {
    shell: Child,
    /// Folder of the server, with `data`, sockets and certificates.
    pub folder: PathBuf,
    pub port: u16,
    bin: PathBuf,
}

impl Server {
    /// Starts a server. Returns the reason if it cannot be started.
    pub fn start(tls: bool) -> Result<Self, String> {
        let bin = programs().ok_or("initdb is not installed (PostgreSQL's server)")?;
        Self::start_from(bin, tls, "")
    }

    /// Starts a server with the programs in `bin` and additional configuration lines.
    pub fn start_from(bin: PathBuf, tls: bool, conf: &str) -> Result<Self, String> {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self::start_at(bin, tls, conf, port)
    }

    /// Starts a server at `port`. Another server may use the same port at a different address.
    pub fn start_at(bin: PathBuf, tls: bool, conf: &str, port: u16) -> Result<Self, String> {
        let tls = if tls { "yes" } else { "no" };
        let script = format!("bin='{}' port={port} tls={tls} conf=\"{conf}\"\n{SCRIPT}", bin.display());
        let mut shell = if is_root() { Command::new("su") } else { Command::new("sh") };
        shell.args(if is_root() { &["postgres", "-s", "/bin/sh", "-c"][..] } else { &["-c"] }).arg(script);
        let mut shell = shell.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut folder = String::new();
        BufReader::new(shell.stdout.take().unwrap()).read_line(&mut folder).unwrap();
        if folder.is_empty() {
            return Err(format!("the server could not be started: {}", shell.wait().unwrap()));
        }
        let server = Self { shell, folder: folder.trim().into(), port, bin };
        server.client("").run(ROLES).unwrap();
        Ok(server)
    }

    /// Returns settings for a connection to the Unix socket as the user postgres. `more` contains further settings.
    pub fn settings(&self, more: &str) -> Settings {
        self.settings_for(&format!("host={} user=postgres dbname=postgres {more}", self.folder.display()))
    }

    /// Returns settings for TCP without TLS.
    pub fn tcp(&self, more: &str) -> Settings {
        self.settings_for(&format!("host=localhost hostaddr=127.0.0.1 sslmode=disable dbname=postgres {more}"))
    }

    /// Returns the settings in the connection string `text`, with the server's port.
    pub fn settings_for(&self, text: &str) -> Settings {
        Settings::from_text(&format!("port={} {text}", self.port), &environment()).unwrap()
    }

    /// Returns a client on the Unix socket.
    pub fn client(&self, more: &str) -> Client {
        Client::connect(&self.settings(more)).unwrap()
    }

    /// Returns the path of one of the server's programs, such as `pgbench`. Looks in the folder of initdb, with
    /// symbolic links resolved. If the program is not there, returns only its name, so that PATH is searched.
    pub fn program(&self, name: &str) -> PathBuf {
        let initdb = self.bin.join("initdb").canonicalize().unwrap();
        Some(initdb.with_file_name(name)).filter(|path| path.is_file()).unwrap_or_else(|| name.into())
    }

    /// Restarts the server to apply settings that it reads only at the start.
    pub fn restart(&self) {
        self.pg_ctl(&format!("-w -m fast -l '{}/log' restart", self.folder.display()));
    }

    /// Runs pg_ctl, for example `stop -m immediate`.
    pub fn pg_ctl(&self, arguments: &str) {
        let line = format!("'{}/pg_ctl' -D '{}/data' {arguments}", self.bin.display(), self.folder.display());
        let mut shell = if is_root() { Command::new("su") } else { Command::new("sh") };
        shell.args(if is_root() { &["postgres", "-s", "/bin/sh", "-c"][..] } else { &["-c"] }).arg(line);
        assert!(shell.current_dir("/").stdout(Stdio::null()).status().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

/// Returns the server that all tests of a file share. Without PostgreSQL, prints the reason and returns `None`.
pub fn shared(check: &str) -> Option<&'static Server> {
    static SHARED: OnceLock<Result<Server, String>> = OnceLock::new();
    let server = SHARED.get_or_init(|| Server::start(false)).as_ref();
    server.map_err(|why| left_out(check, why)).ok()
}

/// Returns a dedicated server for one test.
pub fn own(check: &str, tls: bool) -> Option<Server> {
    Server::start(tls).map_err(|why| left_out(check, &why)).ok()
}

/// Returns an empty environment.
pub fn environment() -> Environment {
    Environment { variables: HashMap::new(), home: None, user: Some("postgres".into()), socket_folder: "/tmp".into() }
}

/// Returns the first value of each row of a query's result, as text.
pub fn texts(client: &mut Client, sql: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let take = |answer: pgq_postgres::QueryAnswer<'_>| {
        if let pgq_postgres::QueryAnswer::Row(row) = answer {
            let value = row.values().unwrap()[0].map(|value| String::from_utf8(value.to_vec()).unwrap());
            texts.push(value.unwrap_or("NULL".into()));
        }
    };
    client.query(sql, take).unwrap();
    texts
}

pub fn is_root() -> bool {
    Command::new("id").arg("-u").output().unwrap().stdout == b"0\n"
}

/// Returns the folder that contains initdb. Searches PATH first, then Debian's folders, from the newest version down.
pub fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = debian.map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    std::env::split_paths(&path).chain(versions.into_iter().rev()).find(|dir| dir.join("initdb").is_file())
}
