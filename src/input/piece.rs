//! Pieces: runs of whole statements, with their place in the file.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use anyhow::Result;
use pgq::script::{Part, copy_data_end, next_part};

use super::log::Entry;
use super::{Cursor, Flow, Reader, Sink};
use crate::output::Messages;

/// Bytes after which a piece is handed on. Large enough that the parser's start-up per call
/// is nothing, small enough that its trees stay in the cache.
const ENOUGH: usize = 16 * 1024;

/// What a command treats as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Each statement.
    Statement,
    /// Each record of the input, whatever it holds.
    Record,
}

/// Consecutive statements of a file.
pub struct Piece<'a> {
    pub file: &'a str,
    pub bytes: Cow<'a, [u8]>,
    /// The place of the first byte.
    pub start: Cursor,
    /// The bytes of each statement, from its first word to behind its semicolon.
    pub statements: Vec<Range<usize>>,
    pub unit: Unit,
    /// What a log says of it, where it comes from one.
    pub log: Option<&'a Entry>,
    /// The last place asked for: statements are asked for in order, so counting goes on
    /// from there instead of from the start.
    last: Cell<(usize, Cursor)>,
}

impl<'a> Piece<'a> {
    fn new(file: &'a str, bytes: Cow<'a, [u8]>, start: Cursor, statements: Vec<Range<usize>>, unit: Unit) -> Self {
        Self { file, bytes, start, statements, unit, log: None, last: Cell::new((0, start)) }
    }

    /// The statement of a log's record.
    pub fn of_log(file: &'a str, entry: &'a Entry) -> Self {
        let all = 0..entry.sql().len();
        let piece = Self::new(file, Cow::Borrowed(entry.sql()), entry.sql_at, vec![all], Unit::Record);
        Self { log: Some(entry), ..piece }
    }

    /// The place of byte `offset` of the piece.
    pub fn place(&self, offset: usize) -> Cursor {
        if self.log.is_some_and(|entry| entry.rewritten) {
            return self.start; // places in the text are none in the file
        }
        let offset = offset.min(self.bytes.len());
        let (from, cursor) = match self.last.get() {
            (last, cursor) if last <= offset => (last, cursor),
            _ => (0, self.start),
        };
        let place = cursor.after(&self.bytes[from..offset]);
        self.last.set((offset, place));
        place
    }

    /// Statement `index` as a piece of its own, with the comments before it or without.
    pub fn alone(&self, index: usize, with_comments: bool) -> Piece<'_> {
        let mut range = self.statements[index].clone();
        if with_comments {
            let before = index.checked_sub(1).map_or(0, |index| self.statements[index].end);
            let blank = self.bytes[before..range.start].iter().take_while(|b| b.is_ascii_whitespace()).count();
            range.start = before + blank;
        }
        let start = self.place(range.start);
        let all = 0..range.len();
        let bytes = Cow::Borrowed(&self.bytes[range]);
        Piece { log: self.log, ..Piece::new(self.file, bytes, start, vec![all], self.unit) }
    }
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
fn next_step(bytes: &[u8], complete: bool) -> Option<Step> {
    let mut step = Step { end: 0, statements: Vec::new(), holes: Vec::new(), command: false, copy: false };
    while step.end < ENOUGH && !step.copy && step.holes.is_empty() {
        match next_part(bytes, step.end, complete) {
            None => break,
            Some(Part::MetaCommand(range)) if step.end == 0 => {
                return Some(Step { end: range.end, command: true, ..step });
            }
            Some(Part::MetaCommand(_)) => break,
            Some(Part::Blank(range)) => step.end = range.end,
            Some(Part::Statement { range, start, holes, copy_from_stdin }) => {
                step.statements.push(start..range.end);
                step.end = range.end;
                step.holes = holes;
                step.copy = copy_from_stdin;
            }
        }
    }
    (step.end > 0).then_some(step)
}

