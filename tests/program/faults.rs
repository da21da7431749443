//! Faults outside the program: readers and files that disappear, signals, full disks, exhausted memory, damaged logs.
//! The program does not panic, loses no complete record, writes no incomplete line, and exits with the right code.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::left_out::left_out;
use crate::common::program::{PGQ, command, run, stderr, write};
use rayon::prelude::*;
use tempfile::tempdir;
use wait_timeout::ChildExt;

/// Arguments for reading a log and printing a record per statement.
const RECORDS: [&str; 5] = ["fingerprint", "--from", "stderr", "--format", "json"];

/// Returns a log of different statements.
pub fn log(records: usize) -> String {
    let record = |i| format!("2026-01-31 12:00:00.123 UTC [{}] LOG:  duration: 1.5 ms  statement: SELECT {i}\n", i % 7);
    (0..records).map(record).collect()
}

/// Checks that every line is complete JSON. Returns the number of lines.
fn complete_lines(stdout: &[u8]) -> usize {
    let text = std::str::from_utf8(stdout).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "an incomplete line: {:?}", text.lines().last());
    for line in text.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    }
    text.lines().count()
}

fn send_signal(signal: &str, child: &Child) {
    let status = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_reader_that_disappears_ends_the_program_quietly() {
    let folder = tempdir().unwrap();
    let log = write(folder.path(), "log", log(200_000));
    let script = write(folder.path(), "script", "SELECT a, 'b' FROM t WHERE c = 1;\n".repeat(50_000));
    let records = |jobs| [&RECORDS[..], &["--jobs", jobs, &log]].concat();
    for args in [
        records("1"),
        records("4"),
        vec!["parse", &script],
        vec!["parse", "--format", "json", &script],
        vec!["deparse", "--from", "sql", &script],
        vec!["normalize", &script],
        vec!["scan", &script],
    ] {
        let mut child = command(&args).spawn().unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("error"), "{args:?}: {}", stderr(&output));
    }
}

/// Starts the program on a pipe that stays open, and reads the first record.
fn start_on_pipe(mut command: Command) -> (Child, BufReader<ChildStdout>, ChildStdin) {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(log(3).as_bytes()).unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.ends_with("}\n"), "{first}");
    (child, stdout, stdin)
}

#[test]
fn signals_end_the_program_between_records() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        for jobs in ["1", "3"] {
            let (mut child, mut stdout, mut stdin) =
                start_on_pipe(command(&[&RECORDS[..], &["--jobs", jobs]].concat()));
            let writer = std::thread::spawn(move || while stdin.write_all(log(100).as_bytes()).is_ok() {});
            let mut output = vec![0; 100_000];
            stdout.read_exact(&mut output).unwrap();
            let reader = std::thread::spawn(move || stdout.read_to_end(&mut output).map(|_| output));
            send_signal(signal, &child);
            assert_eq!(child.wait().unwrap().code(), Some(code));
            writer.join().unwrap();
            complete_lines(&reader.join().unwrap().unwrap());
        }
    }
}

/// Some programs leave their standard input in non-blocking mode.
#[cfg(unix)]
#[test]
fn a_pipe_without_data_yet_is_not_empty() {
    use rustix::pipe::{PipeFlags, pipe_with};
    for args in [&["split"][..], &["digest", "--format", "csv"]] {
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK).unwrap();
        let child = command(args).stdin(reader).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        let line = b"LOG:  duration: 1.0 ms  statement: SELECT 1\n";
        std::fs::File::from(writer).write_all(line).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        assert!(String::from_utf8_lossy(&output.stdout).contains("SELECT "), "{args:?}: {output:?}");
    }
}

