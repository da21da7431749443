//! Compares `pgq digest` with a real server. Needs Python 3 and a PostgreSQL server in /usr/lib/postgresql.
//!
//! truth.py runs clients under random settings, counts the rows of the csvlog without pgq, and compares the digests of
//! csvlog, jsonlog and stderr with these counts. `PGQ_TRUTH` sets the number of rounds (default 20), and `PGQ_SEED`
//! sets the first seed.
//!
//! large.py lets a server write one long csvlog. It compares every figure and list of the digest, in every format, with
//! counts of the log's rows. `PGQ_LARGE` sets the number of statements (default 3,000).

use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../common/left_out.rs"]
mod left_out;
#[path = "../common/setting.rs"]
mod setting;

/// Number of servers that run at the same time.
const SERVERS: usize = 4;

/// Returns the `bin` folder of the newest installed server that supports jsonlog.
fn server() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let servers = folders.filter(|folder| folder.path().join("bin/initdb").is_file()).filter_map(|folder| {
        let version: u32 = folder.file_name().to_string_lossy().parse().ok()?;
        (version >= 15).then_some((version, folder.path().join("bin")))
    });
    servers.max().map(|(_, bin)| bin)
}

fn copy(from: &Path, to: &Path) {
    std::fs::copy(from, to).unwrap_or_else(|problem| panic!("{}: {problem}", from.display()));
}

#[test]
fn every_figure_is_that_of_the_rows_or_said() {
    let (rounds, seed) = (setting::setting("PGQ_TRUTH", 20), setting::setting("PGQ_SEED", 1));
    // A round spends most of its time waiting for the server's logs. Therefore the rounds are divided among several
    // servers, which run at the same time.
    let first = |server: usize| rounds * server / SERVERS;
    std::thread::scope(|scope| {
        for server in 0..SERVERS {
            let (from, to) = (first(server), first(server + 1));
            scope.spawn(move || run("truth.py", &format!("{} {}", to - from, seed + from)));
        }
    });
}

#[test]
fn every_list_of_a_log_with_many_users_is_that_of_the_rows() {
    run("large.py", &setting::setting("PGQ_LARGE", 3000).to_string());
}

/// Runs a script. Passes it the path of pgq, the folder of the server's programs, an empty folder, and `arguments`.
fn run(script: &str, arguments: &str) {
    let Some(bin) = server() else {
        return left_out::left_out("truth", "no PostgreSQL 15 or later in /usr/lib/postgresql");
    };
    if Command::new("python3").arg("--version").output().is_err() {
        return left_out::left_out("truth", "no python3");
    }
    // The server may run as a different user, who needs access to the whole folder.
    let name = format!("pgq-{script}-{}-{}", arguments.replace(' ', "-"), std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(folder.join("server")).unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for name in ["truth.py", "large.py", "count.py", "workload.py", "protocol.py"] {
        copy(&tests.join("truth").join(name), &folder.join(name));
    }
    copy(&tests.join("digest/recompute.py"), &folder.join("recompute.py"));
    copy(Path::new(env!("CARGO_BIN_EXE_pgq")), &folder.join("pgq"));
    Command::new("chmod").args(["-R", "a+rwX"]).arg(&folder).status().unwrap();
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    let line = format!(
        "cd '{0}' && PYTHONDONTWRITEBYTECODE=1 python3 {script} '{0}/pgq' '{1}' '{0}/server' {arguments}",
        folder.display(),
        bin.display()
    );
    let mut command = if is_root { Command::new("su") } else { Command::new("sh") };
    if is_root {
        command.args(["postgres", "-s", "/bin/sh"]);
    }
    let ran = command.args(["-c", &line]).output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    let _ = std::fs::remove_dir_all(&folder);
    println!("{}", text.lines().last().unwrap_or_default());
    assert!(ran.status.success(), "{text}");
}
