//! Everything that can go wrong, as values. No password is in any of them.

use std::io;
use std::time::Duration;

use crate::server_error::ServerError;
use crate::settings::SettingsError;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The settings of a connection cannot be read, or contradict each other.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// No host could be used: one line for each attempt.
    #[error("{}", attempts_text(.0))]
    NoServer(Vec<Attempt>),
    /// The server refused the session: its password, database, or number of connections.
    #[error("{0}")]
    Refused(Box<ServerError>),
    /// The server could not be authenticated to, or is not who it must be.
    #[error("{0}")]
    Authentication(String),
    /// TLS failed, or is required and cannot be had.
    #[error("TLS: {0}")]
    Tls(String),
    /// A statement failed. The session goes on.
    #[error("{0}")]
    Server(Box<ServerError>),
    /// The server ended the session.
    #[error("the server ended the session: {0}")]
    Terminated(Box<ServerError>),
    /// The connection ended without a word of the server.
    #[error("the server closed the connection")]
    Closed,
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Io(#[from] io::Error),
    /// The server sent what it must not.
    #[error("the server broke the protocol: {0}")]
    Protocol(String),
    /// The server did not answer for so long, and did not react to a cancel either.
    #[error("no answer for {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// COPY with data over the connection cannot be executed here. The session goes on.
    #[error("COPY {0} is not supported: its data would go through this connection")]
    Copy(CopyDirection),
    /// A row of parameters does not fit its statement. Nothing of it was sent.
    #[error("a row has {found} parameters, and the statement {expected}")]
    ParameterCount {
        /// As many as the statement has.
        expected: usize,
        /// As many as were given.
        found: usize,
    },
    /// Encoded parameters are not in the format of a Bind message. Nothing of them was sent.
    #[error("encoded parameters: {0}")]
    Encoding(&'static str),
    /// A message is longer than the protocol allows (1 GiB). Nothing of it was sent.
    #[error("a message of {0} bytes is longer than the protocol allows")]
    TooLong(usize),
    /// A text holds a NUL byte. Nothing of it was sent.
    #[error("a statement or a name holds a NUL byte")]
    Nul,
    /// The source of a batch's rows gave up.
    #[error("{0}")]
    Source(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// The SQLSTATE, if the server gave one.
    pub fn code(&self) -> Option<&str> {
        self.server_error().map(|error| error.code.as_str())
    }

    /// The server's own words, if it is the server that complains. Of several hosts: the last one's.
    pub fn server_error(&self) -> Option<&ServerError> {
        match self {
            Self::Refused(error) | Self::Server(error) | Self::Terminated(error) => Some(error),
            Self::NoServer(attempts) => attempts.last().and_then(|attempt| attempt.error.server_error()),
            _ => None,
        }
    }

    /// Whether the connection can be used no more.
    pub fn ends_connection(&self) -> bool {
        !matches!(
            self,
            Self::Server(_)
                | Self::Copy(_)
                | Self::ParameterCount { .. }
                | Self::Encoding(_)
                | Self::TooLong(_)
                | Self::Nul
                | Self::Source(_)
        )
    }
}

/// A host that was tried, and why it was not taken.
#[derive(Debug)]
pub struct Attempt {
    /// The host with its port, or the path of its socket.
    pub target: String,
    /// Why not this one.
    pub error: Error,
}

fn attempts_text(attempts: &[Attempt]) -> String {
    let lines: Vec<_> = attempts.iter().map(|attempt| format!("{}: {}", attempt.target, attempt.error)).collect();
    lines.join("\n")
}

/// Where the data of a COPY would go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyDirection {
    /// To the server.
    FromStdin,
    /// From the server.
    ToStdout,
}

impl std::fmt::Display for CopyDirection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::FromStdin => "FROM STDIN",
            Self::ToStdout => "TO STDOUT",
        })
    }
}
