//! A step of a plan: a statement to execute, and what the log says of it. It carries no decision: what is sent, the run
//! decides by the text.

use serde::{Deserialize, Serialize};

/// How a statement was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Protocol {
    /// As a text.
    Simple,
    /// Prepared and bound.
    Extended,
}

/// Why a statement cannot be executed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Skip {
    /// The log has lost an end of it.
    Truncated,
    /// A parameter ends in `...`: log_parameter_max_length has cut it.
    CutParameters,
    /// It has parameters, and the log has not got their values.
    NoParameters,
    /// It takes data that the log does not have.
    CopyData,
    /// It is not UTF-8, or holds a NUL byte.
    NotText,
    /// A further part of a cursor's rows: how many were fetched is not in the log, and its first execution fetches all.
    Fetch,
    /// A function that was called by the protocol's fast path: the log has its name, and not its arguments.
    Fastpath,
    /// A text of several statements, without --writes.
    Several,
}

impl Skip {
    /// What it is, in the plural.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Truncated => "truncated in the log",
            Self::CutParameters => "with parameters that the log has cut (log_parameter_max_length)",
            Self::NoParameters => "with parameters whose values are not in the log",
            Self::CopyData => "COPY FROM STDIN, whose data is not in the log",
            Self::Fetch => "fetches from cursors of the protocol: all rows come with the first",
            Self::NotText => "not UTF-8",
            Self::Fastpath => "calls by the fast path, whose arguments are not in the log",
            Self::Several => "several statements in one text (--writes sends them)",
        }
    }
}

/// A statement to execute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// When it was started, in microseconds since 1970.
    pub start: i64,
    /// Its place in the log.
    pub sequence: u64,
    /// The number of its session, from 0.
    pub session: u32,
    /// Whether it is the session's last.
    pub is_last: bool,
    pub protocol: Protocol,
    pub skip: Option<Skip>,
    /// `None` for a text that does not parse.
    pub fingerprint: Option<u64>,
    /// How long it took, in microseconds.
    pub duration: Option<u64>,
    /// The SQLSTATE with which it failed; empty if the log says only that it failed.
    pub error: Option<String>,
    pub user: String,
    pub database: String,
    pub application: String,
    /// The name of the prepared statement.
    pub statement: String,
    pub sql: String,
    pub params: Vec<Option<String>>,
}

impl Step {
    /// Appends the step, as a line of JSON.
    pub fn write(&self, out: &mut Vec<u8>) {
        serde_json::to_writer(&mut *out, self).expect("memory takes everything");
        out.push(b'\n');
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A step at a time, with this place in the log.
    pub fn step(start: i64, sequence: u64) -> Step {
        Step {
            start,
            sequence,
            session: 0,
            is_last: false,
            protocol: Protocol::Extended,
            skip: None,
            fingerprint: Some(7),
            duration: Some(1500),
            error: None,
            user: "ann".into(),
            database: "shop".into(),
            application: String::new(),
            statement: "s1".into(),
            sql: "SELECT $1, $2".into(),
            params: vec![Some("größe".into()), None],
        }
    }

    #[test]
    fn steps_are_read_as_they_were_written() {
        let other = Step {
            is_last: true,
            protocol: Protocol::Simple,
            skip: Some(Skip::NotText),
            fingerprint: None,
            duration: None,
            error: Some(String::new()),
            params: Vec::new(),
            ..step(-1, 2)
        };
        for step in [step(i64::MAX, 1), other] {
            let mut bytes = Vec::new();
            step.write(&mut bytes);
            assert_eq!(serde_json::from_slice::<Step>(&bytes).unwrap(), step);
        }
    }
}
