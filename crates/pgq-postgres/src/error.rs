//! The errors of this crate. They contain no passwords.

use std::io;
use std::time::Duration;

use crate::server_error::ServerError;
use crate::settings::SettingsError;

/// An error of a connection or a request.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The connection settings are invalid or contradictory.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// No host could be used. Contains the error of each attempt.
    #[error("{}", attempts_text(.0))]
    NoServer(Vec<Attempt>),
    /// The server refused the session, for example because of the password, the database or the number of connections.
    #[error("{0}")]
    Refused(Box<ServerError>),
    /// Authentication of the client or of the server failed.
    #[error("{0}")]
    Authentication(String),
    /// TLS failed, or is required and unavailable.
    #[error("TLS: {0}")]
    Tls(String),
    /// A statement failed. The session remains usable.
    #[error("{0}")]
    Server(Box<ServerError>),
    /// The server ended the session with an error.
    #[error("the server ended the session: {0}")]
    Terminated(Box<ServerError>),
    /// The server closed the connection without a message.
    #[error("the server closed the connection")]
    Closed,
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Io(#[from] io::Error),
    /// The session's `client_encoding` is this encoding, although the session must be in UTF8
    /// ([`crate::ProtocolState::require_utf8`]).
    #[error("client_encoding is {0}, but the session requires UTF8; the session was ended")]
    ClientEncoding(String),
    /// The server violated the protocol.
    #[error("the server violated the protocol: {0}")]
    Protocol(String),
    /// The server was silent for this time and did not react to a cancel request.
    #[error("no answer for {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// A COPY with data over the connection, which is unsupported. The session remains usable.
    #[error("COPY {0} is not supported: its data would be sent over this connection")]
    Copy(CopyDirection),
    /// A row has the wrong number of parameters. The row was not sent.
    #[error("a row has {found} parameters, but the statement has {expected}")]
    ParameterCount {
        /// Number of the statement's parameters.
        expected: usize,
        /// Number of parameters in the row.
        found: usize,
    },
    /// The formats or the encoded parameters of a row are invalid ([`crate::BindTemplate::new`],
    /// [`crate::Parameters::encoded`]). Nothing was sent.
    #[error("encoded parameters: {0}")]
    Encoding(&'static str),
    /// A message exceeds the protocol's limit of 1 GiB. The message was not sent.
    #[error("a message of {0} bytes is longer than the protocol allows")]
    TooLong(usize),
    /// A string contains a NUL byte. The string was not sent.
    #[error("a statement or a name contains a NUL byte")]
    Nul,
    /// The source of a batch's rows failed.
    #[error("{0}")]
    Source(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Returns the SQLSTATE if the error is from a server.
    pub fn code(&self) -> Option<&str> {
        self.server_error().map(|error| error.code.as_str())
    }

    /// Returns the server's message if the error is from a server. If several hosts were tried, returns the last host's
    /// message.
    pub fn server_error(&self) -> Option<&ServerError> {
        match self {
            Self::Refused(error) | Self::Server(error) | Self::Terminated(error) => Some(error),
            Self::NoServer(attempts) => attempts.last().and_then(|attempt| attempt.error.server_error()),
            _ => None,
        }
    }

    /// Returns whether the connection is unusable after this error.
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

/// A rejected host, with the reason.
#[derive(Debug)]
pub struct Attempt {
    /// The host with its port, or the path of its socket.
    pub target: String,
    /// Reason for the rejection.
    pub error: Error,
}

fn attempts_text(attempts: &[Attempt]) -> String {
    let lines: Vec<_> = attempts.iter().map(|attempt| format!("{}: {}", attempt.target, attempt.error)).collect();
    lines.join("\n")
}

/// The direction of a COPY's data.
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
