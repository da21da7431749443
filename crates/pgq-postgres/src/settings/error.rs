//! Errors in the settings of a connection.
//!
//! Messages omit values that may contain part of a password. For example, if the password of a URI contains `/` or `@`,
//! a part of the password may be parsed as the port or the host.

use std::path::PathBuf;

/// An error in the settings of a connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The connection string has a syntax error at this byte offset.
    #[error("connection string: {0} at byte {1}")]
    Syntax(&'static str, usize),
    /// The connection URI has a syntax error.
    #[error("connection URI: {0}")]
    Uri(&'static str),
    /// The option's name is unknown.
    #[error("no connection option is called \"{0}\"")]
    UnknownOption(String),
    /// The option's value is invalid.
    #[error("the option {0} must be {1}")]
    Value(&'static str, &'static str),
    /// The option requests a feature of libpq that this crate does not support.
    #[error("the option {0} is not supported{1}")]
    Unsupported(&'static str, &'static str),
    /// `host`, `hostaddr` and `port` are lists of different lengths.
    #[error("{0} ports or addresses for {1} hosts")]
    Lengths(usize, usize),
    /// No service file contains this service.
    #[error("no service is called \"{0}\"")]
    UnknownService(String),
    /// A file cannot be read.
    #[error("{}: {message}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error message of the system.
        message: String,
    },
    /// A line of the service file is malformed.
    #[error("{}:{line}: {message}", path.display())]
    ServiceLine {
        /// Path of the service file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// Error in the line.
        message: String,
    },
    /// No user name is given, and the system's user is unknown.
    #[error("no user name is specified, and the system does not know the user of this process")]
    NoUser,
}
