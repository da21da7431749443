//! Finds the next part of a script to parse as one string, in the bytes that have been read. Reads and copies nothing.

use std::ops::Range;

use pgq::script::{ScriptPart, ScriptScanner};

/// Size in bytes from which on a segment, and a chunk, is complete. Large enough that the parser's start-up per
/// call does not count, small enough that the trees stay in the processor's cache.
pub const CHUNK_BYTES: usize = 16 * 1024;

/// The next part of a script: statements up to a chunk's size, with what follows them.
#[derive(Default)]
pub struct Segment {
    /// Its length in bytes.
    pub end: usize,
    /// The end of the last statement, or of the blanks without one.
    pub text_end: usize,
    pub statements: Vec<Range<usize>>,
    /// Parts of the last statement that are not SQL, to be overwritten with blanks.
    pub holes: Vec<Range<usize>>,
    /// Parts between statements that are not SQL: ranges, and whether they contain comments.
    pub outside: Vec<(Range<usize>, bool)>,
    pub meta_commands: usize,
    /// Whether backslashes are escapes in plain literals of its statements.
    pub backslash_escapes: bool,
    /// Whether the script has switched off that bodies of functions are checked.
    pub skips_bodies: bool,
    /// The encoding that the script has set for them.
    pub client_encoding: Option<String>,
}

impl Segment {
    /// Returns the next segment of `bytes`; `None` if its end has not been read.
    pub fn next(bytes: &[u8], complete: bool, scanner: &mut ScriptScanner) -> Option<Self> {
        let settings = scanner.settings().clone();
        let backslash_escapes = settings.backslash_escapes();
        let client_encoding = settings.client_encoding().map(str::to_string);
        let skips_bodies = settings.skips_bodies();
        let (mut segment, mut parts, mut closed) =
            (Self { backslash_escapes, skips_bodies, client_encoding, ..Self::default() }, Vec::new(), false);
        while segment.end < CHUNK_BYTES && !closed {
            // A meta-command begins a segment.
            if segment.end > 0 && bytes.get(segment.end) == Some(&b'\\') {
                break;
            }
            if !scanner.next_parts(bytes, segment.end, complete, &mut parts) {
                break;
            }
            for part in parts.drain(..) {
                closed |= segment.add(part, bytes);
            }
            // A segment is read with the same settings throughout.
            closed |= *scanner.settings() != settings;
            // Errors are placed from the start of a segment, by bytes that decoding changes.
            closed |= segment.client_encoding.is_some() && !segment.statements.is_empty();
        }
        (segment.end > 0).then_some(segment)
    }

    /// Adds a part. True if the segment ends with it.
    fn add(&mut self, part: ScriptPart, bytes: &[u8]) -> bool {
        self.end = part.end();
        match part {
            ScriptPart::Statement { range, start, holes, copy_from_stdin } => {
                // Without the blanks before the meta-command that sends it.
                let is_sent = bytes.get(range.end) == Some(&b'\\');
                let text = &bytes[start..range.end];
                self.text_end = start + if is_sent { text.trim_ascii_end() } else { text }.len();
                self.statements.push(start..self.text_end);
                self.meta_commands += holes.iter().filter(|hole| bytes[hole.start] == b'\\').count();
                // A meta-command's arguments include the blanks behind them, which the text may end before.
                self.holes.extend(holes.into_iter().map(|hole| hole.start..hole.end.min(self.text_end)));
                copy_from_stdin || !self.holes.is_empty()
            }
            ScriptPart::Blank(range) => {
                self.text_end = range.end;
                false
            }
            ScriptPart::MetaCommand(range) => {
                self.meta_commands += 1;
                self.outside.push((range, false));
                true
            }
            ScriptPart::Skipped(range) | ScriptPart::CopyData(range) => {
                self.outside.push((range, true));
                true
            }
        }
    }
}
