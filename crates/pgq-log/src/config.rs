//! How one log is written: enough for any thread to parse a chunk of it.

use crate::batch::{LineParser, RecordSelection};
use crate::detect::detect_prefix;
use crate::prefix::Prefix;
use crate::{csvlog, jsonlog, stderr, syslog};

/// The formats in which PostgreSQL writes its log (its setting log_destination).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogKind {
    /// Lines with log_line_prefix, as written to stderr, also through syslog.
    Stderr,
    /// Rows of CSV.
    Csvlog,
    /// One JSON object a line.
    Jsonlog,
}

/// How one log is read.
#[derive(Debug, Clone)]
pub struct LogReaderConfig {
    /// Which messages become records.
    pub selection: RecordSelection,
    format: LogFormat,
}

/// How a log is written, its prefix included.
#[derive(Debug, Clone)]
enum LogFormat {
    Stderr(Option<Prefix>),
    Syslog(Option<Prefix>),
    Csvlog,
    Jsonlog,
}

impl LogReaderConfig {
    /// The configuration for a log of `kind` that starts with `sample`. Of a log on stderr the
    /// sample tells whether syslog wrote it and, without `log_line_prefix`, its prefix.
    ///
    /// The second value is a notice for the user: what was detected, or that it could not be.
    #[must_use]
    pub fn new(
        kind: LogKind,
        selection: RecordSelection,
        log_line_prefix: Option<&str>,
        sample: &[u8],
    ) -> (Self, Option<String>) {
        let (format, notice) = match kind {
            LogKind::Csvlog => (LogFormat::Csvlog, None),
            LogKind::Jsonlog => (LogFormat::Jsonlog, None),
            LogKind::Stderr => stderr_or_syslog(log_line_prefix, sample),
        };
        (Self { selection, format }, notice)
    }

    /// A parser for the log's lines, in the state of the log's start.
    #[must_use]
    pub fn parser(&self) -> Box<dyn LineParser> {
        match &self.format {
            LogFormat::Stderr(prefix) => Box::new(stderr::Stderr::new(prefix.clone())),
            LogFormat::Syslog(prefix) => Box::new(syslog::Syslog::new(prefix.clone())),
            LogFormat::Csvlog => Box::<csvlog::CsvLog>::default(),
            LogFormat::Jsonlog => Box::new(jsonlog::JsonLog),
        }
    }

    /// Whether chunks must be parsed in the log's order, by one parser.
    #[must_use]
    pub fn is_sequential(&self) -> bool {
        matches!(self.format, LogFormat::Syslog(_))
    }
}

fn stderr_or_syslog(given: Option<&str>, sample: &[u8]) -> (LogFormat, Option<String>) {
    let detected = detect_prefix(sample);
    let (prefix, notice) = match (given, detected.prefix) {
        (Some(given), _) => (Some(given), None),
        (None, Some(prefix)) => {
            let through = if detected.syslog { "a log through syslog, " } else { "" };
            (Some(prefix), Some(format!("{through}log_line_prefix taken to be '{prefix}'")))
        }
        (None, None) => (
            None,
            Some(
                "log_line_prefix not recognised, only time and process are looked for (name it with --log-line-prefix)"
                    .into(),
            ),
        ),
    };
    let prefix = prefix.map(Prefix::new);
    (if detected.syslog { LogFormat::Syslog(prefix) } else { LogFormat::Stderr(prefix) }, notice)
}
