//! The splitter for the format of a file.

use std::io;

use pgq::script::ScriptSettings;
use pgq_log::{BeforeWait, ByteSource, Chunks, FirstMessages, detect_format, is_script_name};

use super::chunk::Data;
use super::documents::DocumentSplitter;
use super::limit::MaxStatementBytes;
use super::log::{self, RawLog};
use super::options::{InputFormat, InputOptions};
use super::reader::Reader;
use super::records::RecordSplitter;
use super::script::ScriptSplitter;
use super::table::{self, TableSplitter};

/// Splits a file into chunks.
pub enum Splitter {
    Script(ScriptSplitter),
    Records(RecordSplitter),
    Documents(DocumentSplitter),
    Table(TableSplitter),
    /// The splitter of a log, and the notice that [`Splitter::take_notice`] returns.
    Log(Chunks, Option<String>),
}

impl Splitter {
    /// Creates a splitter for the file `name`. Detects the format if it is not given, and returns a notice about the
    /// format.
    ///
    /// # Errors
    /// Reading fails, or an option requires a log but the input is SQL.
    pub fn new(
        name: &str,
        reader: &mut Reader,
        options: &InputOptions,
        before_wait: BeforeWait<'_>,
    ) -> io::Result<(Self, Option<String>)> {
        let max_statement_bytes = MaxStatementBytes(options.max_statement_bytes);
        let kind = match options.format {
            InputFormat::Log(kind) => Some(kind),
            _ => None,
        };
        let format = match options.format {
            InputFormat::Auto => detect(name, reader, options, before_wait)?,
            format => format,
        };
        if let InputFormat::Table(format) = format {
            let (splitter, notice) = TableSplitter::new(name, format, reader, options, before_wait)?;
            return Ok((Self::Table(splitter), notice));
        }
        if options.column.is_some() && !reader.bytes().is_empty() {
            let problem = "is no table with that column, and --column is for tables: name the format (--from csv, tsv, \
                           jsonl, parquet or arrow)";
            return Err(io::Error::other(problem));
        }
        let log = match format.may_be_log() {
            true => log::open(name, kind, reader, &options.log, options.encoding, before_wait)?,
            false => None,
        };
        // The input may be a table only if it is neither a script nor a log. `detect_format` gets the name `-` instead
        // of the file name, because it detects every file with the name `*.csv` as a log. JSON that was detected as a
        // log is not a table, even if its first line looks like a row of a table, because log lines may follow.
        let is_object = table::starts_as_object(reader.bytes());
        let may_be_table = format == InputFormat::Auto
            && !is_script_name(name)
            && !(is_object && (options.accepts_trees || log.is_some()))
            && detect_format("-", reader.bytes()).is_none();
        if may_be_table && let Some(problem) = table::missing_column(name, reader.bytes()) {
            return Err(io::Error::other(problem));
        }
        if let Some((config, notice)) = log {
            return Ok((Self::Log(Chunks::new(config), None), notice));
        }
        let splitter = match format {
            InputFormat::Auto if options.accepts_trees && table::starts_as_object(reader.bytes()) => {
                Self::Documents(DocumentSplitter::default())
            }
            InputFormat::JsonTrees if !options.accepts_trees => {
                return Err(io::Error::other("has parse trees in JSON, which pgq deparse reads"));
            }
            InputFormat::Sql | InputFormat::Auto | InputFormat::Log(_) => {
                let settings = ScriptSettings::new(options.backslash_escapes);
                let InputOptions { comments, hint_variables, .. } = *options;
                Self::Script(ScriptSplitter::new(
                    max_statement_bytes,
                    comments,
                    hint_variables,
                    settings,
                    options.encoding.is_none(),
                ))
            }
            InputFormat::Lines => Self::Records(RecordSplitter::new(b'\n', max_statement_bytes)),
            InputFormat::Null => Self::Records(RecordSplitter::new(0, max_statement_bytes)),
            InputFormat::JsonTrees => Self::Documents(DocumentSplitter::default()),
            InputFormat::Table(_) => unreachable!("handled above"),
        };
        Ok((splitter, None))
    }

