//! What can be wrong with the settings of a connection.
//!
//! Values are not repeated where a password may have slipped into them: a URI whose password has a `/` or an
//! `@` in it reads as one with a strange port or host.

use std::path::PathBuf;

/// What is wrong with the settings of a connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The text is not a connection string.
    #[error("connection string: {0} at byte {1}")]
    Syntax(&'static str, usize),
    /// The text is not a connection URI.
    #[error("connection URI: {0}")]
    Uri(&'static str),
    /// No connection option has this name.
    #[error("no connection option is called \"{0}\"")]
    UnknownOption(String),
    /// An option has a value that it cannot have.
    #[error("the option {0} must be {1}")]
    Value(&'static str, &'static str),
    /// An option that libpq has and this crate does not, with a value that asks for something.
    #[error("the option {0} is not supported{1}")]
    Unsupported(&'static str, &'static str),
    /// `host`, `hostaddr` and `port` are lists of different lengths.
    #[error("{0} ports or addresses for {1} hosts")]
    Lengths(usize, usize),
    /// No file of services has this one.
    #[error("no service is called \"{0}\"")]
    UnknownService(String),
    /// A file cannot be read.
    #[error("{}: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        message: String,
    },
    /// A line of the file of services cannot be read.
    #[error("{}:{line}: {message}", path.display())]
    ServiceLine {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// Nobody knows who is asking.
    #[error("no user name was given, and the system has none for this process")]
    NoUser,
}