/// `nohup` starts a program with SIGHUP ignored. A shell without job control starts a background program (`&`) with
/// SIGINT ignored. pgq continues to ignore SIGHUP, but reacts to SIGINT even if it was started with SIGINT ignored.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_sighup_stays_ignored() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP INT; exec \"$0\" \"$@\"", PGQ]).args(RECORDS);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped());
    let (mut child, _stdout, _stdin) = start_on_pipe(shell);
    send_signal("HUP", &child);
    assert_eq!(child.wait_timeout(Duration::from_millis(300)).unwrap(), None);
    send_signal("INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_signal_ends_the_program_while_nobody_reads_its_output() {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "log", log(200_000));
    let mut child = command(&RECORDS).arg(&file).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    send_signal("INT", &child);
    let status = child.wait_timeout(Duration::from_secs(30)).unwrap();
    assert_eq!(status.expect("it ends within 30 seconds").code(), Some(130));
}

#[test]
fn a_full_disk_is_an_error() {
    for args in [
        &["fingerprint"][..],
        &["parse"],
        &["parse", "--format", "json"],
        &["normalize", "--jobs", "2"],
        &["man"],
        &["help", "digest"],
        #[cfg(unix)]
        &["serve", "--stdio"],
        &["--version"],
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut child = command(args).stdout(full).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(b"SELECT 1;"); // the last commands do not read it
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains("No space left"), "{}", stderr(&output));
    }
}

#[test]
fn unreadable_files_do_not_stop_the_others() {
    let folder = tempdir().unwrap();
    let good = write(folder.path(), "good", log(2));
    let missing = folder.path().join("missing").to_string_lossy().into_owned();
    let directory = folder.path().join("empty").to_string_lossy().into_owned();
    std::fs::create_dir(&directory).unwrap();
    let mut files = vec![good.as_str(), &missing, &directory, &good];
    // On Linux, this file can be opened but not read.
    let unreadable = "/proc/self/mem";
    if std::path::Path::new(unreadable).exists() {
        files.push(unreadable);
    }
    for jobs in ["1", "4"] {
        let output = run(&[&RECORDS[..], &["--jobs", jobs], &files].concat(), b"");
        assert_eq!((complete_lines(&output.stdout), output.status.code()), (4, Some(2)));
        let errors = stderr(&output).lines().filter(|line| line.contains("error")).count();
        assert_eq!(errors, files.len() - 2, "{}", stderr(&output));
    }
}

#[test]
fn a_damaged_gzip_file_loses_no_record_before_the_damage() {
    let folder = tempdir().unwrap();
    let plain = log(50_000);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(plain.as_bytes()).unwrap();
    let mut compressed = gzip.finish().unwrap();
    let middle = compressed.len() / 2;
    compressed[middle..middle + 64].fill(0xAA);
    let file = write(folder.path(), "log.gz", compressed);
    let args = [&RECORDS[..], &["--jobs", "2"]].concat();
    let expected = String::from_utf8(run(&args, plain.as_bytes()).stdout).unwrap().replace("<stdin>", &file);
    let output = run(&[&args[..], &[&file]].concat(), b"");
    assert_eq!(output.status.code(), Some(2));
    complete_lines(&output.stdout);
    // The damaged block may be decompressed to different text, but the records before this block are unchanged.
    let stdout = String::from_utf8(output.stdout).unwrap();
    let same = stdout.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    assert!(same > 10_000, "{same}");
}

#[test]
fn random_bytes_in_a_log_cost_only_the_record_they_are_in() {
    let folder = tempdir().unwrap();
    let log = log(1000);
    let middle = log.len() / 2 + 17;
    let mut garbage = [0; 5000];
    fastrand::Rng::with_seed(1).fill(&mut garbage);
    let text = [&log.as_bytes()[..middle], &garbage, b"\n", log.as_bytes()].concat();
    let output = run(&[&RECORDS[..], &[&write(folder.path(), "log", text)]].concat(), b"");
    let count = complete_lines(&output.stdout);
    assert!((1499..=1501).contains(&count), "{count}");
    assert!(stderr(&output).contains("lines not understood"), "{}", stderr(&output));
}

