//! Counts the instructions of the program on a server's log: `pgq fingerprint` of the same statements in each log
//! format, and `pgq digest` with the first format. Counts the whole run, because reading, assembling and processing are
//! interleaved. The baseline is PostgreSQL's parser, run once for every statement of the log.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Number of copies of each statement in the log. The copies differ in their constants. With this many copies, the
/// instructions of the program's start are negligible.
pub const ROUNDS: usize = 100;

/// Number of sessions. Their statements are interleaved.
const SESSIONS: usize = 5;

const PREFIX: &str = "%m [%p] %q%u@%d %a %c ";

/// A run of the program.
pub struct LogRun {
    /// The name of the result.
    pub name: &'static str,
    args: &'static [&'static str],
    line: fn(&mut String, &Execution),
}

/// An execution of a statement, as reported by a log line.
struct Execution {
    number: usize,
    sql: String,
}

pub const RUNS: [LogRun; 4] = [
    LogRun {
        name: "stderr",
        args: &["fingerprint", "-j1", "--from", "stderr", "--log-line-prefix", PREFIX],
        line: stderr_line,
    },
    LogRun { name: "csvlog", args: &["fingerprint", "-j1", "--from", "csvlog"], line: csvlog_row },
    LogRun { name: "jsonlog", args: &["fingerprint", "-j1", "--from", "jsonlog"], line: jsonlog_object },
    LogRun {
        name: "digest",
        args: &["digest", "-j1", "--from", "stderr", "--log-line-prefix", PREFIX],
        line: stderr_line,
    },
];

impl LogRun {
    /// Writes a log of the statements to a file in `folder`. Returns the program's arguments.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn arguments(&self, statements: &[String], folder: &Path) -> std::io::Result<Vec<PathBuf>> {
        let mut log = String::new();
        for round in 0..ROUNDS {
            for (index, sql) in statements.iter().enumerate() {
                let number = round * statements.len() + index;
                (self.line)(&mut log, &Execution { number, sql: with_other_numbers(sql, round) });
            }
        }
        let path = folder.join(format!("instructions.{}.log", self.name));
        std::fs::write(&path, log)?;
        Ok(self.args.iter().map(PathBuf::from).chain([path]).collect())
    }
}

/// Replaces the digits of numbers outside of strings and names, so that the copies of a statement differ only in
/// constants.
fn with_other_numbers(sql: &str, round: usize) -> String {
    let (mut in_string, mut in_word) = (false, false);
    let other = |c: char| {
        in_string ^= c == '\'';
        in_word = c.is_alphabetic() || "_$".contains(c) || in_word && c.is_ascii_digit();
        match c.to_digit(10) {
            Some(digit) if !in_string && !in_word => {
                char::from_digit((digit + round as u32) % 9 + 1, 10).expect("a digit")
            }
            _ => c,
        }
    };
    sql.chars().map(other).collect()
}

impl Execution {
    fn pid(&self) -> usize {
        20_000 + self.number % SESSIONS
    }

    fn time(&self) -> String {
        let millis = self.number * 3;
        format!("2026-01-31 12:{:02}:{:02}.{:03} UTC", millis / 60_000 % 60, millis / 1000 % 60, millis % 1000)
    }

    fn message(&self) -> String {
        let micros = self.number * 7919 % 100_003;
        format!("duration: {}.{:03} ms  statement: {}", micros / 1000, micros % 1000, self.sql)
    }
}

fn stderr_line(log: &mut String, execution: &Execution) {
    let (time, pid) = (execution.time(), execution.pid());
    let message = execution.message().replace('\n', "\n\t");
    writeln!(log, "{time} [{pid}] app@shop carts 697de900.{pid:x} LOG:  {message}").expect("a string");
}

fn csvlog_row(log: &mut String, execution: &Execution) {
    let (time, pid, line) = (execution.time(), execution.pid(), execution.number / SESSIONS + 1);
    writeln!(
        log,
        "{time},\"app\",\"shop\",{pid},\"10.0.0.7:5{pid}\",697de900.{pid:x},{line},\"SELECT\",2026-01-31 11:59:00 UTC,3/{line},0,\
         LOG,00000,\"{}\",,,,,,,,,\"carts\",\"client backend\",,0",
        execution.message().replace('"', "\"\"")
    )
    .expect("a string");
}

fn jsonlog_object(log: &mut String, execution: &Execution) {
    let (time, pid, line) = (execution.time(), execution.pid(), execution.number / SESSIONS + 1);
    writeln!(
        log,
        "{{\"timestamp\":\"{time}\",\"user\":\"app\",\"dbname\":\"shop\",\"pid\":{pid},\"remote_host\":\"10.0.0.7\",\
         \"remote_port\":5{pid},\"session_id\":\"697de900.{pid:x}\",\"line_num\":{line},\"ps\":\"SELECT\",\
         \"session_start\":\"2026-01-31 11:59:00 UTC\",\"vxid\":\"3/{line}\",\"txid\":0,\"error_severity\":\"LOG\",\
         \"message\":{},\"application_name\":\"carts\",\"backend_type\":\"client backend\",\"query_id\":0}}",
        serde_json::Value::from(execution.message())
    )
    .expect("a string");
}
