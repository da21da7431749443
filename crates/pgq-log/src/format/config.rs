//! Configuration for reading one log. All threads that parse the log's chunks share it.

use crate::format::batch::LineParser;
use crate::format::csvlog::row::columns_of_first_row;
use crate::format::csvlog::{CsvlogParser, has_bare_names};
use crate::format::detect::{LogKind, is_mixed, stderr_lines};
use crate::format::foreign::foreign_form;
use crate::format::frame::Frame;
use crate::format::interleaved::InterleavedParser;
use crate::format::jsonlog::JsonlogParser;
use crate::format::line_header::LineHeader;
use crate::format::repeats::LogForm;
use crate::format::selection::RecordSelection;
use crate::format::stderr::StderrParser;
use crate::message::label::find_label;
use crate::prefix::infer::{infer_prefixes, is_distinctive};
use crate::prefix::{Prefix, PrefixRanges};
use crate::scan::lines::split_lines;

/// The format of a log, and the selection of messages to read.
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
    /// Selection of messages that become records.
    pub selection: RecordSelection,
    format: LogFormat,
    is_inferred: bool,
    /// Whether each line begins with a header (frame.rs) in place of its removed envelope.
    is_framed: bool,
}

const MAX_PREFIXES: usize = 4;

/// A log format. The stderr format has one log_line_prefix, or several if several servers wrote the log or the setting
/// was changed.
#[derive(Debug, Clone)]
enum LogFormat {
    Stderr(Vec<Prefix>),
    /// The stderr format, with lines of several sources mixed.
    Interleaved(Vec<Prefix>),
    /// Whether names have no quotes ([`has_bare_names`]), and the number of columns of the first row.
    Csvlog(bool, usize),
    Jsonlog,
}

/// Whether a line of a sample starts with this log_line_prefix and a severity. False if the prefix starts with a name,
/// because a name can be any text.
#[must_use]
pub fn has_lines_of(log_line_prefix: &str, sample: &[u8]) -> bool {
    let prefix = Prefix::parse(log_line_prefix);
    let mut ranges = PrefixRanges::default();
    !prefix.begins_with_text() && split_lines(sample).any(|line| prefix.match_line(line, &mut ranges).is_some())
}

/// Whether a log_line_prefix has two fields with nothing between them. In such a prefix, the end of the first field is
/// unknown: with `%p%a`, a process ID and an application that begins with a digit look like one number.
///
/// ```
/// assert!(pgq_log::joins_fields("%m %u%d ") && !pgq_log::joins_fields("%m %u@%d "));
/// assert!(pgq_log::joins_fields("%p%a ") && !pgq_log::joins_fields("%p %a "));
/// ```
#[must_use]
pub fn joins_fields(log_line_prefix: &str) -> bool {
    Prefix::parse(log_line_prefix).joins_fields()
}

impl LogReaderConfig {
    /// Creates the configuration for a log of `kind`. `sample` is the start of the log without its
    /// envelopes ([`Unwrapper`](crate::Unwrapper)). If `log_line_prefix` is `None`, infers the
    /// prefix of a stderr log from the sample.
    ///
    /// The second value is a notice for the user. It reports the inferred prefix, or that no prefix fits. Without a
    /// known prefix, pgq reads no records, because it could misread the lines.
    #[must_use]
    pub fn new(
        kind: LogKind,
        selection: RecordSelection,
        log_line_prefix: Option<&str>,
        sample: &[u8],
    ) -> (Self, Option<String>) {
        let (format, notice) = match kind {
            LogKind::Csvlog => {
                let columns = columns_of_first_row(sample).unwrap_or(0);
                (LogFormat::Csvlog(has_bare_names(sample), columns), altered_text(sample))
            }
            LogKind::Jsonlog => (LogFormat::Jsonlog, altered_text(sample)),
            LogKind::Stderr => stderr_or_interleaved(log_line_prefix, sample),
        };
        let is_framed = Frame::parse(sample).is_some();
        (Self { selection, format, is_inferred: log_line_prefix.is_none(), is_framed }, notice)
    }

