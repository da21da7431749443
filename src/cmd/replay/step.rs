//! A step of a replay: a statement to execute, and the log's data about this statement, such as its start and its
//! duration. During the run, pgq decides from the SQL whether to send the statement.

use std::io::Write;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::command::Command;

/// SQLSTATE of a syntax error.
const SYNTAX_ERROR: &str = "42601";

/// Why a statement cannot be replayed. The error texts are in the plural, because reports print them after a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error)]
pub enum Skip {
    /// The log truncated the start or the end of the statement.
    #[error("truncated in the log")]
    Truncated,
    /// The log does not contain the values of the parameters, or `log_parameter_max_length` has cut a value, which then
    /// ends in `...`.
    #[error("with parameters that the log lacks or has cut (log_parameter_max_length)")]
    Parameters,
    /// The statement is of a process that is not a client backend: a parallel worker (whose statement is its leader's),
    /// another background worker, or a walsender, which executes replication commands. Usually the log has no user or
    /// no database of such a process.
    #[error("of processes that are not client backends, such as parallel workers and walsenders")]
    NotOfClient,
    /// The statement is not UTF-8 or contains a NUL byte.
    #[error("not UTF-8")]
    NotText,
    /// The statement is longer than `--max-statement-bytes`.
    #[error("longer than --max-statement-bytes")]
    TooLong,
    /// The log entry is a repeated fetch from a portal (`execute fetch from …`). The log does not contain the number of
    /// rows to fetch. The replay therefore fetches all rows in the first execution, and skips this entry.
    #[error("fetches of a portal: its execution returns all rows, but its logged time excludes the fetches")]
    Fetch,
    /// pgq cannot parse the SQL, and `--writes` is not given.
    #[error("not parsed by pgq (--writes sends them)")]
    Unparsed,
    /// The SQL contains several statements. It is sent only with `--writes`, and only if the log has no syntax error
    /// for it. Such an error may mean that the server executed none of the statements, because the client used the
    /// extended protocol, which accepts only one statement. pgq would use the simple protocol, which executes all
    /// statements.
    #[error("several statements in one text (--writes sends them unless the log's server refused them)")]
    Several,
    /// `--writes` is not given, and the statement writes or may write. Either pgq did not send it, or the server
    /// refused it.
    #[error("they write or may write (--writes sends them)")]
    Write,
    /// `--writes` is not given, and the role lacks a right that the statement needs.
    #[error("refused, because the role lacks a right that they need (--writes accepts any role)")]
    Denied,
    /// The log's server refused to prepare the statement, because the session had prepared another statement of the
    /// same name. The log does not show this name, and with another name the statement would succeed.
    #[error("refused in the log, because the name of a prepared statement was taken (SQLSTATE 42P05)")]
    NameTaken,
    /// `--writes` is not given, and pgq's transaction does not have the cursor: pgq did not send its DECLARE, or the
    /// cursor was declared in another transaction of pgq.
    #[error("refused, because their cursor is not open in pgq's transaction (--writes keeps cursors)")]
    NoCursor,
    /// The log filters reject the statement. It is a step nevertheless, because it failed in the log and may have
    /// aborted a transaction block.
    #[error("rejected by the filters of the log")]
    Rejected,
    /// The statement is an EXECUTE or a DEALLOCATE, but the session has not prepared the statement of this name.
    #[error("EXECUTE or DEALLOCATE of statements that the session has not prepared")]
    NotPrepared,
    /// `--writes` is not given, and the statement sets a variable. pgq would have to repeat it in each of its
    /// transactions, but cannot: either the session has reached the limit for such statements, or the statement
    /// contains a backslash.
    #[error("settings with a backslash, or after the first 100 (or 64 kB) of their session (--writes sends them)")]
    Settings,
}

/// A statement to execute.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Start in microseconds since 1970.
    pub start: i64,
    /// Sequence number in log order.
    pub sequence: u64,
    /// Number of the session, counted from 0.
    pub session: u32,
    /// Whether this is the last step of the session.
    pub is_last: bool,
    pub skip: Option<Skip>,
    /// Whether the statement is a step only because later statements of its session depend on it, although the log
    /// filters reject it. Such a statement is sent (unless it is [`Skip::Rejected`]), but not compared. It is counted
    /// only if it is not sent or fails.
    pub is_context: bool,
    /// `None` if the SQL does not parse.
    pub fingerprint: Option<u64>,
    /// Duration in microseconds.
    pub duration: Option<u64>,
    /// SQLSTATE of the statement's error, or `""` if the log does not have the code. `None` if the statement did not
    /// fail.
    pub error: Option<String>,
    pub user: String,
    pub database: String,
    pub application: String,
    /// Name of the prepared statement, or `""` if it has no name. `None` if the client used the simple query protocol.
    pub statement: Option<String>,
    pub sql: String,
    /// SQL of the prepared statement that an EXECUTE runs, for reports.
    pub prepared: Option<String>,
    pub params: Vec<Option<String>>,
}

impl Step {
    /// Returns the sort key: start and sequence number.
    pub fn key(&self) -> (i64, u64) {
        (self.start, self.sequence)
    }

    /// Returns the time at which the statement ended in the log, in microseconds since 1970.
    pub fn end(&self) -> i64 {
        self.start.saturating_add_unsigned(self.duration.unwrap_or(0))
    }

    /// Returns the reason why the statement is not sent. `writes` is true if `--writes` is given.
    pub fn reason_to_skip(&self, writes: bool) -> Option<Skip> {
        // With `--writes`, SQL is parsed only if the log's server reported a syntax error for it.
        if self.skip.is_some() || (writes && self.error.as_deref() != Some(SYNTAX_ERROR)) {
            return self.skip;
        }
        match Command::of(&self.sql) {
            Command::Several(_) => Some(Skip::Several),
            Command::Write if !writes => Some(Skip::Write),
            Command::Unparsed if !writes => Some(Skip::Unparsed),
            _ => None,
        }
    }

    /// Returns the memory that the step needs.
    pub fn bytes(&self) -> usize {
        let names = [&self.user, &self.database, &self.application, &self.sql].into_iter();
        let texts = names.chain(&self.error).chain(&self.statement).chain(&self.prepared);
        let bytes: usize = texts.chain(self.params.iter().flatten()).map(String::len).sum();
        size_of::<Self>() + bytes + self.params.len() * size_of::<Option<String>>()
    }

    /// Writes the step as a line of JSON.
    ///
    /// # Errors
    /// `out` cannot be written.
    pub fn write(&self, mut out: impl Write) -> Result<()> {
        serde_json::to_writer(&mut out, self)?;
        Ok(out.write_all(b"\n")?)
    }
}