/// Hands on the statements of a script.
///
/// # Errors
/// What the sink returns. A read that fails is reported and ends the file.
pub fn script(file: &str, reader: &mut Reader, messages: &Messages, sink: &mut dyn Sink) -> Result<Flow> {
    let mut at = Cursor::default();
    let (mut commands, mut data_blocks) = (0, 0);
    let mut flow = Flow::Continue;
    while flow == Flow::Continue {
        let Some(step) = next_step(reader.bytes(), reader.is_complete()) else {
            if !more(file, reader, &mut at, messages, sink)? {
                break;
            }
            continue;
        };
        let mut bytes = Cow::Borrowed(&reader.bytes()[..step.end]);
        for hole in &step.holes {
            // Lines stay where they are.
            bytes.to_mut()[hole.clone()].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
        }
        commands += step.holes.len() + usize::from(step.command);
        let next = at.after(&bytes);
        if !step.statements.is_empty() {
            let piece = Piece::new(file, bytes, at, step.statements, Unit::Statement);
            flow = sink.piece(&piece)?;
        }
        at = next;
        reader.consume(step.end);
        if step.copy && skip_copy_data(reader, &mut at).unwrap_or(false) {
            data_blocks += 1; // an error comes again with the next read, and is reported there
        }
    }
    let count = |n: usize, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{n} {many}")),
    };
    let skipped = [
        count(commands, "psql meta-command", "psql meta-commands"),
        count(data_blocks, "block of COPY data", "blocks of COPY data"),
    ];
    let skipped: Vec<String> = skipped.into_iter().flatten().collect();
    if !skipped.is_empty() {
        messages.remark(&format!("{file}: stepped over {}", skipped.join(" and ")));
    }
    Ok(flow)
}

/// Reads on. False at the end of the file, or where reading failed (which is reported).
fn more(file: &str, reader: &mut Reader, at: &mut Cursor, messages: &Messages, sink: &mut dyn Sink) -> Result<bool> {
    if reader.is_complete() {
        return Ok(false);
    }
    sink.idle()?;
    if let Err(problem) = reader.fill() {
        messages.unreadable(file, &problem);
        return Ok(false);
    }
    if *at == Cursor::default() && reader.bytes().starts_with(b"\xEF\xBB\xBF") {
        reader.consume(3); // a byte order mark is no part of the first line
        at.offset = 3;
    }
    Ok(true)
}

/// Most that is held while looking for the end of COPY data, in bytes. Beyond it, what was
/// read is data for certain.
const DATA_WINDOW: usize = 16 << 20;

/// Steps over the data of a COPY, if there is any: up to the line `\.`.
fn skip_copy_data(reader: &mut Reader, at: &mut Cursor) -> std::io::Result<bool> {
    loop {
        if let Some(end) = copy_data_end(reader.bytes(), 0) {
            *at = at.after(&reader.bytes()[..end]);
            reader.consume(end);
            return Ok(true);
        }
        if reader.is_complete() {
            return Ok(false);
        }
        if reader.bytes().len() > DATA_WINDOW {
            // Up to the last line break, which the search for the end starts at again.
            let cut = memchr::memrchr(b'\n', reader.bytes()).unwrap_or(0);
            *at = at.after(&reader.bytes()[..cut]);
            reader.consume(cut);
        }
        reader.fill()?;
    }
}

/// Hands on records that end in `delimiter`: one statement each, whatever they hold.
///
/// # Errors
/// As for [`script`].
pub fn records(
    file: &str,
    reader: &mut Reader,
    delimiter: u8,
    messages: &Messages,
    sink: &mut dyn Sink,
) -> Result<Flow> {
    let mut at = Cursor::default();
    let mut searched = 0; // bytes known to hold no delimiter
    let mut flow = Flow::Continue;
    loop {
        let mut used = 0;
        while flow == Flow::Continue {
            let rest = &reader.bytes()[used..];
            let found = memchr::memchr(delimiter, &rest[searched..]).map(|at| searched + at);
            searched = 0;
            let end = match found {
                Some(end) => end,
                None if reader.is_complete() && !rest.is_empty() => rest.len(),
                None => break,
            };
            flow = record(file, &rest[..end], at, sink)?;
            let taken = (end + 1).min(rest.len());
            at = at.after(&rest[..taken]);
            used += taken;
        }
        reader.consume(used);
        searched = reader.bytes().len();
        if flow == Flow::Stop || !more(file, reader, &mut at, messages, sink)? {
            return Ok(flow);
        }
        searched = searched.min(reader.bytes().len());
        if reader.is_complete() {
            searched = 0;
        }
    }
}

/// One record without its delimiter. Blank ones are nothing.
fn record(file: &str, bytes: &[u8], at: Cursor, sink: &mut dyn Sink) -> Result<Flow> {
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Flow::Continue);
    }
    let all = 0..bytes.len();
    sink.piece(&Piece::new(file, Cow::Borrowed(bytes), at, vec![all], Unit::Record))
}