#[test]
fn records_of_two_servers_in_one_log_are_all_read() {
    let (a, b) = (log(500), log(500).replace("[", "[9"));
    let mixed: String = a.lines().zip(b.lines()).map(|(a, b)| format!("{a}\n{b}\n")).collect();
    assert_eq!(complete_lines(&run(&RECORDS, mixed.as_bytes()).stdout), 1000);
}

#[test]
fn a_file_that_is_truncated_while_it_is_read_is_an_error() {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "log", log(400_000));
    let mut child = command(&RECORDS).args(["--jobs", "2", &file]).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut output = vec![0; 10_000];
    stdout.read_exact(&mut output).unwrap();
    // Only a part is cut off that pgq has not read yet.
    OpenOptions::new().write(true).open(&file).unwrap().set_len(20_000_000).unwrap();
    stdout.read_to_end(&mut output).unwrap();
    complete_lines(&output);
    let end = child.wait_with_output().unwrap();
    assert_eq!(end.status.code(), Some(2));
    assert!(stderr(&end).contains("log: was truncated by another program"), "{}", stderr(&end));
}

#[test]
fn a_file_that_is_replaced_before_it_is_opened_is_an_error() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    write(folder.path(), "a.log.1", log(20));
    write(folder.path(), "a.log", log(10));
    write(folder.path(), "b.log", log(10));
    let child = command(&RECORDS).args([path("pipe"), path("a.log.1"), path("a.log"), path("b.log")]).spawn().unwrap();
    // The writer can open the pipe as soon as pgq has listed its inputs and opened the pipe.
    let mut pipe = OpenOptions::new().write(true).open(path("pipe")).unwrap();
    std::fs::rename(path("a.log"), path("a.log.1")).unwrap();
    write(folder.path(), "a.log", log(5));
    std::fs::remove_file(path("b.log")).unwrap();
    assert!(Command::new("mkfifo").arg(path("b.log")).status().unwrap().success());
    pipe.write_all(log(1).as_bytes()).unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert_eq!((complete_lines(&output.stdout), output.status.code()), (1, Some(2)));
    assert_eq!(stderr(&output).matches(": was replaced before pgq opened it").count(), 3, "{}", stderr(&output));
}

/// Runs the program with its address space limited to a number of kilobytes.
fn run_limited(kilobytes: u32, args: &[&str], file: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\""), PGQ]);
    shell.args(args).arg(file).env("RUST_BACKTRACE", "0").stdin(Stdio::null()).output().unwrap()
}

#[test]
fn running_out_of_memory_is_an_error() {
    if !cfg!(target_os = "linux") {
        return left_out("running out of memory", "only Linux limits the address space of a process");
    }
    let folder = tempdir().unwrap();
    let numbers: Vec<String> = (0..300_000).map(|number| number.to_string()).collect();
    let wide = write(folder.path(), "wide", format!("SELECT * FROM t WHERE a IN ({})", numbers.join(",")));
    let deep = write(folder.path(), "deep", format!("SELECT 1{}", " + 1".repeat(100_000)));
    let (errors, results) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // Find the minimum memory with which the program starts.
    let starts = |limit: &u32| run_limited(*limit, &["--version"], "").status.success();
    let least = (30_000..300_000).step_by(10_000).find(starts).expect("300 MB are enough");
    // With the limits close to the minimum, memory is exhausted while the stacks grow.
    let limits = [least, least + 30_000, least + 60_000, least + 120_000, 400_000, 800_000];
    let limits = limits.into_iter().chain((240_000..300_000).step_by(4_000));
    let runs: Vec<_> = limits.flat_map(|limit| [(limit, &wide), (limit, &deep)]).collect();
    runs.into_par_iter().for_each(|(kilobytes, file)| {
        for args in [&["fingerprint", "--jobs", "1"][..], &["normalize"], &["parse", "--format", "json"]] {
            let output = run_limited(kilobytes, args, file);
            let message = stderr(&output);
            match output.status.code() {
                Some(2) => {
                    assert!(message.contains("memory"), "{kilobytes} {args:?}: {message}");
                    assert!(output.stdout.is_empty(), "{kilobytes} {args:?}");
                    errors.fetch_add(1, Ordering::Relaxed);
                }
                Some(0) => _ = results.fetch_add(1, Ordering::Relaxed),
                // There is no memory for the stack of a deep statement.
                Some(1) => assert!(message.contains("stack depth limit"), "{kilobytes} {args:?}: {message}"),
                _ => panic!("{kilobytes} kB: {args:?}: {}: {message}", output.status),
            }
        }
    });
    let (errors, results) = (errors.into_inner(), results.into_inner());
    println!("{errors} runs out of memory, {results} with a result");
    assert!(errors > 0 && results > 0);
}

