//! What goes wrong around the program: readers and files that go away, signals, full disks,
//! broken logs. No panic, no complete record lost, no half line, the right exit code.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// A folder of the test's own, gone when it ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pgq-faults-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgq"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn pgq(args: &[&str], input: &[u8]) -> Output {
    let mut child = command(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    output
}

/// Lines of a log, each a statement of its own.
fn log(lines: usize) -> String {
    let line = |i| format!("2026-01-31 12:00:00.123 UTC [{}] LOG:  duration: 1.5 ms  statement: SELECT {i}\n", i % 7);
    (0..lines).map(line).collect()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Every line that came out is whole.
fn whole_lines(stdout: &[u8]) -> usize {
    let text = std::str::from_utf8(stdout).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "half a line: {:?}", text.lines().last());
    for line in text.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    }
    text.lines().count()
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let folder = Folder::new("pipe");
    let file = folder.file("log", log(200_000));
    for jobs in ["1", "4"] {
        let args = ["fingerprint", "--from", "stderr", "--format", "json", "--jobs", jobs, &file];
        let mut child = command(&args).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        assert!(!err(&output).contains("error"), "{}", err(&output));
    }
}

/// Starts on a pipe that stays open, and reads the first record.
fn started(args: &[&str]) -> (Child, BufReader<std::process::ChildStdout>, std::process::ChildStdin) {
    let mut child = command(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(log(3).as_bytes()).unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.ends_with("}\n"), "{first}");
    (child, stdout, stdin)
}

#[test]
fn signals_end_it_between_records() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        for jobs in ["1", "3"] {
            let args = ["fingerprint", "--from", "stderr", "--format", "json", "--jobs", jobs];
            let (mut child, mut stdout, mut stdin) = started(&args);
            let more = std::thread::spawn(move || while stdin.write_all(log(100).as_bytes()).is_ok() {});
            let mut some = vec![0; 100_000];
            stdout.read_exact(&mut some).unwrap();
            let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
            assert!(kill.success());
            let mut rest = Vec::new();
            stdout.read_to_end(&mut rest).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(code));
            more.join().unwrap();
            some.extend(rest);
            whole_lines(&some);
        }
    }
}

#[test]
fn a_signal_ends_it_where_nobody_reads() {
    let folder = Folder::new("stuck");
    let file = folder.file("log", log(200_000));
    let mut child = command(&["fingerprint", "--from", "stderr", "--format", "json", &file]).spawn().unwrap();
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap();
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(child.wait().unwrap().code()));
    assert_eq!(receive.recv_timeout(std::time::Duration::from_secs(30)), Ok(Some(130)));
}

#[test]
fn a_full_disk_is_an_error() {
    for args in
        [&["fingerprint"][..], &["parse"], &["parse", "--format", "json"], &["normalize", "--jobs", "2"], &["man"]]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut child = command(args).stdout(full).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"SELECT 1;").unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(err(&output).contains("No space left"), "{}", err(&output));
    }
}

#[test]
fn files_that_cannot_be_read_do_not_stop_the_others() {
    let folder = Folder::new("files");
    let good = folder.file("good", log(2));
    let gone = folder.0.join("gone").to_string_lossy().into_owned();
    let here = folder.0.to_string_lossy().into_owned();
    // A file whose bytes cannot be had, of which there is one on Linux.
    let mut files = vec![good.as_str(), &gone, &here, &good];
    let mut refused = 2;
    if std::path::Path::new("/proc/self/mem").exists() {
        files.push("/proc/self/mem");
        refused += 1;
    }
    for jobs in ["1", "4"] {
        let args = [&["fingerprint", "--from", "stderr", "--format", "json", "--jobs", jobs], &files[..]].concat();
        let output = pgq(&args, b"");
        assert_eq!((whole_lines(&output.stdout), output.status.code()), (4, Some(2)));
        let errors = err(&output).lines().filter(|line| line.contains("error")).count();
        assert_eq!(errors, refused, "{}", err(&output));
    }
}

#[test]
fn a_read_that_fails_midway_loses_nothing_before_it() {
    let folder = Folder::new("midway");
    let plain = log(50_000);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(plain.as_bytes()).unwrap();
    let mut packed = gzip.finish().unwrap();
    let middle = packed.len() / 2;
    packed[middle..middle + 64].fill(0xAA);
    let file = folder.file("log.gz", packed);
    let all = pgq(&["fingerprint", "--from", "stderr", "--format", "json", "--jobs", "2"], plain.as_bytes()).stdout;
    let output = pgq(&["fingerprint", "--from", "stderr", "--format", "json", "--jobs", "2", &file], b"");
    assert_eq!(output.status.code(), Some(2));
    let expected = String::from_utf8(all).unwrap().replace("<stdin>", &file);
    let seen = String::from_utf8(output.stdout.clone()).unwrap();
    // What is garbled may come out as something; what came before it is right.
    let same = seen.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    assert!(same > 10_000, "{same}");
    whole_lines(&output.stdout);
}

