//! SQL scripts: chunks of whole statements, cut where PostgreSQL's grammar lets them end. psql
//! meta-commands and COPY data are skipped.

use std::io;
use std::ops::Range;

use pgq::script::{ScriptPart, copy_data_end, next_part_within};
use pgq_log::{BeforeWait, ByteSource, FilePosition};

use super::limit::MaxStatementBytes;
use super::reader::Reader;

/// Size in bytes from which on a chunk is complete. Large enough that the parser's start-up per
/// call does not count, small enough that the trees stay in the processor's cache.
const CHUNK_BYTES: usize = 16 * 1024;

/// Bytes of a file that may be searched in vain for the ends of BEGIN ATOMIC bodies.
const LOOKAHEAD_BYTES: usize = 64 << 20;

/// Most bytes of COPY data to hold while looking for its end. Beyond that the bytes read so far can
/// only be data, and are dropped.
const COPY_WINDOW_BYTES: usize = 16 << 20;

/// Consecutive statements of a script.
#[derive(Debug)]
pub struct ScriptStatements {
    pub bytes: Vec<u8>,
    /// Position of the first byte.
    pub start: FilePosition,
    /// Byte range of each statement, from its first word to behind its semicolon.
    pub ranges: Vec<Range<usize>>,
}

/// The next part of a script: statements up to a chunk's size, or one meta-command.
#[derive(Default)]
struct Segment {
    /// Its length in bytes.
    end: usize,
    statements: Vec<Range<usize>>,
    /// Meta-commands inside of the last statement, to be overwritten with blanks.
    meta_commands: Vec<Range<usize>>,
    is_meta_command: bool,
    /// The last statement is a COPY whose data may follow.
    copy_from_stdin: bool,
}

impl Segment {
    /// The next segment of `bytes`; `None` if more must be read to find its end.
    fn next(bytes: &[u8], complete: bool, lookahead: &mut usize) -> Option<Self> {
        let mut segment = Self::default();
        while segment.end < CHUNK_BYTES && !segment.copy_from_stdin && segment.meta_commands.is_empty() {
            match next_part_within(bytes, segment.end, complete, lookahead) {
                None => break,
                Some(ScriptPart::MetaCommand(range)) if segment.end == 0 => {
                    return Some(Self { end: range.end, is_meta_command: true, ..segment });
                }
                Some(ScriptPart::MetaCommand(_)) => break,
                Some(ScriptPart::Blank(range)) => segment.end = range.end,
                Some(ScriptPart::Statement { range, start, meta_commands, copy_from_stdin }) => {
                    segment.statements.push(start..range.end);
                    segment.end = range.end;
                    segment.meta_commands = meta_commands;
                    segment.copy_from_stdin = copy_from_stdin;
                }
            }
        }
        (segment.end > 0).then_some(segment)
    }
}

/// Splits a script into chunks.
pub struct ScriptSplitter {
    position: FilePosition,
    max_statement_bytes: MaxStatementBytes,
    lookahead: usize,
    /// COPY data may come next.
    expects_copy_data: bool,
    meta_commands: usize,
    copy_blocks: usize,
}

impl ScriptSplitter {
    pub fn new(max_statement_bytes: MaxStatementBytes) -> Self {
        Self {
            position: FilePosition::default(),
            max_statement_bytes,
            lookahead: LOOKAHEAD_BYTES,
            expects_copy_data: false,
            meta_commands: 0,
            copy_blocks: 0,
        }
    }

    /// The next statements; `None` at the end.
    ///
    /// # Errors
    /// A failed read, or a statement that is far too long.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<ScriptStatements>> {
        loop {
            if std::mem::take(&mut self.expects_copy_data) && self.skip_copy_data(reader, before_wait)? {
                self.copy_blocks += 1;
            }
            let Some(segment) = Segment::next(reader.bytes(), reader.is_complete(), &mut self.lookahead) else {
                self.max_statement_bytes.check(reader.bytes(), self.position)?;
                if !reader.read_more(&mut self.position, before_wait)? {
                    return Ok(None);
                }
                continue;
            };
            let start = self.position;
            self.position = start.after(&reader.bytes()[..segment.end]);
            self.meta_commands += segment.meta_commands.len() + usize::from(segment.is_meta_command);
            self.expects_copy_data = segment.copy_from_stdin;
            if segment.statements.is_empty() {
                reader.consume(segment.end);
                continue;
            }
            let mut bytes = reader.bytes()[..segment.end].to_vec();
            reader.consume(segment.end);
            for command in segment.meta_commands {
                // Line breaks stay, so that line numbers stay right.
                bytes[command].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
            }
            return Ok(Some(ScriptStatements { bytes, start, ranges: segment.statements }));
        }
    }

    /// A notice of what was skipped, if anything was.
    pub fn skipped(&self) -> Option<String> {
        let count = |n: usize, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{n} {many}")),
        };
        let skipped = [
            count(self.meta_commands, "psql meta-command", "psql meta-commands"),
            count(self.copy_blocks, "block of COPY data", "blocks of COPY data"),
        ];
        let skipped: Vec<String> = skipped.into_iter().flatten().collect();
        (!skipped.is_empty()).then(|| format!("stepped over {}", skipped.join(" and ")))
    }

    /// Skips the data of a COPY up to the line `\.`; false if there is no such line.
    fn skip_copy_data(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<bool> {
        loop {
            if let Some(end) = copy_data_end(reader.bytes(), 0) {
                self.position = self.position.after(&reader.bytes()[..end]);
                reader.consume(end);
                return Ok(true);
            }
            if reader.is_complete() {
                return Ok(false);
            }
            if reader.bytes().len() > COPY_WINDOW_BYTES {
                // Up to the last line break: the next search must see the start of a line.
                let end = memchr::memrchr(b'\n', reader.bytes()).unwrap_or(0);
                self.position = self.position.after(&reader.bytes()[..end]);
                reader.consume(end);
            }
            reader.fill(before_wait)?;
        }
    }
}
