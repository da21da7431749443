//! Scripts: whole statements, cut where PostgreSQL's grammar lets them end, as many as fill a
//! chunk. psql's meta-commands and COPY data are stepped over.

use std::io;
use std::ops::Range;

use pgq::script::{ScriptPart, copy_data_end, next_part_within};

use pgq_log::BeforeWait;

use super::source::more;
use super::{Cursor, Reader};

/// Bytes after which a chunk is handed on. Large enough that the parser's start-up per call
/// is nothing, small enough that its trees stay in the cache.
const ENOUGH: usize = 16 * 1024;

/// Consecutive statements of a script.
#[derive(Debug)]
pub struct Statements {
    pub bytes: Vec<u8>,
    /// The place of the first byte.
    pub start: Cursor,
    /// The bytes of each statement, from its first word to behind its semicolon.
    pub ranges: Vec<Range<usize>>,
}

/// What comes next in a script.
struct Step {
    /// Bytes that it takes up.
    end: usize,
    statements: Vec<Range<usize>>,
    /// Meta-commands among them, to be read as white space.
    holes: Vec<Range<usize>>,
    /// It is a meta-command.
    command: bool,
    /// Its last statement is a COPY whose data may follow.
    copy: bool,
}

/// Gathers statements up to a piece's worth. `None` when nothing in `bytes` is certain.
fn next_step(bytes: &[u8], complete: bool, lookahead: &mut usize) -> Option<Step> {
    let mut step = Step { end: 0, statements: Vec::new(), holes: Vec::new(), command: false, copy: false };
    while step.end < ENOUGH && !step.copy && step.holes.is_empty() {
        match next_part_within(bytes, step.end, complete, lookahead) {
            None => break,
            Some(ScriptPart::MetaCommand(range)) if step.end == 0 => {
                return Some(Step { end: range.end, command: true, ..step });
            }
            Some(ScriptPart::MetaCommand(_)) => break,
            Some(ScriptPart::Blank(range)) => step.end = range.end,
            Some(ScriptPart::Statement { range, start, holes, copy_from_stdin }) => {
                step.statements.push(start..range.end);
                step.end = range.end;
                step.holes = holes;
                step.copy = copy_from_stdin;
            }
        }
    }
    (step.end > 0).then_some(step)
}

/// Bytes of a script that may be looked through in vain for the ends of routine bodies.
const LOOKAHEAD: usize = 64 << 20;

/// Cuts a script into chunks.
pub struct Script {
    at: Cursor,
    longest: Longest,
    lookahead: usize,
    commands: usize,
    data_blocks: usize,
    /// Data may follow what was read last.
    copy: bool,
}

/// How much may be held while the end of a statement is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Longest(pub usize);

impl Longest {
    /// A statement that is too long is still stepped over, up to so many times the limit.
    const STEPPED_OVER: usize = 4;

    /// # Errors
    /// More is held than may be.
    pub fn check(self, held: &[u8], at: Cursor) -> io::Result<()> {
        let most = self.0.saturating_mul(Self::STEPPED_OVER);
        if held.len() <= most {
            return Ok(());
        }
        let Cursor { line, .. } = at;
        Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!(
                "what begins on line {line} does not end within {most} bytes; the rest is not read (see --max-statement-bytes)"
            ),
        ))
    }
}

impl Script {
    pub fn new(longest: Longest) -> Self {
        Self { at: Cursor::default(), longest, lookahead: LOOKAHEAD, commands: 0, data_blocks: 0, copy: false }
    }

    /// The next statements; `None` at the end.
    ///
    /// # Errors
    /// A failed read.
    pub fn next(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<Option<Statements>> {
        loop {
            if std::mem::take(&mut self.copy) && self.skip_copy_data(reader, before_wait)? {
                self.data_blocks += 1;
            }
            let Some(step) = next_step(reader.bytes(), reader.is_complete(), &mut self.lookahead) else {
                self.longest.check(reader.bytes(), self.at)?;
                if !more(reader, &mut self.at, before_wait)? {
                    return Ok(None);
                }
                continue;
            };
            let start = self.at;
            self.at = start.after(&reader.bytes()[..step.end]);
            self.commands += step.holes.len() + usize::from(step.command);
            self.copy = step.copy;
            if step.statements.is_empty() {
                reader.consume(step.end);
                continue;
            }
            let mut bytes = reader.bytes()[..step.end].to_vec();
            reader.consume(step.end);
            for hole in step.holes {
                // Lines stay where they are.
                bytes[hole].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
            }
            return Ok(Some(Statements { bytes, start, ranges: step.statements }));
        }
    }

    /// What was stepped over, if anything was.
    pub fn skipped(&self) -> Option<String> {
        let count = |n: usize, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{n} {many}")),
        };
        let skipped = [
            count(self.commands, "psql meta-command", "psql meta-commands"),
            count(self.data_blocks, "block of COPY data", "blocks of COPY data"),
        ];
        let skipped: Vec<String> = skipped.into_iter().flatten().collect();
        (!skipped.is_empty()).then(|| format!("stepped over {}", skipped.join(" and ")))
    }

    /// Steps over the data of a COPY, if there is any: up to the line `\.`.
    fn skip_copy_data(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<bool> {
        loop {
            if let Some(end) = copy_data_end(reader.bytes(), 0) {
                self.at = self.at.after(&reader.bytes()[..end]);
                reader.consume(end);
                return Ok(true);
            }
            if reader.is_complete() {
                return Ok(false);
            }
            if reader.bytes().len() > DATA_WINDOW {
                // Up to the last line break, which the search for the end starts at again.
                let cut = memchr::memrchr(b'\n', reader.bytes()).unwrap_or(0);
                self.at = self.at.after(&reader.bytes()[..cut]);
                reader.consume(cut);
            }
            reader.fill(before_wait)?;
        }
    }
}

/// Most that is held while looking for the end of COPY data, in bytes. Beyond it, what was
/// read is data for certain.
const DATA_WINDOW: usize = 16 << 20;
