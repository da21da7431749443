//! Lines that a platform has split. If the envelope marks the parts, joins them. Otherwise remembers the sources whose
//! last line may be incomplete: the next line of such a source may be the rest of that line, even if it looks like a
//! message.

use std::collections::{HashMap, HashSet};

use crate::format::file_position::FilePosition;
use crate::format::frame::{Emit, Frame};
use crate::message::parts::MAX_MESSAGE_BYTES;
use crate::scan::number::parse_pid;

/// Maximum sizes of an event, in bytes: two limits of docker's drivers, journald's LineMax, and CloudWatch's limits
/// before and since 2025. CloudWatch may count 26 additional bytes per event, so the list also contains each limit of
/// CloudWatch minus 26.
const LIMITS: [usize; 6] = [16 << 10, 48 << 10, (256 << 10) - 26, 256 << 10, (1 << 20) - 26, 1 << 20];
/// U+FFFD.
const REPLACEMENT: &[u8; 3] = b"\xEF\xBF\xBD";
const HEROKUS_LIMIT: usize = 10_000;
/// PG_SYSLOG_LIMIT in elog.c.
const SYSLOGS_LIMIT: usize = 900;
/// A part may be shorter than the limit by up to this number of bytes, because it ends at a character boundary.
const CHARACTER: usize = 3;

/// Whether an event of `len` bytes is as long as the platform permits. `envelope`: the name of the envelope.
/// `replaced`: returns the number of U+FFFD in the event. U+FFFD has three bytes, and the platform may have written
/// each U+FFFD in place of one byte. Therefore this function also tests the length that the event had before the
/// replacement.
pub fn is_full(envelope: &str, len: usize, replaced: impl FnOnce() -> usize) -> bool {
    // Docker, CRI and RDS mark their parts.
    if len < HEROKUS_LIMIT - CHARACTER || matches!(envelope, "docker" | "cri" | "rds") {
        return false;
    }
    let lens = [len, len - 2 * replaced()];
    let is_at = |limit| lens.iter().any(|len| (limit - CHARACTER..=limit).contains(len));
    match envelope {
        "heroku" | "logplex" => is_at(HEROKUS_LIMIT),
        _ => LIMITS.into_iter().any(is_at),
    }
}

/// Returns the number of U+FFFD in a text.
pub fn replacements(text: &[u8]) -> usize {
    memchr::memchr_iter(REPLACEMENT[0], text).filter(|at| text[*at..].starts_with(REPLACEMENT)).count()
}

/// Removes the bracketed number (`[2]`) that the server writes before each part of a message (elog.c: write_syslog).
/// Keeps a bracketed process ID, which is part of the prefix.
pub fn without_number(text: &[u8], pid: u32) -> &[u8] {
    // rsyslog keeps the blank after the tag.
    let Some(inner) = text.strip_prefix(b" ").unwrap_or(text).strip_prefix(b"[").filter(|_| pid > 0) else {
        return text;
    };
    let end = memchr::memchr(b']', &inner[..inner.len().min(16)]).filter(|end| inner.get(end + 1) == Some(&b' '));
    let number = end.and_then(|end| Some((end + 2, parse_pid(&inner[..end])?)));
    number.filter(|(_, number)| *number != pid).map_or(text, |(start, _)| &inner[start..])
}

/// Whether a line of syslog without a piece number (`[7-2]`) may end inside a word. PostgreSQL splits a long line at
/// the last blank before the limit. If there is no blank after the first byte, it splits the line inside a word.
///
/// Each `#` may start an escape such as `#011`, which is 3 bytes longer than the escaped character. Therefore the text
/// may exceed the limit by 3 bytes for each `#`. The text `[48.0K blob data]` also counts as cut: journalctl prints it
/// in place of a part that ends inside a character.
pub fn is_cut_word(text: &[u8]) -> bool {
    let escapes = || memchr::memchr_iter(b'#', text).count();
    text.len() >= SYSLOGS_LIMIT - CHARACTER
        && memchr::memchr(b' ', &text[1..]).is_none()
        && text.len().saturating_sub(3 * escapes()) <= SYSLOGS_LIMIT
        || text == b"[48.0K blob data]"
}

/// The source of a line: its stream (the number of a host, container or file), its process ID, and whether the line is
/// from the standard output.
type Source = (u32, u32, bool);

/// Returns the source of a line. Distinguishes stdout from stderr, because containers split the lines of stdout and of
/// stderr separately.
pub fn source_of(frame: &Frame<'_>) -> Source {
    (frame.stream, frame.pid, frame.is_stdout)
}

#[derive(Default)]
pub struct Splits {
    /// Pending text by source, with the position of its first part.
    pub partial: HashMap<Source, (FilePosition, Vec<u8>)>,
    /// Sources whose next line may be the rest of their previous line.
    pub full: HashSet<Source>,
}

impl Splits {
    pub fn is_empty(&self) -> bool {
        self.partial.is_empty() && self.full.is_empty()
    }

    /// Whether the current line of `source` may be the rest of its previous line. Removes `source`
    /// from `full`.
    pub fn take_rest(&mut self, source: Source) -> bool {
        !self.full.is_empty() && self.full.remove(&source)
    }

    /// Appends `text` to the pending text of its source. Emits the result, unless `text` is partial.
    pub fn join(&mut self, frame: &Frame<'_>, text: &[u8], is_partial: bool, emit: Emit<'_>) {
        let source = source_of(frame);
        if is_partial {
            let (_, partial) = self.partial.entry(source).or_insert_with(|| (frame.line_position(), Vec::new()));
            if partial.len() < MAX_MESSAGE_BYTES {
                partial.extend_from_slice(text);
            }
            return;
        }
        let partial = if self.partial.is_empty() { None } else { self.partial.remove(&source) };
        match partial {
            None => emit(frame, text),
            Some((position, mut whole)) => {
                whole.extend_from_slice(text);
                emit(&Frame { position, ..*frame }, &whole);
            }
        }
    }

    /// Emits the pending text at the end of the input.
    pub fn finish(&mut self, outer: &Frame<'_>, emit: Emit<'_>) {
        let mut partial: Vec<_> = self.partial.drain().collect();
        partial.sort_by_key(|(source, _)| *source);
        for ((stream, pid, _), (position, text)) in partial {
            emit(&Frame { stream, pid, position, ..*outer }, &text);
        }
    }
}
