//! Splits a log into chunks of whole messages while it is read. Inspects only the lines needed to find the start of a
//! message, and parses no messages.

use std::io;
use std::sync::Arc;

use crate::format::batch::{LineParser, LogChunk};
use crate::format::config::LogReaderConfig;
use crate::format::detect::LogKind;
use crate::format::file_position::FilePosition;
use crate::format::first_messages::FirstMessages;
use crate::format::frame::Frame;
use crate::message::parts::MAX_MESSAGE_BYTES;
use crate::prefix::readings::WINDOW;
use crate::scan::lines::lines_end_in_cr;

/// A callback that is called before a read that may block.
pub type BeforeWait<'a> = &'a dyn Fn();

/// A source of bytes, with a buffer that can be inspected before it is consumed. A slice is a source that is complete
/// from the start.
pub trait ByteSource {
    /// Returns the bytes that were read but not consumed.
    fn bytes(&self) -> &[u8];

    /// Whether [`ByteSource::bytes`] contains all remaining bytes of the source.
    fn is_complete(&self) -> bool;

    /// Reads more bytes. If a followed source (`tail -f`) has not grown, reads no bytes. The source stays incomplete,
    /// because it may grow later.
    ///
    /// # Errors
    /// Returns an error if the read fails.
    fn fill(&mut self, before_wait: BeforeWait<'_>) -> io::Result<()>;

    /// Removes the first `count` bytes.
    fn consume(&mut self, count: usize);

    /// Removes the first `count` bytes and returns them.
    fn take(&mut self, count: usize) -> Vec<u8>;

    /// Whether the most recent read started a new file (log rotation). Resets this state to `false`.
    fn take_rotated(&mut self) -> bool;

    /// Marks the source as complete after a failed read.
    fn mark_complete(&mut self);

    /// Whether [`Chunks::next_chunk`] must return even if a followed source has not grown.
    fn has_news(&self) -> bool {
        false
    }
}

impl ByteSource for &[u8] {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn fill(&mut self, _before_wait: BeforeWait<'_>) -> io::Result<()> {
        Ok(())
    }

    fn consume(&mut self, count: usize) {
        *self = &self[count..];
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        let (taken, rest) = self.split_at(count);
        *self = rest;
        taken.to_vec()
    }

    fn take_rotated(&mut self) -> bool {
        false
    }

    fn mark_complete(&mut self) {}
}

/// A chunk of a log, and the stream's state after the chunk.
#[derive(Debug)]
pub struct ChunkStep {
    /// The chunk, which contains whole messages.
    pub chunk: LogChunk,
    /// State after the chunk.
    pub state: StreamState,
    /// Configuration for parsing the chunk. Chunks of a log may have different configurations.
    pub config: Arc<LogReaderConfig>,
    /// Notice for the user if the configuration changed before this chunk.
    pub notice: Option<String>,
}

/// State of a stream after a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamState {
    /// More chunks follow.
    More,
    /// No more bytes are available for now. The followed log has not grown, or was rotated.
    Idle,
    /// The log has ended.
    End,
}

/// Splits a log into chunks of whole messages.
///
/// ```
/// use pgq_log::{Chunks, LogKind, LogReaderConfig, RecordSelection, StreamState};
///
/// let mut source: &[u8] = b"{\"error_severity\":\"LOG\"}\n";
/// let (config, _) = LogReaderConfig::new(LogKind::Jsonlog, RecordSelection::default(), None, source);
/// let mut chunks = Chunks::new(config);
/// let step = chunks.next_chunk(&mut source, &|| {})?.unwrap();
/// assert_eq!((step.chunk.bytes.len(), step.state), (25, StreamState::End));
/// assert!(chunks.next_chunk(&mut source, &|| {})?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Chunks {
    config: Arc<LogReaderConfig>,
    /// Parser that finds the starts of messages.
    parser: Box<dyn LineParser>,
    position: FilePosition,
    /// The last lines before the next chunk.
    before: Vec<u8>,
    /// The part of a message that is being dropped, because the message is too long.
    skipping: Option<Skipped>,
    /// Number of messages since the last chunk that were too long to be kept.
    too_long: u64,
    /// Number of bytes and lines that were dropped since the last chunk.
    skipped: (u64, u64),
    /// Whether the last chunk was returned because the log was idle.
    was_idle: bool,
    has_ended: bool,
    /// Whether a read has failed. In this case, the last message before the failure may be incomplete.
    has_failed: bool,
    /// Whether a re-detection of the log_line_prefix has failed since the last chunk. The prefix is re-detected if no
    /// line starts a message in a long part of the log.
    relearned_in_vain: bool,
    pending_notice: Option<String>,
}

