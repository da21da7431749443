//! A log as it is read: chunks of whole messages, cut where a message can only begin. It
//! looks at no more lines than it takes to find such a place.

use std::io;

use crate::batch::{LineParser, LogChunk};
use crate::entry::LONGEST;
use crate::position::FilePosition;

/// Called before a read that may wait.
pub type BeforeWait<'a> = &'a dyn Fn();

/// Where a log's bytes come from: a buffer that can be read on.
pub trait ByteSource {
    /// The bytes that were read and not yet taken.
    fn bytes(&self) -> &[u8];
    /// Whether [`ByteSource::bytes`] is all that is left.
    fn is_complete(&self) -> bool;
    /// Reads more. A file that is followed and has not grown gives nothing, and is not complete.
    ///
    /// # Errors
    /// A failed read.
    fn fill(&mut self, before_wait: BeforeWait<'_>) -> io::Result<()>;
    /// Removes the first `count` bytes.
    fn consume(&mut self, count: usize);
    /// Removes the first `count` bytes and returns them.
    fn take(&mut self, count: usize) -> Vec<u8>;
    /// Whether the last read began a new file (log rotation); resets the answer.
    fn take_rotated(&mut self) -> bool;
    /// Declares what was read so far to be all there is: reading has failed.
    fn give_up(&mut self);
}

/// What comes next of a log.
pub struct ChunkStep {
    pub chunk: LogChunk,
    pub state: StreamState,
}

/// What is known of what follows a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamState {
    More,
    /// Nothing for now.
    Rest,
    /// Nothing ever.
    End,
}

/// Cuts a log into chunks.
pub struct Chunks {
    format: Box<dyn LineParser>,
    at: FilePosition,
    /// Whether lines end in CR LF, by the first of them.
    crlf: Option<bool>,
    /// What is read is the rest of a line that was too long.
    skipping: bool,
    rested: bool,
    ended: bool,
}

impl Chunks {
    /// `format` only says where messages begin.
    pub fn new(format: Box<dyn LineParser>) -> Self {
        Self { format, at: FilePosition::default(), crlf: None, skipping: false, rested: false, ended: false }
    }

    /// The next chunk; `None` behind the end.
    ///
    /// # Errors
    /// A failed read. What was read before it comes with the next call, as the end.
    pub fn next(&mut self, source: &mut impl ByteSource, before_wait: BeforeWait<'_>) -> io::Result<Option<ChunkStep>> {
        if self.ended {
            return Ok(None);
        }
        loop {
            if self.skipping {
                self.skip_line(source);
            }
            let end = self.boundary(source.bytes());
            if end > 0 && !source.is_complete() {
                return Ok(Some(self.step(source, end, StreamState::More)));
            }
            if source.bytes().len() > LONGEST {
                return Ok(Some(self.cut(source)));
            }
            if source.is_complete() {
                self.ended = true;
                return Ok(Some(self.step(source, source.bytes().len(), StreamState::End)));
            }
            let held = source.bytes().len();
            if let Err(problem) = source.fill(before_wait) {
                source.give_up();
                return Err(problem);
            }
            if source.take_rotated() {
                return Ok(Some(self.rotated(source, held)));
            }
            let rests = source.bytes().len() == held && !source.is_complete();
            if rests && !self.rested {
                self.rested = true;
                // A line that is not complete is still being written.
                let whole = memchr::memrchr(b'\n', source.bytes()).map_or(0, |at| at + 1);
                return Ok(Some(self.step(source, whole, StreamState::Rest)));
            }
            self.rested = rests;
        }
    }

    /// Where the last message begins, in bytes: what is before it is complete.
    fn boundary(&mut self, bytes: &[u8]) -> usize {
        let mut end = bytes.len();
        while let Some(newline) = memchr::memrchr(b'\n', &bytes[..end]) {
            let line = &bytes[newline + 1..];
            let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
            if self.format.begins(line) {
                return newline + 1;
            }
            end = newline;
        }
        0
    }

    fn step(&mut self, source: &mut impl ByteSource, end: usize, state: StreamState) -> ChunkStep {
        let bytes = source.take(end);
        let start = self.at;
        let lines = memchr::memchr_iter(b'\n', &bytes).count();
        self.at.offset += bytes.len() as u64;
        self.at.line += lines as u64;
        let first_line = || memchr::memchr(b'\n', &bytes).is_some_and(|end| bytes[..end].ends_with(b"\r"));
        let crlf = *self.crlf.get_or_insert_with(first_line);
        ChunkStep { chunk: LogChunk { bytes, start, crlf, cut: false }, state }
    }

    /// A message is longer than what is held: it is cut, at a line end where there is one.
    fn cut(&mut self, source: &mut impl ByteSource) -> ChunkStep {
        let whole = memchr::memrchr(b'\n', source.bytes()).map_or(0, |at| at + 1);
        self.skipping = whole == 0;
        let end = if self.skipping { source.bytes().len() } else { whole };
        let mut step = self.step(source, end, StreamState::More);
        step.chunk.cut = true;
        step
    }

    fn skip_line(&mut self, source: &mut impl ByteSource) {
        let newline = memchr::memchr(b'\n', source.bytes());
        let len = newline.map_or(source.bytes().len(), |at| at + 1);
        self.skipping = newline.is_none();
        source.consume(len);
        self.at.offset += len as u64;
        self.at.line += u64::from(!self.skipping);
    }

    /// The file began anew behind `held` bytes: what is left of the old one is complete, but
    /// for a line that has no end and never gets one.
    fn rotated(&mut self, source: &mut impl ByteSource, held: usize) -> ChunkStep {
        let whole = memchr::memrchr(b'\n', &source.bytes()[..held]).map_or(0, |at| at + 1);
        let step = self.step(source, whole, StreamState::Rest);
        source.consume(held - whole);
        (self.at, self.crlf, self.skipping, self.rested) = (FilePosition::default(), None, false, false);
        step
    }
}
