//! Names of severities.

pub use crate::message::kinds::Severity;
use crate::message::language;

impl Severity {
    /// Returns the severity with the name `name`, in any of PostgreSQL's languages. An unknown name is
    /// [`Severity::Other`].
    #[must_use]
    #[inline]
    pub fn from_name(name: &[u8]) -> Self {
        Self::of_known_name(name).unwrap_or(Self::Other)
    }

    /// Like [`Severity::from_name`], but returns `None` if the name is unknown.
    #[must_use]
    #[inline]
    pub fn of_known_name(name: &[u8]) -> Option<Self> {
        if name == b"LOG" { Some(Self::Log) } else { Self::of_rare_name(name) }
    }

    fn of_rare_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"ERROR" => Self::Error,
            b"FATAL" => Self::Fatal,
            b"PANIC" => Self::Panic,
            b"WARNING" => Self::Warning,
            b"NOTICE" | b"INFO" | b"DEBUG" => Self::Other,
            _ => return language::severity(name),
        })
    }
}
