//! Returns the chunks of all inputs of a run, one file after another.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use pgq_log::{BeforeWait, ByteSource, FirstMessages, LogChunk, LogReaderConfig, Sampling, StreamState};

use super::chunk::{Chunk, Content, Data};
use super::file::{InputFile, WrapReader};
use super::folder::FolderFiles;
use super::follow::News;
use super::log::RawLog;
use super::name::path_name;
use super::options::InputOptions;
use super::outputs::refuse_replaced_inputs;
use super::reader::Reader;
use super::rotation::rotation;
use super::splitter::Splitter;
use crate::run::pipeline::Source;

/// The pipeline source that reads files.
pub struct Input {
    files: VecDeque<InputFile>,
    /// Messages about folders in the input, each with the folder's name. They are printed before any file is read.
    folders: VecDeque<(Arc<str>, Content<RawLog>)>,
    options: InputOptions,
    wrap: WrapReader,
    open: Option<OpenFile>,
    /// A log whose file has ended, but which may continue in the next file.
    waiting: Option<(Arc<str>, Arc<LogReaderConfig>)>,
    /// The first messages of each log, if repeated logs are refused.
    logs: Logs,
    /// Selects the messages that are compared to find repeated logs. `None` if repeated logs are accepted, or if there
    /// is only one file.
    sampling: Option<Arc<Sampling>>,
}

impl Input {
    /// Creates an input that opens each file in turn. `wrap` wraps the reader of each opened file.
    ///
    /// # Errors
    /// Returns an error if no file is named and standard input is a terminal, or if an output is one of the inputs.
    pub fn new(options: InputOptions, wrap: WrapReader) -> Result<Self> {
        let (mut files, mut folders) = (VecDeque::new(), VecDeque::new());
        for file in InputFile::from_paths(&options.files)? {
            match file.below(options.column.as_deref()) {
                Ok(None) => files.push_back(file),
                Ok(Some(FolderFiles { files: below, skipped, unreadable })) => {
                    files.extend(below.iter().map(|path| InputFile::at(path)));
                    for (path, problem) in unreadable {
                        let name = path_name(&path).into();
                        folders.push_back((name, Content::Unreadable(problem.to_string())));
                    }
                    if !skipped.is_empty() {
                        folders.push_back((file.name().into(), Content::Notice(skipped_notice(file.name(), &skipped))));
                    }
                }
                Err(problem) => folders.push_back((file.name().into(), Content::Unreadable(problem.to_string()))),
            }
        }
        refuse_replaced_inputs(files.iter().map(InputFile::path), options.outputs.iter().map(PathBuf::as_path))?;
        if options.log.refuses_repeats {
            sort_rotated(&mut files);
        }
        let compares = options.log.refuses_repeats && files.len() > 1;
        let (logs, sampling) = (compares.then(Vec::new), compares.then(Arc::default));
        Ok(Self { files, folders, options, wrap, open: None, waiting: None, logs, sampling })
    }

    /// Whether standard input is one of the inputs.
    pub fn reads_stdin(&self) -> bool {
        self.files.iter().any(InputFile::is_stdin)
    }

    /// Returns the total bytes of all files on disk, or `None` if unknown.
    pub fn total_bytes(&self) -> Option<u64> {
        self.files.iter().map(InputFile::len).sum()
    }

    /// Called after the last file. If the last log could have continued in a further file, returns an empty chunk
    /// that ends this log.
    fn end_of_waiting(&mut self) -> Option<Chunk<RawLog>> {
        let (file, config) = self.waiting.take()?;
        let (chunk, state) = (LogChunk::default(), StreamState::End);
        let log = RawLog { config, chunk, state, is_followed: false, sampling: None };
        Some(Chunk { file, content: Content::Data(Data::Log(log)) })
    }
}

impl Source for Input {
    type Chunk = Chunk<RawLog>;

    /// Returns the next chunk. For an unreadable file, this chunk is the error. The next call continues with the next
    /// file.
    fn next(&mut self, before_wait: &dyn Fn()) -> Option<Chunk<RawLog>> {
        if let Some((file, content)) = self.folders.pop_front() {
            return Some(Chunk { file, content });
        }
        loop {
            let open = match &mut self.open {
                Some(open) => open,
                None => {
                    let next = if self.options.is_stopped() { None } else { self.files.pop_front() };
                    let Some(file) = next else { return self.end_of_waiting() };
                    let name: Arc<str> = file.name().into();
                    match file.open(&self.wrap, &self.options) {
                        Ok(reader) => self.open.insert(OpenFile::new(name, reader)),
                        Err(problem) => {
                            return Some(Chunk { file: name, content: Content::Unreadable(problem.to_string()) });
                        }
                    }
                }
            };
            match open.next(&self.options, &mut self.logs, before_wait) {
                Some(mut content) => {
                    let file = Arc::clone(&open.name);
                    if let Content::Data(Data::Log(log)) = &mut content {
                        log.sampling.clone_from(&self.sampling);
                        if log.state == StreamState::End {
                            log.is_followed = !self.files.is_empty();
                            self.waiting = log.is_followed.then(|| (Arc::clone(&file), Arc::clone(&log.config)));
                        }
                    }
                    return Some(Chunk { file, content });
                }
                None => self.open = None,
            }
        }
    }

    /// Returns another chunk of the open file if this is possible without blocking.
    fn next_ahead(&mut self) -> Option<Chunk<RawLog>> {
        let open = self.open.as_mut()?;
        let content = open.next_ahead()?;
        Some(Chunk { file: Arc::clone(&open.name), content })
    }
}

