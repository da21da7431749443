//! Reads PostgreSQL's logs: detects their format, and parses them in a pipeline stage.

use std::io;
use std::sync::Arc;

use encoding_rs::Encoding;
use pgq_log::{
    Assembler, Batch, BeforeWait, ByteSource, LineParser, LogChunk, LogKind, LogReaderConfig, MessageMark, Records,
    RepeatedMessages, Sampling, StreamState, Unwrapper, detect_format, has_lines_of, is_script_name, joins_fields,
    lacks_line_breaks, runs_newest_first,
};

use super::chunk::{Chunk, Content};
use super::encodings::hides_separators;
use super::options::LogOptions;
use super::reader::{MOMENT, Reader};
use crate::run::pipeline::Stage;

/// Maximum bytes of the sample from which the format and the prefix are detected.
const SAMPLE_BYTES: usize = 256 * 1024;

/// Unparsed part of a log.
pub struct RawLog {
    pub config: Arc<LogReaderConfig>,
    pub chunk: LogChunk,
    /// State of the stream after the chunk.
    pub state: StreamState,
    /// Whether the run has further files, which may continue the log.
    pub is_followed: bool,
    /// Set if the log's messages are compared with the messages of other files, to detect a log
    /// that would be counted twice.
    pub sampling: Option<Arc<Sampling>>,
}

/// Maximum lines of the sample from which the format and the prefix are detected.
const SAMPLE_LINES: usize = 2000;

/// The configuration for reading a log, and a notice about the detected format.
pub type Opened = (LogReaderConfig, Option<String>);

/// Inspects the start of an input. Returns `None` for SQL. In a log, removes the envelope that docker or syslog has
/// added to each line ([`Unwrapper`]). Detects the format of the log, unless `kind` specifies it. `encoding` is the
/// encoding from which the input was converted.
///
/// # Errors
/// Reading fails, an option requires a log but the input is SQL, or the lines of the log cannot be interpreted.
pub fn open(
    name: &str,
    kind: Option<LogKind>,
    reader: &mut Reader,
    options: &LogOptions,
    encoding: Option<&'static Encoding>,
    before_wait: BeforeWait<'_>,
) -> io::Result<Option<Opened>> {
    let is_told = kind.is_some() || options.required_by.is_some() || !options.envelopes.is_empty();
    if !is_told && is_script_name(name) {
        return Ok(None);
    }
    read_sample(reader, before_wait)?;
    if lacks_line_breaks(reader.bytes()) {
        let problem = "has syslog messages with octet counts and no line breaks between them: write one message per line \
                       (docs/logs.md has a command)";
        return Err(io::Error::other(problem));
    }
    // A client can make the lines of its statements look like syslog's or like another log format, but it cannot remove
    // the prefix of the server's lines. Therefore the `log_line_prefix` that the user has given takes precedence.
    let has_prefix = |text: &[u8]| options.line_prefix.as_deref().is_some_and(|prefix| has_lines_of(prefix, text));
    let is_bare = options.envelopes.is_empty() && has_prefix(reader.bytes());
    let envelope = if is_bare { None } else { take_off_envelopes(kind, reader, options, before_wait)? };
    let first_line = || reader.bytes().split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_prefixed = options.line_prefix.is_some() && reader.is_unwrapped();
    let detected = || match detect_format(if reader.is_unwrapped() { "-" } else { name }, reader.bytes()) {
        _ if is_prefixed => Some(LogKind::Stderr),
        // Some inputs match both the csvlog format and the prefix that the user has given. For example, a statement in
        // a csvlog has lines with the prefix, or a name in a stderr log looks like the columns of a csvlog. If the
        // first line of such an input has the prefix, the input is a stderr log. Otherwise, it is a csvlog.
        Some(LogKind::Csvlog) if !(is_bare && has_prefix(first_line())) => Some(LogKind::Csvlog),
        _ if is_bare => Some(LogKind::Stderr),
        found => found,
    };
    let Some(kind) = kind.or_else(detected) else {
        return match options.required_by {
            Some(option) => Err(io::Error::other(format!("looks like SQL, but {option} is for logs"))),
            None => Ok(None),
        };
    };
    if kind == LogKind::Stderr && options.envelopes.is_empty() && reader.lacks_tabs() {
        let problem = "is logcli's text, which lacks the tabs of a stderr log, so that a client's statement can contain \
                       lines that look like messages: use logcli -o jsonl, or name --from loki,stderr if you trust \
                       the clients";
        return Err(io::Error::other(problem));
    }
    if let Some(encoding) = encoding.filter(|encoding| hides_separators(encoding, kind)) {
        let advice = if kind == LogKind::Csvlog { "convert it to UTF-8" } else { "read a csvlog of the server" };
        let (format, encoding) = (name_of(kind), encoding.name());
        let problem = format!(
            "has the format {format}, which cannot be read in {encoding}, because a byte of a character may look like a \
             separator: {advice}"
        );
        return Err(io::Error::other(problem));
    }
    if options.refuses_forgeable && reader.is_unwrapped() {
        let problem = "is not the server's own file, but was written by another program, which may have divided lines \
                       that clients chose: replay a csvlog or a jsonlog of the server, or use --trust-log";
        return Err(io::Error::other(problem));
    }
    if options.refuses_forgeable && kind == LogKind::Stderr {
        let problem = "is a log in stderr format, in which clients can forge records: replay a csvlog or a jsonlog, or \
                       use --trust-log";
        return Err(io::Error::other(problem));
    }
    if runs_newest_first(reader.bytes()) {
        let problem = "runs from its newest lines to its oldest: reverse it, so that the oldest lines come first";
        return Err(io::Error::other(problem));
    }
    let (config, notice) =
        LogReaderConfig::new(kind, options.selection, options.line_prefix.as_deref(), reader.bytes());
    if options.refuses_forgeable && config.lacks_quotes() {
        let problem = "has rows without the server's quotes, which may be lines of a statement: replay the log from its \
                       first row, or use --trust-log";
        return Err(io::Error::other(problem));
    }
    if let Some(prefix) =
        options.line_prefix.as_deref().filter(|prefix| kind == LogKind::Stderr && joins_fields(prefix))
    {
        let problem = format!("has fields that cannot be told apart, because nothing is between them in {prefix:?}");
        return Err(io::Error::other(problem));
    }
    if config.refuses(reader.bytes()) {
        return Err(io::Error::other(notice.unwrap_or_default()));
    }
    let format = name_of(kind);
    let taken = envelope.map(|title| format!("taken to be {title}, {format}"));
    let notices: Vec<String> = [taken, notice.filter(|_| config.is_complete())].into_iter().flatten().collect();
    Ok(Some((config, (!notices.is_empty()).then(|| notices.join("; ")))))
}

