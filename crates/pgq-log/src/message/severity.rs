//! Severities of log messages.

use crate::message::language;

/// The severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Severity {
    /// LOG: the severity of logged statements and durations.
    Log,
    /// ERROR.
    Error,
    /// FATAL: the session ends.
    Fatal,
    /// PANIC: all sessions end.
    Panic,
    /// WARNING.
    Warning,
    /// Any other severity (NOTICE, INFO, …). Its messages never become records.
    #[default]
    Other,
}

impl Severity {
    /// Returns PostgreSQL's name of the severity (elog.c: error_severity).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "LOG",
            Self::Error => "ERROR",
            Self::Fatal => "FATAL",
            Self::Panic => "PANIC",
            Self::Warning => "WARNING",
            Self::Other => "OTHER",
        }
    }

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

    /// Whether a statement with this severity failed: ERROR, FATAL or PANIC.
    #[must_use]
    pub fn is_error(self) -> bool {
        matches!(self, Self::Error | Self::Fatal | Self::Panic)
    }
}
