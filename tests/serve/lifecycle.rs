//! Tests the daemon's socket and process: which users can connect, which existing sockets the daemon replaces, and how
//! a signal ends the daemon.

use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pgq_frames::{ErrorCode, MAGIC, Operation, request};
use rustix::process::Signal;
use wait_timeout::ChildExt;

use crate::client::Frames;
use crate::common::left_out::left_out;
use crate::common::program::{PGQ, run, stderr};
use crate::daemon::{Daemon, PATIENCE};

#[test]
fn the_socket_is_its_users_alone() {
    let daemon = Daemon::start(&[]);
    let metadata = std::fs::metadata(&daemon.socket).unwrap();
    assert!(metadata.file_type().is_socket());
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
}

/// Connects to the daemon as another user and returns the output. If this is impossible on the machine, returns the
/// reason.
fn as_another_user(daemon: &Daemon) -> Result<String, &'static str> {
    if !rustix::process::geteuid().is_root() {
        return Err("only root can become another user");
    }
    let script = "import socket,sys\ns=socket.socket(socket.AF_UNIX)\ntry:\n s.connect(sys.argv[1])\n \
                  s.sendall(b'{\"op\":\"hello\"}\\n')\n print('answer:', s.recv(100))\n\
                  except OSError as e:\n print('error:', e)\n";
    let socket = daemon.socket.to_string_lossy();
    let line = format!("python3 -c \"$SCRIPT\" '{socket}'");
    let mut command = Command::new("su");
    let output = command.args(["nobody", "-s", "/bin/sh", "-c", &line]).env("SCRIPT", script).current_dir("/").output();
    let output = output.map_err(|_| "there is no su")?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if printed.is_empty() { Err("su or python3 does not run as nobody") } else { Ok(printed) }
}

#[test]
fn no_other_user_is_served() {
    let daemon = Daemon::start(&[]);
    let folder = daemon.socket.parent().unwrap();
    std::fs::set_permissions(folder, PermissionsExt::from_mode(0o755)).unwrap();
    match as_another_user(&daemon) {
        Err(why) => return left_out("another user at the socket of serve", why),
        Ok(printed) => assert!(printed.starts_with("error:") && printed.contains("Permission denied"), "{printed}"),
    }
    // The connection is refused even if the file's mode allows access, because the daemon checks the peer's user.
    std::fs::set_permissions(&daemon.socket, PermissionsExt::from_mode(0o666)).unwrap();
    let printed = as_another_user(&daemon).unwrap();
    assert!(printed == "answer: b''\n" || printed.starts_with("error:"), "{printed}");
    assert!(Frames::begin(daemon.connect()).ask(Operation::Hello, 0, b"").is_ok());
}

#[test]
fn a_stale_socket_is_taken_over_and_a_living_one_is_not() {
    let mut first = Daemon::start(&[]);
    let socket = first.socket.to_string_lossy().into_owned();
    let second = run(&["serve", "--socket", &socket], b"");
    assert_eq!(second.status.code(), Some(2));
    assert!(stderr(&second).contains("another pgq serve listens on"), "{}", stderr(&second));
    assert!(Frames::begin(first.connect()).ask(Operation::Hello, 0, b"").is_ok());
    // A killed daemon leaves its socket.
    first.signal(Signal::KILL);
    first.wait();
    assert!(first.socket.exists());
    let mut next = Command::new(PGQ).args(["serve", "--socket", &socket]).stderr(Stdio::piped()).spawn().unwrap();
    let since = Instant::now();
    let stream = loop {
        match UnixStream::connect(&socket) {
            Ok(stream) => break stream,
            Err(error) => assert!(since.elapsed() < PATIENCE, "{error}"),
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(Frames::begin(stream).ask(Operation::Hello, 0, b"").is_ok());
    next.kill().unwrap();
    next.wait().unwrap();
}

#[test]
fn a_socket_with_a_full_queue_is_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let listener = UnixListener::bind(&socket).unwrap();
    rustix::net::listen(&listener, 0).unwrap();
    let _waiting = UnixStream::connect(&socket).unwrap();
    let output = run(&["serve", "--socket", socket.to_str().unwrap()], b"");
    assert!(stderr(&output).contains("another program listens on"), "{}", stderr(&output));
    assert!(socket.exists());
}

#[test]
fn what_is_not_pgqs_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    std::fs::write(path("file"), "precious").unwrap();
    let output = run(&["serve", "--socket", &path("file")], b"");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("is not a socket"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(path("file")).unwrap(), "precious");
    let _other = UnixListener::bind(path("other")).unwrap();
    let output = run(&["serve", "--socket", &path("other")], b"");
    assert!(stderr(&output).contains("another program listens"), "{}", stderr(&output));
    let output = run(&["serve", "--socket", &path("no/such/folder")], b"");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("cannot open"), "{}", stderr(&output));
}

