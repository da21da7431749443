//! PostgreSQL's logs as input: detection of their format, and the pipeline stage that parses them.

use std::io;
use std::sync::Arc;

use pgq_log::{
    Assembler, Batch, BeforeWait, ByteSource, LineParser, LogChunk, LogKind, LogReaderConfig, Records, StreamState,
    detect_format,
};

use super::chunk::Chunk;
use super::options::{InputFormat, LogOptions};
use super::reader::Reader;
use crate::pipeline::Stage;

/// Bytes that the format and the prefix are detected from, if there are as many.
const SAMPLE_BYTES: usize = 256 * 1024;

/// Part of a log, not yet parsed.
pub struct RawLog {
    pub config: Arc<LogReaderConfig>,
    pub chunk: LogChunk,
    /// What follows the chunk.
    pub state: StreamState,
}

/// Detects whether an input is a log, and in which format.
///
/// # Errors
/// A failed read, or SQL where an option asks for a log.
pub fn detect(
    name: &str,
    reader: &mut Reader,
    options: &LogOptions,
    before_wait: BeforeWait<'_>,
) -> io::Result<InputFormat> {
    read_sample(reader, before_wait)?;
    match (detect_format(name, reader.bytes()), options.required_by) {
        (None, Some(option)) => Err(io::Error::other(format!("looks like SQL, and {option} is for logs"))),
        (None, None) => Ok(InputFormat::Sql),
        (Some(kind), _) => Ok(InputFormat::Log(kind)),
    }
}

/// The configuration for reading a log, and a notice of what was detected.
///
/// # Errors
/// A failed read.
pub fn configure(
    kind: LogKind,
    reader: &mut Reader,
    options: &LogOptions,
    before_wait: BeforeWait<'_>,
) -> io::Result<(LogReaderConfig, Option<String>)> {
    if kind == LogKind::Stderr {
        read_sample(reader, before_wait)?;
    }
    let (config, notice) =
        LogReaderConfig::new(kind, options.selection, options.line_prefix.as_deref(), reader.bytes());
    match notice {
        Some(problem) if config.refuses(reader.bytes()) => Err(io::Error::other(problem)),
        notice => Ok((config, notice.filter(|_| config.is_complete()))),
    }
}

/// Reads until there is a whole line to inspect. It does not wait for a full sample from a pipe.
fn read_sample(reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<()> {
    while !reader.is_complete()
        && memchr::memchr(b'\n', reader.bytes()).is_none()
        && reader.bytes().len() < SAMPLE_BYTES
    {
        reader.fill(before_wait)?;
    }
    Ok(())
}

/// The pipeline stage of input: parses logs in parallel, and assembles their messages to records
/// in the order of the log, since a message may begin in one chunk and end in the next. All other
/// chunks pass unchanged.
#[derive(Default)]
pub struct LogStage {
    assembler: Assembler,
    /// For a log that must be parsed in order.
    parser: Option<Box<dyn LineParser>>,
}

impl Stage for LogStage {
    type Chunk = Chunk<RawLog>;
    type Local = ParserCache;
    type Prepared = Chunk<ParsedLog>;
    type Work = Chunk<Records>;

    fn prepare(parsers: &mut ParserCache, chunk: Chunk<RawLog>) -> Chunk<ParsedLog> {
        chunk.map_log(|RawLog { config, chunk, state }| {
            let messages = if config.is_sequential() {
                Messages::Unparsed(chunk)
            } else {
                Messages::Parsed(parsers.parse(&config, chunk))
            };
            ParsedLog { config, messages, state }
        })
    }

    fn complete(&mut self, chunk: Chunk<ParsedLog>) -> Chunk<Records> {
        chunk.map_log(|log| self.assemble(log))
    }
}

/// Result of the parallel part for a chunk of a log.
pub struct ParsedLog {
    config: Arc<LogReaderConfig>,
    messages: Messages,
    state: StreamState,
}

enum Messages {
    Parsed(Batch),
    /// To be parsed in order.
    Unparsed(LogChunk),
}

/// A job's own parser for the log that it parsed last.
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

impl LogStage {
    fn assemble(&mut self, log: ParsedLog) -> Records {
        let ParsedLog { config, messages, state } = log;
        let batch = match messages {
            Messages::Parsed(batch) => batch,
            Messages::Unparsed(chunk) => self.parse_in_order(&config, chunk, state),
        };
        match state {
            StreamState::More => self.assembler.assemble(batch),
            StreamState::Idle => self.assembler.assemble_idle(batch),
            StreamState::End => {
                let records = self.assembler.finish(batch);
                *self = Self::default(); // the next log starts afresh
                records
            }
        }
    }

    fn parse_in_order(&mut self, config: &LogReaderConfig, chunk: LogChunk, state: StreamState) -> Batch {
        let parser = self.parser.get_or_insert_with(|| config.parser());
        let mut batch = Batch::parse(chunk, config.selection, parser.as_mut());
        if state != StreamState::More {
            parser.flush(&mut batch);
        }
        batch
    }
}