    /// Returns the next part of the file, or `None` at the end.
    ///
    /// # Errors
    /// Reading fails, or a statement is much longer than the limit.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<Data<RawLog>>> {
        Ok(match self {
            Self::Script(splitter) => splitter.next(reader, before_wait)?.map(Data::Script),
            Self::Records(splitter) => splitter.next(reader, before_wait)?.map(Data::Records),
            Self::Documents(splitter) => splitter.next(reader, before_wait)?.map(Data::Documents),
            Self::Table(splitter) => splitter.next(reader, before_wait)?.map(Data::Table),
            Self::Log(chunks, notice) => chunks.next_chunk(reader, before_wait)?.map(|step| {
                *notice = step.notice;
                Data::Log(RawLog {
                    config: step.config,
                    chunk: step.chunk,
                    state: step.state,
                    is_followed: false,
                    sampling: None,
                })
            }),
        })
    }

    /// Returns the next part of the file if this part is small and can be read without blocking. Otherwise returns
    /// `None`.
    ///
    /// # Errors
    /// Same as [`Self::next`].
    pub fn next_ahead(&mut self, reader: &mut Reader) -> io::Result<Option<Data<RawLog>>> {
        match self {
            Self::Log(..) => Ok(None),
            _ if reader.is_file() => self.next(reader, &|| {}),
            Self::Script(splitter) => {
                let mut statements = Vec::new();
                splitter.next_of_buffer(reader, &mut statements)?;
                Ok((!statements.is_empty()).then_some(Data::Script(statements)))
            }
            Self::Records(_) | Self::Documents(_) | Self::Table(_) => Ok(None),
        }
    }

    /// Returns the first messages of a log. `sample` is the start of the log. Returns `None` for other inputs.
    pub fn first_messages(&self, sample: &[u8]) -> Option<FirstMessages> {
        match self {
            Self::Log(chunks, _) => chunks.first_messages(sample),
            _ => None,
        }
    }

    /// Returns the notice about the part that [`Splitter::next`] returned last. Print the notice before this part.
    pub fn take_notice(&mut self) -> Option<String> {
        match self {
            Self::Log(_, notice) => notice.take(),
            _ => None,
        }
    }

    /// Whether [`Splitter::next`] can be called again after a failed read.
    pub fn continues_after_errors(&self) -> bool {
        matches!(self, Self::Log(..))
    }

    /// Returns a notice about skipped parts.
    pub fn skipped(&self) -> Option<String> {
        match self {
            Self::Script(splitter) => splitter.skipped(),
            _ => None,
        }
    }
}

/// Maximum bytes of the first line that are read to detect the format.
const FIRST_LINE: usize = 64 * 1024;

/// Detects tables and parse trees by the first line. Returns `Auto` for a script or a log.
fn detect(
    name: &str,
    reader: &mut Reader,
    options: &InputOptions,
    before_wait: BeforeWait<'_>,
) -> io::Result<InputFormat> {
    let is_log = options.log.required_by.is_some() || !options.log.envelopes.is_empty() || options.log.follow;
    if is_log || is_script_name(name) {
        if options.column.is_some() {
            reader.fill(before_wait)?;
        }
        return Ok(InputFormat::Auto);
    }
    while !reader.is_complete() && reader.bytes().len() < FIRST_LINE && !reader.bytes().contains(&b'\n') {
        reader.fill(before_wait)?;
    }
    if table::holds_trees(reader.bytes()) {
        return Ok(InputFormat::JsonTrees);
    }
    let column = options.column.as_deref();
    match table::detect(name, reader.bytes(), column) {
        Some(format) => Ok(InputFormat::Table(format)),
        None => match table::refusal(reader.bytes(), column) {
            Some(problem) => Err(io::Error::other(problem)),
            None => Ok(InputFormat::Auto),
        },
    }
}