#[test]
fn rubbish_costs_only_itself() {
    let folder = Folder::new("rubbish");
    let lines = log(1000);
    let cut = lines.len() / 2 + 17;
    let rubbish: Vec<u8> = (0..5000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let text = [&lines.as_bytes()[..cut], &rubbish, b"\n", lines.as_bytes()].concat();
    let file = folder.file("log", text);
    let output = pgq(&["fingerprint", "--from", "stderr", "--format", "json", &file], b"");
    let count = whole_lines(&output.stdout);
    assert!((1499..=1501).contains(&count), "{count}");
    assert!(err(&output).contains("lines not understood"), "{}", err(&output));
}

#[test]
fn two_logs_in_one_are_both_there() {
    let (a, b) = (log(500), log(500).replace("[", "[9"));
    let mixed: String = a.lines().zip(b.lines()).map(|(a, b)| format!("{a}\n{b}\n")).collect();
    let output = pgq(&["fingerprint", "--from", "stderr", "--format", "json"], mixed.as_bytes());
    assert_eq!(whole_lines(&output.stdout), 1000);
}

#[test]
fn a_file_that_is_cut_short_while_it_is_read_ends_there() {
    let folder = Folder::new("short");
    let file = folder.file("log", log(400_000));
    let mut child =
        command(&["fingerprint", "--from", "stderr", "--format", "json", "--jobs", "2", &file]).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut some = vec![0; 10_000];
    stdout.read_exact(&mut some).unwrap();
    std::fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(1000).unwrap();
    stdout.read_to_end(&mut some).unwrap();
    let status = child.wait().unwrap();
    assert!(status.signal().is_none() && status.code().is_some_and(|code| code < 2), "{status}");
    whole_lines(&some);
}

/// Limits the address space to so many kilobytes, as `ulimit -v` does.
fn limited(kilobytes: u32, args: &[&str], file: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_pgq")]);
    shell.args(args).arg(file).env("RUST_BACKTRACE", "0").stdin(Stdio::null()).output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn memory_that_is_out_is_an_error() {
    let folder = Folder::new("memory");
    let numbers: Vec<String> = (0..300_000).map(|number| number.to_string()).collect();
    let wide = folder.file("wide", format!("SELECT * FROM t WHERE a IN ({})", numbers.join(",")));
    let deep = folder.file("deep", format!("SELECT 1{}", " + 1".repeat(100_000)));
    let (mut out, mut answered) = (0, 0);
    for (kilobytes, file) in
        [30_000, 60_000, 90_000, 150_000, 250_000, 400_000, 800_000].into_iter().flat_map(|k| [(k, &wide), (k, &deep)])
    {
        for args in [&["fingerprint", "--jobs", "1"][..], &["normalize"], &["parse", "--format", "json"]] {
            let output = limited(kilobytes, args, file);
            let said = err(&output);
            match output.status.code() {
                Some(2) => {
                    assert!(said.contains("out of memory") || said.contains("memory"), "{kilobytes} {args:?}: {said}");
                    assert!(output.stdout.is_empty(), "{kilobytes} {args:?}");
                    out += 1;
                }
                Some(0) => answered += 1,
                // Deep, and no memory for the stack.
                Some(1) => assert!(said.contains("stack depth limit"), "{kilobytes} {args:?}: {said}"),
                _ => panic!("{kilobytes} kB: {args:?}: {}: {said}", output.status),
            }
        }
    }
    println!("{out} runs out of memory, {answered} answered");
    assert!(out > 0 && answered > 0);
}

#[test]
fn a_reader_that_goes_away_ends_every_command_quietly() {
    let folder = Folder::new("pipes");
    let file = folder.file("script", "SELECT a, 'b' FROM t WHERE c = 1;\n".repeat(50_000));
    for args in
        [&["parse"][..], &["parse", "--format", "json"], &["deparse", "--from", "sql"], &["normalize"], &["scan"]]
    {
        let mut child = command(args).arg(&file).spawn().unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", err(&output));
        assert!(!err(&output).contains("error"), "{args:?}: {}", err(&output));
    }
}
