//! The splitter of one file, by its format.

use std::io;

use pgq::script::ScriptSettings;
use pgq_log::{BeforeWait, Chunks};

use super::chunk::Data;
use super::documents::DocumentSplitter;
use super::limit::MaxStatementBytes;
use super::log::{self, RawLog};
use super::options::{InputFormat, InputOptions};
use super::reader::Reader;
use super::records::RecordSplitter;
use super::script::ScriptSplitter;

/// Splits a file into chunks.
pub enum Splitter {
    Script(ScriptSplitter),
    Records(RecordSplitter),
    Documents(DocumentSplitter),
    /// With a notice that comes before the next part.
    Log(Chunks, Option<String>),
}

impl Splitter {
    /// A splitter for the file `name`, whose format may be detected, and a notice of what was
    /// detected.
    ///
    /// # Errors
    /// A failed read, or SQL where an option asks for a log.
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
        if options.format.may_be_log()
            && let Some((config, notice)) = log::open(name, kind, reader, &options.log, before_wait)?
        {
            return Ok((Self::Log(Chunks::new(config), None), notice));
        }
        let splitter = match options.format {
            InputFormat::Sql | InputFormat::Auto | InputFormat::Log(_) => {
                let settings = ScriptSettings::new(options.backslash_escapes);
                let InputOptions { keep_comments, hint_variables, .. } = *options;
                Self::Script(ScriptSplitter::new(
                    max_statement_bytes,
                    keep_comments,
                    hint_variables,
                    settings,
                    options.encoding.is_none(),
                ))
            }
            InputFormat::Lines => Self::Records(RecordSplitter::new(b'\n', max_statement_bytes)),
            InputFormat::Null => Self::Records(RecordSplitter::new(0, max_statement_bytes)),
            InputFormat::JsonTrees => Self::Documents(DocumentSplitter::default()),
            InputFormat::Table(_) => unreachable!("tables are read row by row"),
        };
        Ok((splitter, None))
    }

    /// The next part of the file; `None` at the end.
    ///
    /// # Errors
    /// A failed read, or a statement that is far too long.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<Data<RawLog>>> {
        Ok(match self {
            Self::Script(splitter) => splitter.next(reader, before_wait)?.map(Data::Script),
            Self::Records(splitter) => splitter.next(reader, before_wait)?.map(Data::Records),
            Self::Documents(splitter) => splitter.next(reader, before_wait)?.map(Data::Documents),
            Self::Log(chunks, notice) => chunks.next_chunk(reader, before_wait)?.map(|step| {
                *notice = step.notice;
                Data::Log(RawLog { config: step.config, chunk: step.chunk, state: step.state })
            }),
        })
    }

    /// The next part of the file if it is small, and nobody has to be waited for; `None` if not, or at the end.
    ///
    /// # Errors
    /// As for [`Self::next`].
    pub fn next_ahead(&mut self, reader: &mut Reader) -> io::Result<Option<Data<RawLog>>> {
        match self {
            Self::Log(..) => Ok(None),
            _ if reader.is_file() => self.next(reader, &|| {}),
            Self::Script(splitter) => {
                let mut statements = Vec::new();
                splitter.next_of_buffer(reader, &mut statements)?;
                Ok((!statements.is_empty()).then_some(Data::Script(statements)))
            }
            Self::Records(_) | Self::Documents(_) => Ok(None),
        }
    }

    /// A notice about the part that was given last, to be read before it. Removes it.
    pub fn take_notice(&mut self) -> Option<String> {
        match self {
            Self::Log(_, notice) => notice.take(),
            _ => None,
        }
    }

    /// Whether the splitter still holds data after a failed read, which [`Splitter::next`] gives.
    pub fn continues_after_errors(&self) -> bool {
        matches!(self, Self::Log(..))
    }

    /// A notice of what was skipped, if anything was.
    pub fn skipped(&self) -> Option<String> {
        match self {
            Self::Script(splitter) => splitter.skipped(),
            _ => None,
        }
    }
}