/// The dropped part of a message.
#[derive(Debug, Clone, Copy)]
enum Skipped {
    /// The rest of a line.
    Line,
    /// The rest of a row of a csvlog. `is_quoted`: whether the next byte is inside quotes.
    Row { is_quoted: bool },
}

/// Maximum bytes of [`LogChunk::before`]. A header is shorter.
const MAX_BEFORE: usize = 2 * WINDOW;

/// If no message starts within this number of bytes, the log_line_prefix is re-detected.
const RELEARN_BYTES: usize = 1 << 20;

impl Chunks {
    /// Creates a splitter for a log. `config`: the configuration for reading the log.
    #[must_use]
    pub fn new(config: LogReaderConfig) -> Self {
        let (parser, position) = (config.parser(), FilePosition::default());
        let config = Arc::new(config);
        Self {
            config,
            parser,
            position,
            before: Vec::new(),
            skipping: None,
            too_long: 0,
            skipped: (0, 0),
            was_idle: false,
            has_ended: false,
            has_failed: false,
            relearned_in_vain: false,
            pending_notice: None,
        }
    }

    /// Returns the first messages of the log, or `None` if they have no times. `sample` must be the start of the log.
    #[must_use]
    pub fn first_messages(&self, sample: &[u8]) -> Option<FirstMessages> {
        FirstMessages::new(&self.config, sample)
    }

    /// Re-detects the prefix if the lines of `part` do not match it. Returns a notice if the prefix changed.
    fn relearn(&mut self, part: &[u8]) -> Option<String> {
        let (config, notice) = self.config.relearn(part)?;
        self.parser = config.parser();
        self.config = Arc::new(config);
        Some(notice)
    }

    /// Returns the next chunk, or `None` after the end of the log.
    ///
    /// # Errors
    /// Returns an error if a read fails. The next call returns the bytes before the failure as the
    /// last chunk.
    pub fn next_chunk(
        &mut self,
        source: &mut impl ByteSource,
        before_wait: BeforeWait<'_>,
    ) -> io::Result<Option<ChunkStep>> {
        if self.has_ended {
            return Ok(None);
        }
        loop {
            if let Some(skipped) = self.skipping {
                self.skip(skipped, source);
            }
            let end = self.last_message_start(source.bytes());
            if end > 0 && !source.is_complete() {
                return Ok(Some(self.take_chunk(source, end, StreamState::More)));
            }
            if end == 0 && source.bytes().len() > RELEARN_BYTES && !self.relearned_in_vain {
                // No line starts a message, so the prefix may have changed.
                self.pending_notice = self.relearn(&source.bytes()[..RELEARN_BYTES]);
                self.relearned_in_vain = self.pending_notice.is_none();
                continue;
            }
            if source.is_complete() {
                self.has_ended = true;
                let mut step = self.take_chunk(source, source.bytes().len(), StreamState::End);
                step.chunk.ends_in_message = self.has_failed;
                return Ok(Some(step));
            }
            if source.bytes().len() > MAX_MESSAGE_BYTES && self.skipping.is_none() {
                // Complete rows or lines may precede the message that is too long. Return them first.
                let (end, skipped) = match self.config.form().0 {
                    LogKind::Stderr => {
                        self.too_long += 1;
                        return Ok(Some(self.cut_long_message(source)));
                    }
                    LogKind::Csvlog => (last_row_end(source.bytes()), Skipped::Row { is_quoted: false }),
                    LogKind::Jsonlog => (last_line_end(source.bytes()), Skipped::Line),
                };
                if end > 0 {
                    return Ok(Some(self.take_chunk(source, end, StreamState::More)));
                }
                self.too_long += 1;
                self.skip(skipped, source);
            }
            let before = source.bytes().len();
            if let Err(error) = source.fill(before_wait) {
                source.mark_complete();
                self.has_failed = true;
                return Err(error);
            }
            if source.take_rotated() {
                return Ok(Some(self.finish_rotated_file(source, before)));
            }
            let is_idle = source.bytes().len() == before && !source.is_complete();
            if is_idle && (!self.was_idle || source.has_news()) {
                self.was_idle = true;
                // A row of a csvlog or jsonlog is complete at its line break. In the stderr format and in an envelope,
                // the last message may be incomplete, because more of its lines may be written later.
                let end = match self.config.form() {
                    (LogKind::Csvlog, false) => last_row_end(source.bytes()),
                    (LogKind::Jsonlog, false) => last_line_end(source.bytes()),
                    _ => 0,
                };
                return Ok(Some(self.take_chunk(source, end, StreamState::Idle)));
            }
            self.was_idle = is_idle;
        }
    }

