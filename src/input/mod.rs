//! From files and standard input to chunks of work: one stream for every command.
//!
//! A script is read piece by piece: whole statements, cut where PostgreSQL's grammar lets
//! them end, as many as fill a piece. Memory is bounded by the longest statement, not by
//! the file. Logs give a record for each statement that was executed. Reading knows nothing
//! of what is made of it, nor of threads.

mod compressed;
mod documents;
mod follow;
mod log;
mod piece;
mod records;
mod script;
mod source;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;

use crate::cli::{From, InputArgs, LogArgs};
use crate::output::progress;

pub use documents::Documents;
pub use pgq_log::BeforeWait;
pub use pgq_log::FilePosition as Cursor;
pub use piece::{Piece, Unit};
pub use records::Delimited;
pub use script::Statements;
pub use source::Reader;

use source::Source;

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    Continue,
    Stop,
}

/// What is read at once.
pub struct Chunk {
    pub file: Arc<str>,
    pub content: Content,
}

/// What there is in a chunk.
pub enum Content {
    Statements(Statements),
    Records(Delimited),
    Documents(Documents),
    /// Part of a log, and what is known of what follows it.
    Log {
        setup: Arc<pgq_log::LogReaderConfig>,
        chunk: pgq_log::LogChunk,
        then: pgq_log::StreamState,
    },
    /// Something worth telling of the file.
    Remark(String),
    /// Why the file, or the rest of it, cannot be read.
    Unreadable(String),
    /// The file has ended, after some of it could be read.
    End,
}

/// What to read, and as what.
pub struct Wish<'a> {
    pub files: &'a [PathBuf],
    /// `None` for documents of JSON.
    pub from: Option<From>,
    pub log: &'a LogArgs,
    /// Which messages of logs are of interest.
    pub wanted: pgq_log::RecordSelection,
    /// Bytes that a statement may have.
    pub longest: usize,
}

impl<'a> Wish<'a> {
    /// SQL, as the arguments say.
    ///
    /// # Errors
    /// Options that do not go together.
    pub fn sql(args: &'a InputArgs) -> Result<Self> {
        log::check(args)?;
        Ok(Self { longest: args.jobs.longest_statement(), ..Self::new(&args.files, Some(args.form()), &args.log) })
    }

    /// Files, and what they are.
    pub fn new(files: &'a [PathBuf], from: Option<From>, log: &'a LogArgs) -> Self {
        let wanted = pgq_log::RecordSelection { errors: log.errors, parse_bind: log.parse_bind };
        Self { files, from, log, wanted, longest: usize::MAX }
    }
}

/// Everything that is to be read, in order.
pub struct Input {
    sources: VecDeque<Source>,
    from: Option<From>,
    log: LogArgs,
    wanted: pgq_log::RecordSelection,
    longest: script::Longest,
    open: Option<Open>,
}

/// A file that is being read.
struct Open {
    file: Arc<str>,
    reader: Reader,
    longest: script::Longest,
    /// How it is cut; `None` while that is to be found out, or when it has ended.
    cutter: Option<Cutter>,
    waiting: VecDeque<Content>,
    begun: bool,
}

enum Cutter {
    Script(script::Script),
    Records(records::Records),
    Documents(documents::DocumentReader),
    Log(Arc<pgq_log::LogReaderConfig>, pgq_log::Chunks),
}

impl Input {
    /// # Errors
    /// No file is named and standard input is a terminal.
    pub fn new(wish: &Wish<'_>) -> Result<Self> {
        let sources: VecDeque<Source> = source::sources(wish.files)?.into();
        if !wish.log.follow {
            progress::expect(sources.iter().map(Source::len).sum());
        }
        let longest = script::Longest(wish.longest);
        Ok(Self { sources, from: wish.from, log: wish.log.clone(), wanted: wish.wanted, longest, open: None })
    }

