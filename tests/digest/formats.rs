//! Tests that a log is not counted twice if the input contains it twice, in one format or in two.

use std::fmt::Write as _;
use std::path::Path;

use super::common::program::{run, stderr, stdout_of, write};
use super::{assert_same, fixture};
use tempfile::tempdir;

/// Milliseconds since 12:00, process ID and text.
type Message = (u64, u32, String);

/// Returns messages of one server. Each seed yields the messages of a different server.
fn messages(seed: u64, count: u64) -> Vec<Message> {
    let statement = |number: u64| match number % 3 {
        0 => "BEGIN".to_string(),
        1 => format!("SELECT {},\n\t'a'", number * seed),
        _ => "COMMIT".to_string(),
    };
    let micros = |number: u64| (number * 7919 + seed * 104_729) % 9973;
    let text = |number: u64| format!("duration: 1.{:03} ms  statement: {}", micros(number) % 1000, statement(number));
    (0..count).map(|number| (number * 20 + micros(number) % 20, 30 + (number % 7) as u32, text(number))).collect()
}

fn time(millis: u64) -> String {
    let (seconds, millis) = (millis / 1000, millis % 1000);
    format!("2026-01-31 {:02}:{:02}:{:02}.{millis:03}", 12 + seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn csvlog(messages: &[Message]) -> String {
    let row = |(millis, pid, text): &Message| {
        let time = time(*millis);
        format!(
            "{time} CET,\"u\",\"d\",{pid},\"[local]\",65b.{pid:x},1,\"SELECT\",2026-01-31 11:00:00 CET,3/7,0,LOG,00000,\
             \"{text}\",,,,,,,,,\"\",\"client backend\",,0\n"
        )
    };
    messages.iter().map(row).collect()
}

fn jsonlog(messages: &[Message]) -> String {
    let row = |(millis, pid, text): &Message| {
        let time = format!("{} CET", time(*millis));
        let row = serde_json::json!({ "timestamp": time, "pid": pid, "error_severity": "LOG", "message": text });
        format!("{row}\n")
    };
    messages.iter().map(row).collect()
}

/// Returns a stderr log. `prefix` returns the prefix of a message.
fn stderr_log(messages: &[Message], prefix: impl Fn(u64, u32) -> String) -> String {
    messages.iter().fold(String::new(), |mut log, (millis, pid, text)| {
        let _ = writeln!(log, "{}LOG:  {}", prefix(*millis, *pid), text.replace('\n', "\n\t"));
        log
    })
}

/// Returns the prefix of a message with `log_line_prefix = '%m [%p] '`.
fn usual(millis: u64, pid: u32) -> String {
    format!("{} CET [{pid}] ", time(millis))
}

/// Runs a command for files in a folder. Returns its exit code, its errors, and the length of its output.
fn outcome(command: &[&str], folder: &Path, files: &[&str]) -> (i32, String, usize) {
    let paths = files.iter().map(|file| folder.join(file).to_string_lossy().into_owned()).collect::<Vec<_>>();
    let args: Vec<&str> = command.iter().copied().chain(paths.iter().map(String::as_str)).collect();
    let output = run(&args, b"");
    (output.status.code().unwrap(), stderr(&output), output.stdout.len())
}

fn is_refused(command: &[&str], folder: &Path, files: [&str; 2]) {
    let (code, errors, len) = outcome(command, folder, &files);
    assert_eq!((code, len), (2, 0), "{command:?} {files:?}: {errors}");
    let [first, second] = files.map(|file| folder.join(file).to_string_lossy().into_owned());
    assert!(
        errors.contains(&format!("{second}: contains messages of {first}, which would be counted twice")),
        "{errors}"
    );
}

#[test]
fn a_log_in_two_formats_is_read_once() {
    let files = ["log.csv", "log.json", "log.log"].map(fixture);
    for turn in 0..files.len() {
        let mut files = files.clone();
        files.rotate_left(turn);
        let args = ["digest", "--format", "json"];
        let output = run(&[&args[..], &files.each_ref().map(String::as_str)].concat(), b"");
        assert_same(
            &String::from_utf8(output.stdout.clone()).unwrap(),
            &stdout_of(&[&args[..], &[&files[0]]].concat()),
            &files[0],
        );
        let refused = stderr(&output).matches("begins with the same messages as").count();
        assert_eq!((output.status.code(), refused), (Some(2), 2), "{}", stderr(&output));
    }
}

#[test]
fn a_log_in_two_formats_is_refused_wherever_its_files_begin() {
    let folder = tempdir().unwrap();
    let log = messages(1, 600);
    write(folder.path(), "log.csv", csvlog(&log[..400]));
    for (part, from, to) in [("shorter", 1, 400), ("later", 390, 600), ("earlier", 0, 5), ("inner", 100, 200)] {
        // `log` contains some of the messages of log.csv, but its first message is not the first message of log.csv.
        // If `part` is `earlier`, `log` consists of a message of another server and the first five messages of log.csv.
        let log =
            if part == "earlier" { [messages(2, 1), log[..to].to_vec()].concat() } else { log[from..to].to_vec() };
        let seconds = |millis: u64| time(millis)[..19].to_string();
        for (name, text) in [
            ("log.json", jsonlog(&log)),
            ("usual.log", stderr_log(&log, usual)),
            ("seconds.log", stderr_log(&log, |millis, pid| format!("{} CET [{pid}]: ", seconds(millis)))),
            ("no_process.log", stderr_log(&log, |millis, _| format!("< {} CET > ", time(millis)))),
            (
                "unix.log",
                stderr_log(&log, |millis, pid| {
                    format!("{}.{:03} [{pid}] ", 1_769_857_200 + millis / 1000, millis % 1000)
                }),
            ),
        ] {
            write(folder.path(), name, text);
            let digest = &[
                "digest",
                "--log-line-prefix",
                match name {
                    "seconds.log" => "%t [%p]: ",
                    "no_process.log" => "< %m > ",
                    "unix.log" => "%n [%p] ",
                    _ => "%m [%p] ",
                },
            ];
            is_refused(digest, folder.path(), ["log.csv", name]);
            is_refused(digest, folder.path(), [name, "log.csv"]);
        }
    }
    write(folder.path(), "log.json", jsonlog(&log[1..]));
    for command in [
        &["digest", "--jobs", "1"][..],
        &["digest", "--jobs", "4"],
        &["replay", "--dry-run"],
        &["fingerprint", "--count"],
        &["normalize", "--count"],
    ] {
        is_refused(command, folder.path(), ["log.csv", "log.json"]);
    }
    // A folder of files that the server rotated by their size.
    let rotated = tempdir().unwrap();
    write(rotated.path(), "1.csv", csvlog(&log[..200]));
    write(rotated.path(), "2.log", stderr_log(&log[150..450], usual));
    write(rotated.path(), "3.csv", csvlog(&log[200..400]));
    let (code, errors, len) = outcome(&["digest"], rotated.path(), &[""]);
    assert!((code, len) == (2, 0) && errors.contains("1.csv, which would be counted twice"), "{errors}");
}

#[test]
fn a_log_and_a_part_of_it_are_refused() {
    let folder = tempdir().unwrap();
    let log = messages(1, 600);
    let seconds = |millis: u64, pid: u32| format!("{} CET [{pid}]: ", &time(millis)[..19]);
    let extract: Vec<Message> = log.iter().filter(|(.., text)| text.contains("SELECT")).step_by(10).cloned().collect();
    type Write<'a> = &'a dyn Fn(&[Message]) -> String;
    let formats: [(&str, Write<'_>, &[&str]); 3] = [
        ("csv", &csvlog, &["digest"]),
        ("log", &|log| stderr_log(log, usual), &["digest"]),
        ("txt.log", &|log| stderr_log(log, seconds), &["digest", "--log-line-prefix", "%t [%p]: "]),
    ];
    for (extension, write_log, command) in formats {
        let [whole, part] = ["whole", "part"].map(|name| format!("{name}.{extension}"));
        write(folder.path(), &whole, write_log(&log[..400]));
        for part_of_log in [&log[1..400], &log[100..200], &log[300..], &log[390..391], &extract] {
            write(folder.path(), &part, write_log(part_of_log));
            is_refused(command, folder.path(), [&whole, &part]);
            is_refused(command, folder.path(), [&part, &whole]);
        }
    }
}

#[test]
fn rotated_logs_may_meet_in_one_second() {
    let folder = tempdir().unwrap();
    let statement =
        |number: u64| (number * 7, 30 + (number % 7) as u32, ["BEGIN", "COMMIT"][number as usize % 2].into());
    let log: Vec<Message> = (0..1000).map(statement).collect();
    let seconds = |millis: u64, pid: u32| format!("{} CET [{pid}]: ", &time(millis)[..19]);
    let text = |log: &[Message]| stderr_log(log, seconds).replace("LOG:  ", "LOG:  statement: ");
    write(folder.path(), "x.log.1", text(&log[..500]));
    write(folder.path(), "x.log", text(&log[500..]));
    let command = ["digest", "--log-line-prefix", "%t [%p]: "];
    let (code, errors, _) = outcome(&command, folder.path(), &["x.log.1", "x.log"]);
    assert_eq!(code, 0, "{errors}");
}

#[test]
fn a_large_log_in_two_formats_is_refused() {
    let folder = tempdir().unwrap();
    let log = messages(1, 60_000);
    write(folder.path(), "log.csv", csvlog(&log[..50_000]));
    write(folder.path(), "later.log", stderr_log(&log[48_000..], usual));
    write(folder.path(), "other.log", stderr_log(&messages(2, 50_000), usual));
    for jobs in ["1", "4"] {
        is_refused(&["digest", "--jobs", jobs], folder.path(), ["log.csv", "later.log"]);
        is_refused(&["digest", "--jobs", jobs], folder.path(), ["later.log", "log.csv"]);
        let (code, errors, _) = outcome(&["digest", "--jobs", jobs], folder.path(), &["log.csv", "other.log"]);
        assert_eq!(code, 0, "{errors}");
    }
}

#[test]
fn logs_with_other_messages_are_all_read() {
    let folder = tempdir().unwrap();
    let (log, other) = (messages(1, 400), messages(2, 400));
    let repeated = vec![(500, 30, "statement: COMMIT".to_string()); 100];
    for (name, text) in [
        ("first.csv", csvlog(&log[..200])),
        ("second.csv", csvlog(&log[200..])),
        ("second.json", jsonlog(&log[200..])),
        ("second.log", stderr_log(&log[200..], usual)),
        ("other.json", jsonlog(&other)),
        ("other.log", stderr_log(&other, usual)),
        ("repeated.csv", csvlog(&repeated)),
    ] {
        write(folder.path(), name, text);
    }
    for files in [
        ["first.csv", "second.csv"],  // rotated
        ["first.csv", "second.json"], // log_destination was changed
        ["second.log", "first.csv"],
        ["first.csv", "other.json"], // two servers with the same process IDs
        ["other.log", "first.csv"],
        ["repeated.csv", "first.csv"],
    ] {
        let (code, errors, _) = outcome(&["digest", "--format", "json"], folder.path(), &files);
        assert_eq!(code, 0, "{files:?} {errors}");
    }
}