#[test]
fn a_signal_lets_what_is_under_way_be_answered() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut daemon = Daemon::start(&["--jobs", "1"]);
        let socket = daemon.socket.clone();
        let mut busy = Frames::begin(daemon.connect());
        let mut idle = Frames::begin(daemon.connect());
        idle.ask(Operation::Hello, 0, b"").unwrap();
        let texts: Vec<String> = (0..5000).map(|n| format!("SELECT a{n} FROM t{n} WHERE b{n} = {n}")).collect();
        busy.send_batch(1, Operation::Tree, 0, &texts);
        // When the first bytes of the answer arrive, the daemon has read the batch.
        busy.await_bytes();
        daemon.signal(signal);
        // Requests sent before the signal are answered completely. Then the daemon sends `shutting_down`.
        let first = busy.receive().expect("an answer");
        assert_eq!((first.id, first.items.len()), (1, texts.len()));
        assert!(first.items.iter().all(Result::is_ok) && first.frames > 1);
        let farewell = idle.receive().expect("a farewell");
        assert_eq!((farewell.id, farewell.items[0].as_ref().unwrap_err().code), (0, ErrorCode::ShuttingDown));
        assert_eq!(idle.receive(), None);
        assert_eq!(busy.receive().map(|whole| whole.id), Some(0));
        assert_eq!(busy.receive(), None);
        assert_eq!(daemon.wait().code(), Some(0));
        assert!(!socket.exists() && !socket.with_extension("sock.lock").exists());
    }
}

#[test]
fn standard_input_and_output_serve_one_client() {
    let mut command = Command::new(PGQ);
    let mut child = command.args(["serve", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut bytes = MAGIC.to_vec();
    let texts: Vec<String> = (0..50_000).map(|n| format!("SELECT {n}")).collect();
    request::write_batch(&mut bytes, 1, Operation::Both as u8, 0, &texts);
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        stdin.write_all(&bytes).unwrap();
    });
    let mut answers = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut answers).unwrap();
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
    let (mut at, mut items) = (0, 0);
    while at < answers.len() {
        let (answer, used) = pgq_frames::Answer::read(&answers[at..], 1 << 30).unwrap().expect("whole frames");
        items += answer.items().unwrap().len();
        at += used;
    }
    assert_eq!(items, texts.len());
}

#[test]
fn a_signal_ends_the_daemon_although_its_client_reads_no_answers() {
    let mut command = Command::new(PGQ);
    let mut child = command.args(["serve", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut bytes = MAGIC.to_vec();
    let texts = vec!["SELECT a, b, c FROM t WHERE a = 1 AND b = 2"; 20_000];
    request::write_batch(&mut bytes, 1, Operation::Tree as u8, 0, &texts);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&bytes).unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), Signal::TERM).unwrap();
    let status = child.wait_timeout(Duration::from_secs(30)).unwrap();
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
}

#[test]
fn a_socket_of_systemd_is_served_and_not_removed() {
    let Ok(output) = Command::new("python3").arg("--version").output() else {
        return left_out("socket activation of serve", "there is no python3");
    };
    assert!(output.status.success());
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("activated.sock");
    // Like systemd, the script listens, passes the socket as descriptor 3 and executes pgq.
    let script = "import os,socket,sys\ns=socket.socket(socket.AF_UNIX)\ns.bind(sys.argv[1])\ns.listen()\n\
                  os.dup2(s.fileno(),3)\nos.set_inheritable(3,True)\n\
                  os.environ.update(LISTEN_FDS='1',LISTEN_PID=str(os.getpid()))\n\
                  os.execv(sys.argv[2],[sys.argv[2],'serve'])\n";
    let mut child = Command::new("python3").args(["-c", script]).arg(&socket).arg(PGQ).spawn().unwrap();
    let since = Instant::now();
    while UnixStream::connect(&socket).is_err() {
        assert!(since.elapsed() < PATIENCE, "nobody listens");
        std::thread::sleep(Duration::from_millis(5));
    }
    let stream = UnixStream::connect(&socket).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    assert!(Frames::begin(stream).ask(Operation::Fingerprint, 0, b"SELECT 1").is_ok());
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(socket.exists());
}

#[test]
fn a_lock_that_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("a.sock").to_string_lossy().into_owned();
    let lock = format!("{socket}.lock");
    // The lock file is a named pipe. The daemon must not wait for a reader of the pipe.
    assert!(Command::new("mkfifo").arg(&lock).status().unwrap().success());
    let output = run(&["serve", "--socket", &socket], b"");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("a.sock.lock"), "{}", stderr(&output));
    std::fs::remove_file(&lock).unwrap();
    let elsewhere = folder.path().join("elsewhere");
    std::os::unix::fs::symlink(&elsewhere, &lock).unwrap();
    let output = run(&["serve", "--socket", &socket], b"");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("a.sock.lock"), "{}", stderr(&output));
    assert!(!elsewhere.exists());
    // A daemon that does not start leaves no lock file.
    std::fs::remove_file(&lock).unwrap();
    std::fs::write(&socket, "precious").unwrap();
    assert_eq!(run(&["serve", "--socket", &socket], b"").status.code(), Some(2));
    assert!(!std::path::Path::new(&lock).exists() && std::path::Path::new(&socket).exists());
}

#[test]
fn what_has_taken_the_place_of_the_socket_stays() {
    let mut daemon = Daemon::start(&[]);
    std::fs::remove_file(&daemon.socket).unwrap();
    std::fs::write(&daemon.socket, "precious").unwrap();
    daemon.signal(Signal::TERM);
    assert_eq!(daemon.wait().code(), Some(0));
    assert_eq!(std::fs::read_to_string(&daemon.socket).unwrap(), "precious");
}