    /// Returns the offset of the last line that starts a message. All messages before this line are complete.
    fn last_message_start(&mut self, bytes: &[u8]) -> usize {
        let mut end = bytes.len();
        while let Some(newline) = memchr::memrchr(b'\n', &bytes[..end]) {
            let line = first_line(&bytes[newline + 1..]);
            let continued = self.config.is_framed() && Frame::parse(line).is_some_and(|(frame, _)| frame.continued);
            let line = if self.config.is_framed() { Frame::strip(line) } else { line };
            if !continued && self.parser.starts_message(line) {
                return newline + 1;
            }
            end = newline;
        }
        0
    }

    fn take_chunk(&mut self, source: &mut impl ByteSource, end: usize, state: StreamState) -> ChunkStep {
        let bytes = source.take(end);
        let start = self.position;
        self.position.offset += bytes.len() as u64;
        self.position.line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        let crlf = lines_end_in_cr(&bytes);
        self.relearned_in_vain = false;
        let notice = self.relearn(&bytes).or_else(|| self.pending_notice.take());
        let config = Arc::clone(&self.config);
        let mut before = self.before.clone();
        self.before.extend_from_slice(&bytes[bytes.len().saturating_sub(MAX_BEFORE)..]);
        self.before.drain(..self.before.len().saturating_sub(MAX_BEFORE));
        // Removes an incomplete line.
        before.truncate(memchr::memrchr(b'\n', &before).unwrap_or(0));
        ChunkStep {
            chunk: LogChunk {
                bytes,
                before,
                start,
                crlf,
                framed: config.is_framed(),
                ends_in_message: false,
                too_long: std::mem::take(&mut self.too_long),
                skipped: std::mem::take(&mut self.skipped),
            },
            state,
            config,
            notice,
        }
    }

    /// Cuts a message that is too long to be kept, if possible at a line break.
    fn cut_long_message(&mut self, source: &mut impl ByteSource) -> ChunkStep {
        let line_end = last_line_end(source.bytes());
        self.skipping = (line_end == 0).then_some(Skipped::Line);
        let end = if line_end == 0 { source.bytes().len() } else { line_end };
        let mut step = self.take_chunk(source, end, StreamState::More);
        step.chunk.ends_in_message = true;
        step
    }

    /// Drops the buffered part of a line or row that is too long. A dropped row ends at the line break after its
    /// closing quote. It also ends before a line that certainly starts another row, because the closing quote may be
    /// missing.
    fn skip(&mut self, skipped: Skipped, source: &mut impl ByteSource) {
        let bytes = source.bytes();
        let (mut is_quoted, is_row) = match skipped {
            Skipped::Line => (false, false),
            Skipped::Row { is_quoted } => (is_quoted, true),
        };
        let end = memchr::memchr2_iter(b'"', b'\n', bytes).find(|at| {
            is_quoted ^= is_row && bytes[*at] == b'"';
            bytes[*at] == b'\n' && (!is_quoted || self.parser.starts_message(first_line(&bytes[at + 1..])))
        });
        let len = end.map_or(bytes.len(), |at| at + 1);
        let lines = memchr::memchr_iter(b'\n', &bytes[..len]).count() as u64;
        self.skipped = (self.skipped.0 + len as u64, self.skipped.1 + lines);
        self.position.line += lines;
        self.position.offset += len as u64;
        self.skipping = match end {
            Some(_) => None,
            None if is_row => Some(Skipped::Row { is_quoted }),
            None => Some(Skipped::Line),
        };
        source.consume(len);
    }

    /// Handles the rotation of a log: the bytes of the source from offset `old_len` belong to a new file. Returns the
    /// rest of the old file as a chunk. The last line of this chunk may be cut, as at the end of any log.
    fn finish_rotated_file(&mut self, source: &mut impl ByteSource, old_len: usize) -> ChunkStep {
        let step = self.take_chunk(source, old_len, StreamState::Idle);
        (self.position, self.skipping, self.was_idle) = (FilePosition::default(), None, false);
        self.before.clear();
        step
    }
}

/// Returns the first line, without its line break.
fn first_line(bytes: &[u8]) -> &[u8] {
    &bytes[..memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())]
}

/// Returns the offset after the last line break outside of quotes, or 0 without such a line break.
pub fn last_row_end(bytes: &[u8]) -> usize {
    let (mut is_quoted, mut end) = (false, 0);
    for at in memchr::memchr2_iter(b'"', b'\n', bytes) {
        is_quoted ^= bytes[at] == b'"';
        if bytes[at] == b'\n' && !is_quoted {
            end = at + 1;
        }
    }
    end
}

/// Returns the offset after the last line break, or 0 without a line break.
fn last_line_end(bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1)
}
