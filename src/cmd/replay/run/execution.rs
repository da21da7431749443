//! A statement that a session executes, and the server's answers so far.

use std::time::Instant;

use pgq_postgres::ServerError;

use crate::cmd::replay::command::Command;
use crate::cmd::replay::step::Step;

/// A statement that is in progress or was executed.
pub struct Execution {
    pub step: Step,
    pub command: Command,
    pub sent: Instant,
    pub failed: Option<Box<ServerError>>,
    /// Whether the server refused the statement because it writes. It then counts as not sent.
    pub is_write: bool,
    /// Whether the statement requested COPY data, which the log does not contain.
    pub is_copy: bool,
    /// Whether the statement was sent again with guessed parameter types.
    pub again: bool,
    /// Whether the statement's cancellation was requested.
    pub cancelled: bool,
}