    /// Whether records can be read: the format has no prefix, or the prefix is known.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !matches!(&self.format, LogFormat::Stderr(prefixes) | LogFormat::Interleaved(prefixes) if prefixes.is_empty())
    }

    /// Whether the start of a log has messages, but their prefix is unknown. In this case, more of the log would not
    /// help to detect the prefix.
    #[must_use]
    pub fn refuses(&self, sample: &[u8]) -> bool {
        !self.is_complete() && stderr_lines(sample).any(|line| find_label(line).is_some())
    }

    /// Detects the prefix of a later part of the log, and whether the part mixes lines of several sources. Returns
    /// the new configuration and a notice. Returns `None` if nothing changes: the part has only one source, and
    /// either its lines match a known prefix, or no other prefix fits them.
    #[must_use]
    pub fn relearn(&self, part: &[u8]) -> Option<(Self, String)> {
        /// Maximum number of lines of `part` to test.
        const TRIED: usize = 32;
        let LogFormat::Stderr(prefixes) = &self.format else { return None };
        if self.is_framed && is_mixed(part) {
            let config = Self { format: LogFormat::Interleaved(prefixes.clone()), ..self.clone() };
            return Some((config, "lines of several sources from here on".to_string()));
        }
        if !self.is_inferred || prefixes.len() >= MAX_PREFIXES {
            return None;
        }
        let mut header = LineHeader::new(prefixes.clone());
        let mut is_unknown =
            |line: &[u8]| !line.starts_with(b"\t") && header.parse(line).is_none() && find_label(line).is_some();
        let step = (part.len() / TRIED).max(1);
        let tried = (0..part.len()).step_by(step).filter_map(|at| {
            let start = if at == 0 { 0 } else { at + memchr::memchr(b'\n', &part[at..])? + 1 };
            Some(Frame::strip(
                &part[start..start + memchr::memchr(b'\n', &part[start..]).unwrap_or(part.len() - start)],
            ))
        });
        if tried.filter(|line| is_unknown(line)).count() < 2 {
            return None;
        }
        let unknown: Vec<&[u8]> = split_lines(part).map(Frame::strip).filter(|line| is_unknown(line)).collect();
        let inferred = infer_prefixes(unknown.into_iter()).ok()?.into_iter().next()?;
        if !prefixes.is_empty() && !is_distinctive(&inferred) {
            return None;
        }
        let mut config = self.clone();
        if let LogFormat::Stderr(prefixes) = &mut config.format {
            prefixes.push(Prefix::parse(&inferred));
        }
        let change = if prefixes.is_empty() { "" } else { "changes, from here on also " };
        Some((config, format!("log_line_prefix {change}taken to be '{}'", inferred)))
    }

    /// Creates a parser for the start of the log.
    #[must_use]
    pub fn parser(&self) -> Box<dyn LineParser> {
        match &self.format {
            LogFormat::Stderr(prefix) => Box::new(StderrParser::new(prefix.clone())),
            LogFormat::Interleaved(prefix) => Box::new(InterleavedParser::new(prefix.clone())),
            LogFormat::Csvlog(has_bare_names, columns) => Box::new(CsvlogParser::new(*has_bare_names, *columns)),
            LogFormat::Jsonlog => Box::<JsonlogParser>::default(),
        }
    }

    /// Whether the rows of a csvlog lack quotes around names, because a program other than the server wrote them.
    #[must_use]
    pub fn lacks_quotes(&self) -> bool {
        matches!(self.format, LogFormat::Csvlog(true, _))
    }

    /// Returns the log's format, and whether the log has an envelope.
    #[must_use]
    pub fn form(&self) -> LogForm {
        let kind = match self.format {
            LogFormat::Stderr(_) | LogFormat::Interleaved(_) => LogKind::Stderr,
            LogFormat::Csvlog(..) => LogKind::Csvlog,
            LogFormat::Jsonlog => LogKind::Jsonlog,
        };
        (kind, self.is_framed)
    }

    pub(crate) fn is_framed(&self) -> bool {
        self.is_framed
    }

    /// Whether one parser must parse all chunks, in order.
    #[must_use]
    pub fn is_sequential(&self) -> bool {
        matches!(self.format, LogFormat::Interleaved(_))
    }
}

/// Detects two changes that syslog makes to a csvlog or jsonlog: split lines, and `#011` in place of tabs. Returns a
/// notice if there is such a change.
fn altered_text(sample: &[u8]) -> Option<String> {
    let is_altered = |line: &[u8]| {
        let frame = Frame::parse(line).filter(|(frame, _)| frame.splits);
        frame.is_some_and(|(frame, len)| frame.piece.is_some() || memchr::memmem::find(&line[len..], b"#011").is_some())
    };
    Frame::parse(sample)?;
    let altered = split_lines(sample).any(is_altered);
    altered.then(|| "syslog has changed the text of its lines: some are cut, or have #011 for a tab".to_string())
}

const UNKNOWN_PREFIX: &str = "log_line_prefix cannot be inferred: name it with --log-line-prefix (SHOW log_line_prefix), or name the form that another \
     program gave the log with --from";

fn stderr_or_interleaved(given: Option<&str>, sample: &[u8]) -> (LogFormat, Option<String>) {
    let (prefixes, notice) = match given {
        Some(given) => (vec![Prefix::parse(given)], None),
        None => {
            let problem = foreign_form(stderr_lines(sample));
            let inferred = if problem.is_some() { Ok(Vec::new()) } else { infer_prefixes(stderr_lines(sample)) };
            let (inferred, notice) = match inferred {
                Ok(inferred) if inferred.is_empty() => (inferred, problem.unwrap_or(UNKNOWN_PREFIX).to_string()),
                Ok(inferred) => {
                    let texts: Vec<String> = inferred.iter().map(|prefix| format!("'{prefix}'")).collect();
                    let notice = format!("log_line_prefix taken to be {}", texts.join(" and "));
                    (inferred, notice)
                }
                Err([one, other]) => (Vec::new(), unclear_prefix(&one, &other)),
            };
            (inferred.iter().map(|prefix| Prefix::parse(prefix)).collect(), Some(notice))
        }
    };
    (if is_mixed(sample) { LogFormat::Interleaved(prefixes) } else { LogFormat::Stderr(prefixes) }, notice)
}

fn unclear_prefix(one: &str, other: &str) -> String {
    format!(
        "log_line_prefix cannot be inferred, because it may be '{one}' or '{other}': name it with --log-line-prefix \
         (SHOW log_line_prefix)"
    )
}
