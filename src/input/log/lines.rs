//! Lines of a log, one after the other, out of a reader's buffer. It does not look into them.

use anyhow::Result;

use super::assemble::Assembler;
use super::entry::LONGEST;
use crate::input::{Cursor, Flow, Reader};
use crate::output::Messages;

/// A format that is read line by line.
pub trait Format {
    /// Takes a line without its end. `whole` says that it had one.
    ///
    /// # Errors
    /// What the sink returns.
    fn line(&mut self, line: &[u8], at: Cursor, whole: bool, out: &mut Assembler<'_>) -> Result<Flow>;

    /// Takes what is there for complete: the log rests, or has come to its `end`.
    ///
    /// # Errors
    /// What the sink returns.
    fn rest(&mut self, end: bool, out: &mut Assembler<'_>) -> Result<Flow>;
}

/// Reads a log to its end.
///
/// # Errors
/// What the sink returns. A read that fails is reported and ends the file.
pub fn read(
    file: &str,
    reader: &mut Reader,
    messages: &Messages,
    format: &mut dyn Format,
    out: &mut Assembler<'_>,
) -> Result<Flow> {
    let mut at = Cursor::default();
    // Whether lines end in CR LF, by the first of them.
    let mut crlf = None;
    // What is read is the rest of a line that was too long.
    let mut skipping = false;
    // Bytes of the buffer that hold no line end.
    let mut searched = 0;
    loop {
        let bytes = reader.bytes();
        let mut used = 0;
        while let Some(found) = memchr::memchr(b'\n', &bytes[used + searched..]) {
            let end = used + searched + found;
            searched = 0;
            let line = &bytes[used..end];
            if !std::mem::take(&mut skipping) {
                let crlf = *crlf.get_or_insert(line.ends_with(b"\r"));
                let line = if crlf { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
                if give(line, at, true, format, out)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
            at = Cursor { offset: at.offset + (end + 1 - used) as u64, line: at.line + 1, column: 1 };
            used = end + 1;
        }
        let rest = &bytes[used..];
        if !rest.is_empty() && (reader.is_complete() || rest.len() > LONGEST) {
            if !skipping && give(rest, at, false, format, out)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
            skipping = !reader.is_complete();
            at.offset += rest.len() as u64;
            used = bytes.len();
        }
        reader.consume(used);
        searched = reader.bytes().len();
        if reader.is_complete() {
            if format.rest(true, out)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
            return out.finish();
        }
        out.idle()?;
        let held = reader.bytes().len();
        if let Err(problem) = reader.fill() {
            messages.unreadable(file, &problem);
            format.rest(true, out)?;
            return out.finish();
        }
        if reader.take_rotated() {
            // What was left of the old file has no line end and never gets one.
            (at, searched, skipping) = (Cursor::default(), 0, false);
            reader.consume(held);
            format.rest(true, out)?;
        } else if reader.bytes().len() == held && !reader.is_complete() {
            format.rest(false, out)?;
            out.quiet()?;
        }
    }
}

fn give(line: &[u8], at: Cursor, whole: bool, format: &mut dyn Format, out: &mut Assembler<'_>) -> Result<Flow> {
    out.stats.lines += 1;
    out.stats.bytes = at.offset + line.len() as u64 + u64::from(whole);
    // A crash leaves NULs where the next line begins.
    let nuls = line.iter().take_while(|b| **b == 0).count();
    let at = Cursor { offset: at.offset + nuls as u64, column: at.column + nuls as u64, ..at };
    format.line(&line[nuls..], at, whole, out)
}