/// On a server, `#option dump` makes PL/pgSQL print the function to standard output. pgq uses the same C code, but must
/// not print the function.
const DUMP: &str = "DO $$\n#option dump\nBEGIN PERFORM 1; END $$;\n\
                    CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS '#option dump\nBEGIN RETURN new; END';\n";

#[test]
fn c_code_writes_to_no_descriptor() {
    let folder = tempdir().unwrap();
    let script = write(folder.path(), "dump.sql", DUMP);
    for args in ["parse --plpgsql --format json", "fingerprint --function-bodies --format json", "check --format json"]
    {
        let args: Vec<&str> = args.split(' ').chain([script.as_str()]).collect();
        let output = run(&args, b"");
        assert_eq!(stderr(&output), "", "{args:?}");
        assert!(complete_lines(&output.stdout) > 0, "{args:?}");
        // If the standard streams are closed, the next opened files get the descriptors 0, 1 and 2. Output of C code
        // would damage these files.
        let result = folder.path().join("result");
        let command = format!("{PGQ} {} --output {} <&- >&- 2>&-", args.join(" "), result.display());
        let status = Command::new("sh").args(["-c", &command]).status().unwrap();
        assert!(status.success(), "{command}: {status}");
        assert_eq!(std::fs::read(&result).unwrap(), output.stdout, "{command}");
        assert_eq!(std::fs::read_to_string(&script).unwrap(), DUMP);
    }
}

#[test]
fn a_change_of_another_program_during_formatting_is_kept() {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "long.sql", "select  a from t;\n".repeat(20_000));
    let mut format = Command::new(PGQ).args(["format", &file]).stderr(Stdio::piped()).spawn().unwrap();
    let mut appended = 0;
    while format.try_wait().unwrap().is_none() {
        writeln!(OpenOptions::new().append(true).open(&file).unwrap(), "-- {appended}").unwrap();
        appended += 1;
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = format.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).contains("long.sql: has changed since it was read, and is left unchanged"), "{output:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap().matches("-- ").count(), appended);
}

#[test]
fn standard_input_that_is_open_only_for_writing_is_empty() {
    let folder = tempdir().unwrap();
    let file = std::fs::File::create(folder.path().join("file")).unwrap();
    let output = Command::new(PGQ).arg("normalize").stdin(file).output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

#[test]
fn utf_32_is_refused_by_its_byte_order_mark() {
    let folder = tempdir().unwrap();
    let table = "query\n\"select 1\"\n".chars();
    let little: Vec<u8> = "\u{feff}".chars().chain(table.clone()).flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let big: Vec<u8> = "\u{feff}".chars().chain(table).flat_map(|c| u32::from(c).to_be_bytes()).collect();
    for bytes in [little, big] {
        for (name, command) in [("a.sql", "normalize"), ("a.csv", "normalize"), ("a.log", "digest"), ("a", "export")] {
            let path = write(folder.path(), name, &bytes);
            let output = run(&[command, &path], b"");
            let message = stderr(&output);
            assert!(output.status.code() == Some(2) && message.contains("is UTF-32 by its byte"), "{name}: {message}");
        }
    }
}