    /// The next chunk; `None` when all is read. A file that cannot be read is one of its
    /// contents, and the others follow.
    pub fn next(&mut self, before_wait: BeforeWait<'_>) -> Option<Chunk> {
        loop {
            let open = match &mut self.open {
                Some(open) => open,
                None => {
                    let source = self.sources.pop_front()?;
                    let file: Arc<str> = source.name().into();
                    let opened = if self.log.follow { source.follow() } else { source.open() };
                    match opened {
                        Ok(reader) => self.open.insert(Open::new(file, reader, self.longest)),
                        Err(problem) => {
                            return Some(Chunk { file, content: Content::Unreadable(problem.to_string()) });
                        }
                    }
                }
            };
            let file = Arc::clone(&open.file);
            match open.next(self.from, &self.log, self.wanted, before_wait) {
                Some(content) => return Some(Chunk { file, content }),
                None => self.open = None,
            }
        }
    }
}

impl Open {
    fn new(file: Arc<str>, reader: Reader, longest: script::Longest) -> Self {
        Self { file, reader, longest, cutter: None, waiting: VecDeque::new(), begun: false }
    }

    fn next(
        &mut self,
        from: Option<From>,
        log: &LogArgs,
        wanted: pgq_log::RecordSelection,
        before_wait: BeforeWait<'_>,
    ) -> Option<Content> {
        if !std::mem::replace(&mut self.begun, true) {
            match self.begin(from, log, wanted, before_wait) {
                Ok(cutter) => self.cutter = Some(cutter),
                Err(problem) => self.end(Some(problem.to_string())),
            }
        }
        loop {
            if let Some(content) = self.waiting.pop_front() {
                return Some(content);
            }
            let content = match self.cutter.as_mut()? {
                Cutter::Script(script) => {
                    script.next(&mut self.reader, before_wait).map(|next| next.map(Content::Statements))
                }
                Cutter::Records(records) => {
                    records.next(&mut self.reader, before_wait).map(|next| next.map(Content::Records))
                }
                Cutter::Documents(documents) => {
                    documents.next(&mut self.reader, before_wait).map(|next| next.map(Content::Documents))
                }
                Cutter::Log(setup, chunks) => chunks.next(&mut self.reader, before_wait).map(|next| {
                    next.map(|step| Content::Log { setup: Arc::clone(setup), chunk: step.chunk, then: step.state })
                }),
            };
            match content {
                Ok(Some(content)) => return Some(content),
                Ok(None) => self.end(None),
                // What a log still holds comes out before the file ends.
                Err(problem) if matches!(self.cutter, Some(Cutter::Log(..))) => {
                    self.waiting.push_back(Content::Unreadable(problem.to_string()));
                }
                Err(problem) => self.end(Some(problem.to_string())),
            }
        }
    }

    /// Finds out how the file is to be cut.
    fn begin(
        &mut self,
        from: Option<From>,
        log_args: &LogArgs,
        wanted: pgq_log::RecordSelection,
        before_wait: BeforeWait<'_>,
    ) -> std::io::Result<Cutter> {
        let form = match from {
            None => return Ok(Cutter::Documents(documents::DocumentReader::default())),
            Some(From::Auto) => log::detect(&self.file, &mut self.reader, log_args, before_wait)?,
            Some(form) => form,
        };
        Ok(match form {
            From::Sql => Cutter::Script(script::Script::new(self.longest)),
            From::Lines => Cutter::Records(records::Records::new(b'\n', self.longest)),
            From::Null => Cutter::Records(records::Records::new(0, self.longest)),
            form => {
                let (setup, remark) = log::configure(form, wanted, &mut self.reader, log_args, before_wait)?;
                self.waiting.extend(remark.map(Content::Remark));
                let chunks = pgq_log::Chunks::new(setup.parser());
                Cutter::Log(Arc::new(setup), chunks)
            }
        })
    }

    fn end(&mut self, problem: Option<String>) {
        if let Some(Cutter::Script(script)) = self.cutter.take() {
            self.waiting.extend(script.skipped().map(Content::Remark));
        }
        self.waiting.extend(problem.map(Content::Unreadable));
        if self.reader.has_started() {
            self.waiting.push_back(Content::End);
        }
    }
}
