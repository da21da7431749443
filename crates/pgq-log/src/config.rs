//! How one log is read: what any thread needs to parse a chunk of it. Holds no state of a run.

use crate::batch::{LineParser, RecordSelection};
use crate::csvlog::CsvlogParser;
use crate::detect::{LogKind, detect_prefix};
use crate::jsonlog::JsonlogParser;
use crate::prefix::Prefix;
use crate::stderr::StderrParser;
use crate::syslog::SyslogParser;

/// The format of one log and the messages to read from it.
///
/// ```
/// use pgq_log::{LogKind, LogReaderConfig, RecordSelection};
///
/// let sample = b"2026-01-31 12:00:00.123 UTC [7] LOG:  statement: SELECT 1\n";
/// let prefix = Some("%m [%p] ");
/// let (config, notice) = LogReaderConfig::new(LogKind::Stderr, RecordSelection::default(), prefix, sample);
/// assert_eq!((config.is_sequential(), notice), (false, None));
/// ```
#[derive(Debug, Clone)]
pub struct LogReaderConfig {
    /// Which messages become records.
    pub selection: RecordSelection,
    format: LogFormat,
}

/// A format with its log_line_prefix; `None` if that is unknown.
#[derive(Debug, Clone)]
enum LogFormat {
    Stderr(Option<Prefix>),
    Syslog(Option<Prefix>),
    Csvlog,
    Jsonlog,
}

impl LogReaderConfig {
    /// The configuration for a log of `kind` that starts with `sample`. For a log on stderr, the
    /// sample shows whether it went through syslog, and its prefix if `log_line_prefix` is `None`.
    ///
    /// The second value is a notice for the user: which prefix was detected, or that none was.
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

    /// A new parser, in the state of the start of the log.
    #[must_use]
    pub fn parser(&self) -> Box<dyn LineParser> {
        match &self.format {
            LogFormat::Stderr(prefix) => Box::new(StderrParser::new(prefix.clone())),
            LogFormat::Syslog(prefix) => Box::new(SyslogParser::new(prefix.clone())),
            LogFormat::Csvlog => Box::<CsvlogParser>::default(),
            LogFormat::Jsonlog => Box::new(JsonlogParser),
        }
    }

    /// Whether one parser must parse all chunks, in order.
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
    let prefix = prefix.map(Prefix::parse);
    (if detected.syslog { LogFormat::Syslog(prefix) } else { LogFormat::Stderr(prefix) }, notice)
}
