//! A step of a plan: a statement to execute, with its facts from the log. The run decides from the SQL whether to send
//! it.

use serde::{Deserialize, Serialize};

/// The protocol that sent a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Protocol {
    /// Sent as SQL text.
    Simple,
    /// Prepared and bound.
    Extended,
}

/// Why a statement cannot be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Skip {
    /// The log truncated its start or end.
    Truncated,
    /// A parameter ends in `...`, because log_parameter_max_length cut it.
    CutParameters,
    /// Its parameter values are not in the log.
    NoParameters,
    /// It needs COPY data, which the log does not have.
    CopyData,
    /// It is not UTF-8 or contains a NUL byte.
    NotText,
    /// A later fetch from a cursor. The log does not have the number of rows, and the first execution fetches all rows.
    Fetch,
    /// A fast-path function call. The log has the function's name but not its arguments.
    Fastpath,
    /// Several statements in one text, without `--writes`.
    Several,
}

impl Skip {
    /// Returns a description in the plural.
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
    /// Start in microseconds since 1970.
    pub start: i64,
    /// Position in the log.
    pub sequence: u64,
    /// Number of the session, counted from 0.
    pub session: u32,
    /// Whether it is the session's last step.
    pub is_last: bool,
    pub protocol: Protocol,
    pub skip: Option<Skip>,
    /// `None` if the SQL does not parse.
    pub fingerprint: Option<u64>,
    /// Duration in microseconds.
    pub duration: Option<u64>,
    /// SQLSTATE of the statement's error. Empty if the log does not have the code.
    pub error: Option<String>,
    pub user: String,
    pub database: String,
    pub application: String,
    /// Name of the prepared statement.
    pub statement: String,
    pub sql: String,
    pub params: Vec<Option<String>>,
}

impl Step {
    /// Appends the step as a line of JSON.
    pub fn write(&self, out: &mut Vec<u8>) {
        serde_json::to_writer(&mut *out, self).expect("memory takes everything");
        out.push(b'\n');
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Creates a step with a start and a position in the log.
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