fn name_of(kind: LogKind) -> &'static str {
    match kind {
        LogKind::Stderr => "stderr",
        LogKind::Csvlog => "csvlog",
        LogKind::Jsonlog => "jsonlog",
    }
}

/// Removes the envelopes, that is, the text that docker or syslog adds to each line. Returns a description of the
/// envelopes, unless the user has specified them.
fn take_off_envelopes(
    kind: Option<LogKind>,
    reader: &mut Reader,
    options: &LogOptions,
    before_wait: BeforeWait<'_>,
) -> io::Result<Option<String>> {
    if Unwrapper::needs_all(reader.bytes()) && !options.follow {
        while !reader.is_complete() && reader.bytes().len() <= Unwrapper::MAX_DOCUMENT {
            let read = reader.fill(before_wait);
            if reader.defer_error(read)?.is_none() {
                break;
            }
        }
        Unwrapper::check_start(reader.bytes())?;
    }
    let names: Vec<&str> = options.envelopes.iter().map(String::as_str).collect();
    let Some(unwrapper) = Unwrapper::detect(reader.bytes(), &names, options.line_prefix.as_deref()) else {
        return match names.is_empty() || reader.bytes().is_empty() {
            true => Ok(None),
            false => Err(io::Error::other(format!("is not a log in the form of {} (see --from)", names.join(",")))),
        };
    };
    if kind.is_some_and(|kind| !unwrapper.holds(reader.bytes(), kind)) {
        return Ok(None);
    }
    let title = unwrapper.title();
    reader.unwrap_lines(unwrapper)?;
    while reader.bytes().is_empty() && !reader.is_complete() {
        reader.fill(before_wait)?;
    }
    // No notice about the envelope is needed if the user has specified it (`--from docker`). The option `--from stderr`
    // also specifies logs from syslog, so no notice about syslog is needed with this option.
    let is_known = !names.is_empty() || (kind == Some(LogKind::Stderr) && title.starts_with("syslog"));
    Ok(Some(title).filter(|_| !is_known))
}