/// Sorts numbered logs from the oldest to the newest, because a statement may continue in the next file. Shells expand
/// `postgresql.log*` in the opposite order.
fn sort_rotated(files: &mut VecDeque<InputFile>) {
    let mut first = HashMap::new();
    for (at, file) in files.iter().enumerate() {
        first.entry(rotation(file.name()).0.to_string()).or_insert(at);
    }
    files.make_contiguous().sort_by_key(|file| {
        let (log, number, _) = rotation(file.name());
        (first[log], number)
    });
}

/// Maximum number of skipped files that a notice names.
const NAMED: usize = 10;

/// Returns the notice about the skipped files of a folder.
fn skipped_notice(folder: &str, skipped: &[PathBuf]) -> String {
    let names = skipped.iter().map(|path| {
        let name = path_name(path.strip_prefix(folder).unwrap_or(path));
        let is_special = path.metadata().is_ok_and(|target| !target.is_file() && !target.is_dir());
        if is_special { format!("{name} (a pipe, a socket or a device)") } else { name }
    });
    let mut names: Vec<String> = names.take(NAMED).collect();
    if skipped.len() > NAMED {
        names.push(format!("{} more", skipped.len() - NAMED));
    }
    let files = if skipped.len() == 1 {
        "1 other file, which is"
    } else {
        &format!("{} other files, which are", skipped.len())
    };
    format!("without {files} neither a script nor a log: {}", names.join(", "))
}

type Logs = Option<Vec<(FirstMessages, Arc<str>)>>;

/// A file that is being read.
struct OpenFile {
    name: Arc<str>,
    reader: Reader,
    /// `None` before the first read, and at the end of the file.
    splitter: Option<Splitter>,
    begun: bool,
    /// Notices, data and errors that are returned before the splitter is asked for more.
    queue: VecDeque<Content<RawLog>>,
}

impl OpenFile {
    fn new(name: Arc<str>, reader: Reader) -> Self {
        Self { name, reader, splitter: None, begun: false, queue: VecDeque::new() }
    }

    fn next(
        &mut self,
        options: &InputOptions,
        logs: &mut Logs,
        before_wait: BeforeWait<'_>,
    ) -> Option<Content<RawLog>> {
        if !std::mem::replace(&mut self.begun, true) {
            self.begin(options, before_wait);
            self.refuse_repeated_log(logs);
        }
        loop {
            if let Some(content) = self.queue.pop_front() {
                return Some(content);
            }
            if let Some(news) = self.reader.take_news() {
                self.announce(&news);
                continue;
            }
            let splitter = self.splitter.as_mut()?;
            match splitter.next(&mut self.reader, before_wait) {
                Ok(Some(data)) => {
                    self.queue.extend(splitter.take_notice().map(Content::Notice));
                    self.queue.push_back(Content::Data(data));
                }
                Ok(None) => self.end(None),
                Err(problem) if splitter.continues_after_errors() => {
                    self.queue.push_back(Content::Unreadable(problem.to_string()));
                }
                Err(problem) => self.end(Some(problem.to_string())),
            }
        }
    }

    /// Like [`Self::next`], but returns `None` instead of blocking.
    fn next_ahead(&mut self) -> Option<Content<RawLog>> {
        if self.queue.is_empty() {
            match self.splitter.as_mut()?.next_ahead(&mut self.reader) {
                Ok(data) => self.queue.extend(data.map(Content::Data)),
                Err(problem) => self.end(Some(problem.to_string())),
            }
        }
        self.queue.pop_front()
    }

    /// Adds a notice about a newer log. If reading continues with this log, sets `self.name` to its path.
    fn announce(&mut self, news: &News) {
        let notice = match news {
            News::Continues(path) => {
                self.name = path_name(path).into();
                "--follow continues with this log".to_string()
            }
            News::Replaced => "--follow continues with the new log of this name".to_string(),
            News::Truncated => {
                "was truncated: --follow reads it from its start, and earlier rows may be missing".to_string()
            }
            News::Ignored(path) => format!("--follow does not continue with {}, which is newer", path_name(path)),
            News::Unreadable(path, error) => {
                let problem = format!("--follow cannot continue with {}: {error}", path_name(path));
                return self.queue.push_back(Content::Unreadable(problem));
            }
        };
        self.queue.push_back(Content::Notice(notice));
    }

    fn begin(&mut self, options: &InputOptions, before_wait: BeforeWait<'_>) {
        match Splitter::new(&self.name, &mut self.reader, options, before_wait) {
            Ok((splitter, notice)) => {
                self.splitter = Some(splitter);
                self.queue.extend(notice.map(Content::Notice));
            }
            // The file is skipped.
            Err(problem) => self.queue.push_back(Content::Unreadable(problem.to_string())),
        }
    }

    /// Skips a log that begins like an earlier log, because its statements would be counted twice.
    fn refuse_repeated_log(&mut self, logs: &mut Logs) {
        let Some(logs) = logs else { return };
        let splitter = self.splitter.as_ref();
        let Some(first) = splitter.and_then(|splitter| splitter.first_messages(self.reader.bytes())) else { return };
        if let Some((_, other)) = logs.iter().find(|(log, _)| log.is_same(&first)) {
            let problem =
                format!("begins with the same messages as {other}, and would be counted twice: name one of them");
            self.splitter = None;
            self.queue.push_back(Content::Unreadable(problem));
        } else {
            logs.push((first, Arc::clone(&self.name)));
        }
    }

    fn end(&mut self, problem: Option<String>) {
        let skipped = self.splitter.take().and_then(|splitter| splitter.skipped());
        self.queue.extend(skipped.map(Content::LeftOut));
        self.queue.extend(problem.map(Content::Unreadable));
        if self.reader.has_started() {
            self.queue.push_back(Content::EndOfFile);
        }
    }
}
