//! Splits a script into parts. Each part is parsed as one string. The input is bytes in memory, which are not copied.

use std::ops::Range;
use std::sync::Arc;

use pgq::script::{ScriptPart, ScriptScanner, ScriptSettings};

/// Number of bytes from which a segment (SQL that is parsed as one string) or a chunk gets no further statements. At
/// this size, the start-up cost of the parser is negligible, and the trees fit in the CPU cache.
pub const CHUNK_BYTES: usize = 16 * 1024;

/// Part of a script: statements of about [`CHUNK_BYTES`] in total, and the text after them.
#[derive(Default)]
pub struct Segment {
    /// Length in bytes.
    pub end: usize,
    /// End offset of the text that is parsed: statements, white space and comments. Non-SQL parts (`outside`) may
    /// follow this text.
    pub text_end: usize,
    pub statements: Vec<Range<usize>>,
    /// Non-SQL parts within the last statement. They are overwritten with spaces.
    pub holes: Vec<Range<usize>>,
    /// Non-SQL parts between statements. The `bool` is true if the part may contain comments.
    pub outside: Vec<(Range<usize>, bool)>,
    pub meta_commands: usize,
    /// Whether backslashes are escapes in plain literals.
    pub backslash_escapes: bool,
    /// Whether the script has disabled check_function_bodies.
    pub skips_bodies: bool,
    /// Encoding that the script has set for these statements.
    pub client_encoding: Option<String>,
}

impl Segment {
    /// Returns the next segment of `bytes`, or `None` if the end of the segment has not been read yet.
    pub fn next(bytes: &[u8], complete: bool, scanner: &mut ScriptScanner) -> Option<Self> {
        let settings = Arc::clone(scanner.settings());
        let backslash_escapes = settings.backslash_escapes();
        let client_encoding = settings.client_encoding().map(str::to_string);
        let skips_bodies = settings.skips_bodies();
        let (mut segment, mut parts, mut closed) =
            (Self { backslash_escapes, skips_bodies, client_encoding, ..Self::default() }, Vec::new(), false);
        while segment.end < CHUNK_BYTES && !closed {
            // A meta-command begins a new segment.
            if segment.end > 0 && bytes.get(segment.end) == Some(&b'\\') {
                break;
            }
            if !scanner.next_parts(bytes, segment.end, complete, &mut parts) {
                break;
            }
            for part in parts.drain(..) {
                closed |= segment.add(part, bytes);
            }
            // All statements of a segment must have the same settings.
            closed |= !Arc::ptr_eq(&settings, scanner.settings()) && !segment.has_settings(scanner.settings());
            // If a segment is decoded, or if its literals are rewritten, all byte offsets after the first change are
            // different. In such a segment, the computed position of a second statement would be wrong. Therefore the
            // segment ends after one statement.
            closed |= (segment.client_encoding.is_some() || backslash_escapes) && !segment.statements.is_empty();
        }
        (segment.end > 0).then_some(segment)
    }

    fn has_settings(&self, settings: &ScriptSettings) -> bool {
        settings.backslash_escapes() == self.backslash_escapes
            && settings.skips_bodies() == self.skips_bodies
            && settings.client_encoding() == self.client_encoding.as_deref()
    }

    /// Adds a part. Returns true if the part ends the segment.
    fn add(&mut self, part: ScriptPart, bytes: &[u8]) -> bool {
        self.end = part.end();
        match part {
            ScriptPart::Statement { range, start, holes, copy_from_stdin } => {
                // A meta-command such as `\g` sends the preceding statement. The space between the statement and the
                // meta-command is not part of the statement, so it is removed here.
                let is_sent = bytes.get(range.end) == Some(&b'\\');
                let text = &bytes[start..range.end];
                self.text_end = start + if is_sent { text.trim_ascii_end() } else { text }.len();
                self.statements.push(start..self.text_end);
                self.meta_commands += holes.iter().filter(|hole| bytes[hole.start] == b'\\').count();
                // A hole is the range of a meta-command within the statement. It includes the space after the arguments
                // of the meta-command, but this space may be outside of the statement's text. Therefore a hole ends at
                // `text_end` at the latest.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_changed_setting_ends_a_segment() {
        const SCRIPT: &[u8] = b"BEGIN; SAVEPOINT a; SELECT 1; SET x = 1; SET check_function_bodies = off; COMMIT;";
        let mut scanner = ScriptScanner::new();
        let first = Segment::next(SCRIPT, true, &mut scanner).unwrap();
        assert_eq!(first.statements.len(), 5);
        let second = Segment::next(&SCRIPT[first.end..], true, &mut scanner).unwrap();
        assert_eq!((second.statements.len(), second.skips_bodies), (1, true));
    }
}
