//! Names of severities.

pub use crate::message::kinds::Severity;
use crate::message::language;

impl Severity {
    /// Returns the severity with the name `name`, in any of PostgreSQL's languages.
    #[must_use]
    #[inline]
    pub fn from_name(name: &[u8]) -> Self {
        if name == b"LOG" { Self::Log } else { Self::from_rare_name(name) }
    }

    fn from_rare_name(name: &[u8]) -> Self {
        match name {
            b"ERROR" => Self::Error,
            b"FATAL" => Self::Fatal,
            b"PANIC" => Self::Panic,
            b"WARNING" => Self::Warning,
            b"NOTICE" | b"INFO" | b"DEBUG" => Self::Other,
            _ => language::severity(name).unwrap_or(Self::Other),
        }
    }
}
