//! Runs the tests of the Go and Python clients against `pgq serve`. Also runs a Perl client against it.

use std::path::Path;
use std::process::Command;

use crate::common::left_out::left_out;
use crate::common::program::PGQ;
use crate::common::project::project_file;
use crate::daemon::Daemon;
use crate::postgres_server;

/// Runs the tests of a client in its folder. Sets `PGQ_PROGRAM` to the path of the tested pgq.
fn run(what: &str, folder: &str, program: &str, probe: &[&str], arguments: &[&str]) {
    let there = Command::new(program).args(probe).output().is_ok_and(|output| output.status.success());
    if !there {
        return left_out(what, &format!("{program} {} does not run", probe.join(" ")));
    }
    let settings = postgres_server::shared(&format!("{what} and PostgreSQL"))
        .map(|server| format!("host={} port={} user=postgres dbname=postgres", server.folder.display(), server.port));
    let folder = project_file(folder);
    assert!(Path::new(&folder).is_dir());
    let mut command = Command::new(program);
    let output = command
        .args(arguments)
        .current_dir(&folder)
        .env("PGQ_PROGRAM", PGQ)
        .env("PGQ_SERVER", settings.unwrap_or_default())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what}: {printed}");
    println!("{printed}");
}

#[test]
fn go() {
    run("the Go client of serve", "clients/go", "go", &["version"], &["test", "-count=1", "./..."]);
}

#[test]
fn python() {
    let arguments = ["-m", "unittest", "discover", "-s", "tests/client", "-t", "."];
    run("the Python client of serve", "clients/python", "python3", &["-c", "import asyncio"], &arguments);
}

#[test]
fn the_page_of_the_protocol_is_enough_for_a_client() {
    let probe = Command::new("perl").args(["-MIO::Socket::UNIX", "-e", "1"]).output();
    if !probe.is_ok_and(|output| output.status.success()) {
        return left_out("a client of serve in Perl", "perl with IO::Socket::UNIX does not run");
    }
    let daemon = Daemon::start(&[]);
    let script = project_file("tests/serve/protocol.pl");
    let output = Command::new("perl").arg(script).arg(&daemon.socket).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && printed.is_empty(), "{printed}");
}
