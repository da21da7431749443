//! Generates records of PostgreSQL logs for property tests: statements of various kinds, users and durations, errors,
//! statements that do not parse, and invalid lines.

use std::fmt;

use proptest::prelude::*;

pub const PREFIX: &str = "%m [%p] %u@%d ";

/// A record of one or several lines.
#[derive(Debug, Clone)]
pub struct Record {
    second: u32,
    millisecond: u32,
    pid: u32,
    user: &'static str,
    microseconds: u64,
    /// Last letter of a table name. It is not a digit, because fingerprints ignore digits at the end of table names.
    table: char,
    value: u32,
    message: Message,
}

#[derive(Debug, Clone)]
enum Message {
    Select,
    /// An IN list with this number of values.
    InList(usize),
    /// A statement on two lines.
    Update,
    /// A statement of the extended protocol, with parameters.
    Execute,
    /// A failed statement. The error message contains this number.
    Error(u32),
    /// A statement that does not parse.
    Invalid,
    /// A line without the prefix.
    Garbage,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { second, millisecond, pid, user, microseconds, table, value, message } = self;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let head = format!("2026-01-31 {hour:02}:{minute:02}:{second:02}.{millisecond:03} UTC [{pid}] {user}@shop");
        let log = format!("{head} LOG:  duration: {}.{:03} ms ", microseconds / 1000, microseconds % 1000);
        match message {
            Message::Select => writeln!(f, "{log} statement: SELECT a FROM t_a{table} WHERE b = '{value}'"),
            Message::InList(length) => {
                writeln!(f, "{log} statement: SELECT * FROM t WHERE a IN ({value}{})", ", 1".repeat(*length))
            }
            Message::Update => writeln!(f, "{log} statement: UPDATE t_b{table}\n\tSET a = {value}"),
            Message::Execute => {
                writeln!(f, "{log} execute s: SELECT $1 FROM t_c{table}")?;
                writeln!(f, "{head} DETAIL:  parameters: $1 = '{value}'")
            }
            Message::Error(number) => {
                writeln!(f, "{head} ERROR:  no {number}")?;
                writeln!(f, "{head} STATEMENT:  SELECT {value} FROM t_d{table}")
            }
            Message::Invalid => writeln!(f, "{log} statement: SELEC {table}"),
            Message::Garbage => writeln!(f, "garbage"),
        }
    }
}

pub fn record() -> impl Strategy<Value = Record> {
    let message = prop_oneof![
        6 => Just(Message::Select),
        1 => (0..4usize).prop_map(Message::InList),
        1 => Just(Message::Update),
        1 => Just(Message::Execute),
        1 => (0..5u32).prop_map(Message::Error),
        1 => Just(Message::Invalid),
        1 => Just(Message::Garbage),
    ];
    // Durations of every order of magnitude, up to an hour.
    let microseconds = (0..32u32).prop_flat_map(|bits| 0..1u64 << bits);
    let user = prop::sample::select(vec!["ann", "bob", ""]);
    (0..40_000u32, 0..1000u32, 0..20u32, user, microseconds, prop::char::range('a', 'z'), 0..1000u32, message).prop_map(
        |(second, millisecond, pid, user, microseconds, table, value, message)| Record {
            second,
            millisecond,
            pid,
            user,
            microseconds,
            table,
            value,
            message,
        },
    )
}