/// Reads the first lines of an input, from which its format is detected. Stops early if a pipe delivers no further
/// bytes for a moment.
fn read_sample(reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<()> {
    let (mut lines, mut counted) = (0, 0);
    while !reader.is_complete() && reader.bytes().len() < SAMPLE_BYTES {
        while let Some(len) = memchr::memchr(b'\n', &reader.bytes()[counted..]).filter(|_| lines < SAMPLE_LINES) {
            let line = &reader.bytes()[counted..counted + len];
            lines += usize::from(!line.trim_ascii().is_empty());
            counted += len + 1;
        }
        if lines == SAMPLE_LINES {
            break;
        }
        let read = match lines {
            0 => reader.fill(before_wait).map(|()| true),
            _ => reader.fill_within(MOMENT, before_wait),
        };
        if reader.defer_error(read)? != Some(true) {
            break;
        }
    }
    Ok(())
}

/// The pipeline stage for input. The parallel part parses the lines of logs. The ordered part
/// assembles messages into records, because a message may span two chunks. The ordered part also
/// ends the run if two files contain the same log. Chunks of other inputs stay unchanged.
#[derive(Default)]
pub struct LogStage {
    log: OpenLog,
    repeated: RepeatedMessages,
}

/// State of the log that is being read.
#[derive(Default)]
struct OpenLog {
    assembler: Assembler,
    /// The parser for a log whose chunks must be parsed in order.
    parser: Option<Box<dyn LineParser>>,
}

impl Stage for LogStage {
    type Chunk = Chunk<RawLog>;
    type Local = ParserCache;
    type Prepared = Chunk<ParsedLog>;
    type Work = Chunk<Records>;

    fn prepare(parsers: &mut ParserCache, chunk: Chunk<RawLog>) -> Chunk<ParsedLog> {
        chunk.map_log(|RawLog { config, chunk, state, is_followed, sampling }| {
            let messages = if config.is_sequential() {
                Messages::Unparsed(chunk)
            } else {
                let batch = parsers.parse(&config, chunk);
                let marks = marks(&batch, sampling.as_deref());
                Messages::Parsed(batch, marks)
            };
            ParsedLog { config, messages, state, is_followed, sampling }
        })
    }

    fn complete(&mut self, chunk: Chunk<ParsedLog>) -> Chunk<Records> {
        let file = Arc::clone(&chunk.file);
        let mut other = None;
        if matches!(chunk.content, Content::EndOfFile) {
            other = self.repeated.end_file();
        }
        let chunk = chunk.map_log(|log| {
            let ParsedLog { config, messages, state, is_followed, sampling } = log;
            let (batch, marks) = match messages {
                Messages::Parsed(batch, marks) => (batch, marks),
                Messages::Unparsed(chunk) => {
                    let batch = self.log.parse_in_order(&config, chunk, state);
                    let marks = marks(&batch, sampling.as_deref());
                    (batch, marks)
                }
            };
            other = sampling.and_then(|sampling| self.repeated.add(&file, config.form(), marks, &sampling));
            self.log.assemble(batch, state, is_followed, &file)
        });
        let Some(other) = other else { return chunk };
        let problem = format!("contains messages of {other}, which would be counted twice: name one of the files");
        Chunk { file, content: Content::Refused(problem) }
    }
}

/// Returns the hashes by which the messages of a batch are compared with the messages of other logs. If `sampling` is
/// `None`, returns an empty list.
fn marks(batch: &Batch, sampling: Option<&Sampling>) -> Vec<MessageMark> {
    sampling.map(|sampling| batch.marks(sampling)).unwrap_or_default()
}

/// A chunk of a log after the parallel part of the pipeline stage [`LogStage`]. Its lines are parsed, unless they
/// must be parsed in order.
pub struct ParsedLog {
    config: Arc<LogReaderConfig>,
    messages: Messages,
    state: StreamState,
    is_followed: bool,
    sampling: Option<Arc<Sampling>>,
}

#[expect(clippy::large_enum_variant, reason = "there is only one value per chunk")]
enum Messages {
    Parsed(Batch, Vec<MessageMark>),
    /// The chunk must be parsed in order.
    Unparsed(LogChunk),
}

/// The parser and the configuration of the log that was parsed last. Each worker thread has a cache.
#[derive(Default)]
pub struct ParserCache(Option<(Arc<LogReaderConfig>, Box<dyn LineParser>)>);

impl ParserCache {
    fn parse(&mut self, config: &Arc<LogReaderConfig>, chunk: LogChunk) -> Batch {
        let (_, parser) = match &mut self.0 {
            Some(last) if Arc::ptr_eq(&last.0, config) => last,
            last => last.insert((Arc::clone(config), config.parser())),
        };
        Batch::parse(chunk, config.selection, parser.as_mut())
    }
}

impl OpenLog {
    fn assemble(&mut self, batch: Batch, state: StreamState, is_followed: bool, file: &Arc<str>) -> Records {
        match state {
            StreamState::More => self.assembler.assemble(batch),
            StreamState::Idle => self.assembler.assemble_idle(batch),
            StreamState::End if is_followed => {
                self.parser = None;
                self.assembler.finish_file(batch, file)
            }
            StreamState::End => {
                let records = self.assembler.finish(batch);
                *self = Self::default(); // the next log needs a new state
                records
            }
        }
    }

    fn parse_in_order(&mut self, config: &LogReaderConfig, chunk: LogChunk, state: StreamState) -> Batch {
        let parser = self.parser.get_or_insert_with(|| config.parser());
        let mut batch = Batch::parse(chunk, config.selection, parser.as_mut());
        if state == StreamState::End {
            parser.flush(&mut batch);
        }
        batch
    }
}
