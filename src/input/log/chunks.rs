//! A log as it is read: chunks of whole messages, cut where a message can only begin. It
//! looks at no more lines than it takes to find such a place.

use std::io;

use super::batch::{Format, LogChunk};
use super::entry::LONGEST;
use crate::input::{BeforeWait, Cursor, Reader};

/// What comes next of a log.
pub struct Step {
    pub chunk: LogChunk,
    pub then: Then,
}

/// What is known of what follows a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    More,
    /// Nothing for now.
    Rest,
    /// Nothing ever.
    End,
}

/// Cuts a log into chunks.
pub struct Chunks {
    format: Box<dyn Format>,
    at: Cursor,
    /// Whether lines end in CR LF, by the first of them.
    crlf: Option<bool>,
    /// What is read is the rest of a line that was too long.
    skipping: bool,
    rested: bool,
    ended: bool,
}

impl Chunks {
    /// `format` only says where messages begin.
    pub fn new(format: Box<dyn Format>) -> Self {
        Self { format, at: Cursor::default(), crlf: None, skipping: false, rested: false, ended: false }
    }

    /// The next chunk; `None` behind the end.
    ///
    /// # Errors
    /// A failed read. What was read before it comes with the next call, as the end.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<Step>> {
        if self.ended {
            return Ok(None);
        }
        loop {
            if self.skipping {
                self.skip_line(reader);
            }
            let end = self.boundary(reader.bytes());
            if end > 0 && !reader.is_complete() {
                return Ok(Some(self.step(reader, end, Then::More)));
            }
            if reader.bytes().len() > LONGEST {
                return Ok(Some(self.cut(reader)));
            }
            if reader.is_complete() {
                self.ended = true;
                return Ok(Some(self.step(reader, reader.bytes().len(), Then::End)));
            }
            let held = reader.bytes().len();
            if let Err(problem) = reader.fill(before_wait) {
                reader.give_up();
                return Err(problem);
            }
            if reader.take_rotated() {
                return Ok(Some(self.rotated(reader, held)));
            }
            let rests = reader.bytes().len() == held && !reader.is_complete();
            if rests && !self.rested {
                self.rested = true;
                // A line that is not complete is still being written.
                let whole = memchr::memrchr(b'\n', reader.bytes()).map_or(0, |at| at + 1);
                return Ok(Some(self.step(reader, whole, Then::Rest)));
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

    fn step(&mut self, reader: &mut Reader, end: usize, then: Then) -> Step {
        let bytes = reader.take(end);
        let start = self.at;
        let lines = memchr::memchr_iter(b'\n', &bytes).count();
        self.at.offset += bytes.len() as u64;
        self.at.line += lines as u64;
        let first_line = || memchr::memchr(b'\n', &bytes).is_some_and(|end| bytes[..end].ends_with(b"\r"));
        let crlf = *self.crlf.get_or_insert_with(first_line);
        Step { chunk: LogChunk { bytes, start, crlf, cut: false }, then }
    }

    /// A message is longer than what is held: it is cut, at a line end where there is one.
    fn cut(&mut self, reader: &mut Reader) -> Step {
        let whole = memchr::memrchr(b'\n', reader.bytes()).map_or(0, |at| at + 1);
        self.skipping = whole == 0;
        let end = if self.skipping { reader.bytes().len() } else { whole };
        let mut step = self.step(reader, end, Then::More);
        step.chunk.cut = true;
        step
    }

    fn skip_line(&mut self, reader: &mut Reader) {
        let newline = memchr::memchr(b'\n', reader.bytes());
        let len = newline.map_or(reader.bytes().len(), |at| at + 1);
        self.skipping = newline.is_none();
        reader.consume(len);
        self.at.offset += len as u64;
        self.at.line += u64::from(!self.skipping);
    }

    /// The file began anew behind `held` bytes: what is left of the old one is complete, but
    /// for a line that has no end and never gets one.
    fn rotated(&mut self, reader: &mut Reader, held: usize) -> Step {
        let whole = memchr::memrchr(b'\n', &reader.bytes()[..held]).map_or(0, |at| at + 1);
        let step = self.step(reader, whole, Then::Rest);
        reader.consume(held - whole);
        (self.at, self.crlf, self.skipping, self.rested) = (Cursor::default(), None, false, false);
        step
    }
}
