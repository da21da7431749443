//! Splits SQL scripts into chunks of whole statements. A chunk ends only at a point where PostgreSQL's grammar lets a
//! statement end. Psql meta-commands and COPY data are skipped.

use std::io;
use std::ops::Range;

use pgq::script::{ScriptLexer, ScriptScanner, ScriptSettings, comments, copy_data_end};
use pgq_log::{BeforeWait, ByteSource, FilePosition};

use super::encodings::from_client_encoding;
use super::limit::MaxStatementBytes;
use super::options::ScriptComments;
use super::reader::Reader;
use super::segment::{CHUNK_BYTES, Segment};

/// Maximum bytes of COPY data in the buffer. If the buffer exceeds this size and does not contain the end of the data,
/// its complete lines are dropped, because they contain only COPY data.
const COPY_WINDOW_BYTES: usize = 16 << 20;

/// Consecutive statements of a script, without a meta-command between them.
#[derive(Debug)]
pub struct ScriptStatements {
    pub bytes: Vec<u8>,
    /// Position of the first byte.
    pub start: FilePosition,
    /// Number of line breaks directly before the first byte. `None` at the start of a script, or if the
    /// command does not need the lines of comments.
    pub line_breaks: Option<usize>,
    /// Byte range of each statement, from its first word to the end of its semicolon. Empty if the bytes contain only
    /// comments.
    pub ranges: Vec<Range<usize>>,
    /// Whether a meta-command inside the last statement was replaced with spaces.
    pub interrupted: bool,
    /// Whether the first lines show that this is the script of an extension.
    pub is_extension: bool,
    /// Whether backslashes are escapes in plain literals.
    pub backslash_escapes: bool,
    /// Whether the script has disabled check_function_bodies.
    pub skips_bodies: bool,
}

/// Splits a script into chunks.
pub struct ScriptSplitter {
    position: FilePosition,
    /// Number of line breaks directly before the next statements; see [`ScriptStatements::line_breaks`].
    line_breaks: Option<usize>,
    max_statement_bytes: MaxStatementBytes,
    comments: ScriptComments,
    hint_variables: bool,
    /// Whether the script can change its encoding with SET client_encoding. Otherwise the whole script is UTF-8.
    follows_encoding: bool,
    scanner: ScriptScanner,
    meta_commands: usize,
    copy_blocks: usize,
    /// The client encoding from which text was converted most recently.
    converted_from: Option<String>,
    /// Line number of a `\q` that is followed by more text.
    quits_on: Option<u64>,
}

impl ScriptSplitter {
    /// Creates a splitter. With `hint_variables`, a notice reports psql variables. `settings` are the settings at the
    /// start of the script. With `follows_encoding`, SET client_encoding changes the encoding.
    pub fn new(
        max_statement_bytes: MaxStatementBytes,
        comments: ScriptComments,
        hint_variables: bool,
        settings: ScriptSettings,
        follows_encoding: bool,
    ) -> Self {
        Self {
            position: FilePosition::default(),
            line_breaks: None,
            max_statement_bytes,
            comments,
            hint_variables,
            follows_encoding,
            scanner: ScriptScanner::new().with_settings(settings),
            meta_commands: 0,
            copy_blocks: 0,
            converted_from: None,
            quits_on: None,
        }
    }

    /// Returns the next statements, up to the size of a chunk. Returns `None` at the end.
    ///
    /// # Errors
    /// Reading fails, or a statement is much longer than the limit.
    pub fn next(
        &mut self,
        reader: &mut Reader,
        before_wait: BeforeWait<'_>,
    ) -> io::Result<Option<Vec<ScriptStatements>>> {
        // Format detection may already have read the start of the file, including a byte order mark. In this case, skip
        // the mark here.
        reader.skip_byte_order_mark(&mut self.position);
        while !self.scanner.has_ended() {
            while self.scanner.is_at_copy_data() {
                let found = self.skip_copy_data(reader, before_wait)?;
                self.copy_blocks += usize::from(found);
                self.line_breaks = Some(1); // the line break after the data
                self.scanner.pass_copy_data(found);
            }
            let Some(mut segment) = Segment::next(reader.bytes(), reader.is_complete(), &mut self.scanner) else {
                self.max_statement_bytes.check(reader.bytes(), self.position)?;
                if !reader.read_more(&mut self.position, before_wait)? {
                    break;
                }
                continue;
            };
            if self.comments == ScriptComments::AllWithLines {
                self.extend_to_line_end(&mut segment, reader, before_wait)?;
            }
            let mut statements = Vec::from_iter(self.statements(segment, reader)?);
            self.next_of_buffer(reader, &mut statements)?;
            if !statements.is_empty() {
                return Ok(Some(statements));
            }
        }
        Ok(None)
    }

    /// Adds statements that are already buffered, up to the size of a chunk.
    ///
    /// # Errors
    /// The script has set an unsupported client encoding.
    pub fn next_of_buffer(&mut self, reader: &mut Reader, statements: &mut Vec<ScriptStatements>) -> io::Result<()> {
        let mut len: usize = statements.iter().map(|statements| statements.bytes.len()).sum();
        // This function never reads, so it stops where more bytes may be needed: at COPY data, or everywhere if
        // comments after a statement on its line must be in the same chunk (`AllWithLines`).
        while len < CHUNK_BYTES
            && !(self.comments == ScriptComments::AllWithLines
                || self.scanner.is_at_copy_data()
                || self.scanner.has_ended())
            && let Some(segment) = Segment::next(reader.bytes(), reader.is_complete(), &mut self.scanner)
        {
            let next = self.statements(segment, reader)?;
            len += next.as_ref().map_or(0, |next| next.bytes.len());
            statements.extend(next);
        }
        Ok(())
    }

    /// Returns the statements of a segment, that is, of a part of the script that is parsed as one string. Returns
    /// `None` if the segment has no statements and no comments to keep.
    ///
    /// # Errors
    /// The script has set an unsupported client encoding.
    fn statements(&mut self, mut segment: Segment, reader: &mut Reader) -> io::Result<Option<ScriptStatements>> {
        let start = self.position;
        self.position = start.after(&reader.bytes()[..segment.end]);
        self.meta_commands += segment.meta_commands;
        if self.scanner.has_ended() && !reader.bytes()[segment.end..].trim_ascii().is_empty() {
            let last = segment.outside.last().map_or(0, |(range, _)| range.start);
            self.quits_on = Some(start.after(&reader.bytes()[..last]).line);
        }
        let keeps_all = self.comments != ScriptComments::OfStatements;
        let text_end = if keeps_all { segment.end } else { segment.text_end };
        let mut bytes = reader.bytes()[..text_end].to_vec();
        reader.consume(segment.end);
        let line_breaks = self.line_breaks;
        let (written_end, at_end) = trailing_line_breaks(&bytes);
        segment.outside.retain(|(range, _)| range.end <= bytes.len());
        segment.outside.drain(..).for_each(|(range, has_comments)| blank(&mut bytes, range, has_comments));
        if self.comments == ScriptComments::AllWithLines {
            self.line_breaks = match line_breaks {
                before if written_end == 0 => before.map(|before| before + at_end),
                // The segment has only skipped parts, such as meta-commands, whose lines are removed. There may be a
                // gap of line breaks before these lines and another one after them. The two gaps become one gap, of the
                // size of the larger one.
                Some(before) if trailing_line_breaks(&bytes).0 == 0 => Some(before.max(at_end)),
                _ => Some(at_end),
            };
        }
        if segment.statements.is_empty() && (!keeps_all || comments(&bytes).is_empty()) {
            return Ok(None);
        }
        let interrupted = !segment.holes.is_empty();
        segment.holes.into_iter().for_each(|hole| blank(&mut bytes, hole, false));
        let is_extension = self.scanner.is_extension();
        let (backslash_escapes, skips_bodies) = (segment.backslash_escapes, segment.skips_bodies);
        let mut ranges = segment.statements;
        if let Some(name) = segment.client_encoding.filter(|_| self.follows_encoding)
            && from_client_encoding(&name, &mut bytes, &mut ranges)?
        {
            self.converted_from = Some(name);
        }
        Ok(Some(ScriptStatements {
            bytes,
            start,
            line_breaks,
            ranges,
            interrupted,
            is_extension,
            backslash_escapes,
            skips_bodies,
        }))
    }

    /// Extends a segment (a part of the script) to include comments that follow its last statement on the same line.
    fn extend_to_line_end(
        &mut self,
        segment: &mut Segment,
        reader: &mut Reader,
        before_wait: BeforeWait<'_>,
    ) -> io::Result<()> {
        if segment.end > segment.text_end || segment.statements.is_empty() {
            return Ok(());
        }
        loop {
            let mut lexer = ScriptLexer::new(reader.bytes(), segment.end);
            let at_line_start = lexer.skip_line_space();
            let end = lexer.offset();
            // Two bytes are needed to distinguish a comment from an operator.
            if at_line_start || end + 1 < reader.bytes().len() || !reader.read_more(&mut self.position, before_wait)? {
                // If COPY data follows the statement, this segment of the script must end before the newline after the
                // statement, because the scanner reads this newline again in the next segment.
                segment.end = end - usize::from(at_line_start && self.scanner.awaits_copy_data());
                return Ok(());
            }
        }
    }

    /// Returns a notice about skipped parts.
    pub fn skipped(&self) -> Option<String> {
        let count = |n: usize, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{n} {many}")),
        };
        let copy_blocks = self.copy_blocks + self.scanner.inner_copy_blocks();
        let skipped = [
            count(self.meta_commands, "psql meta-command", "psql meta-commands"),
            count(copy_blocks, "block of COPY data", "blocks of COPY data"),
        ];
        let skipped: Vec<String> = skipped.into_iter().flatten().collect();
        let chosen =
            count(self.scanner.chosen_branches(), "if-block inside a statement", "if-blocks inside statements");
        let notices = [
            (!skipped.is_empty()).then(|| format!("skipped {}", skipped.join(" and "))),
            chosen.map(|chosen| format!("took one branch of {chosen}")),
            self.converted_from.as_ref().map(|name| format!("converted text from {name} to UTF-8")),
            self.quits_on.map(|line| format!("did not read past line {line}, where the script quits")),
            (self.hint_variables && self.meta_commands > 0 && self.scanner.has_variables())
                .then(|| "has psql variables, which --placeholders psql replaces".to_string()),
        ];
        let notices: Vec<String> = notices.into_iter().flatten().collect();
        (!notices.is_empty()).then(|| notices.join("; "))
    }

    /// Skips COPY data up to the line `\.`. Returns false if there is no such line.
    fn skip_copy_data(&mut self, reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<bool> {
        loop {
            if let Some(end) = copy_data_end(reader.bytes(), 0) {
                // Accept the line `\.` only if it is complete. If the buffer ends directly after `\.`, the line may
                // continue, unless the input ends there.
                if reader.is_complete() || end < reader.bytes().len() || reader.bytes()[..end].ends_with(b"\n") {
                    self.position = self.position.after(&reader.bytes()[..end]);
                    reader.consume(end);
                    return Ok(true);
                }
            } else if reader.is_complete() {
                return Ok(false);
            }
            if reader.bytes().len() > COPY_WINDOW_BYTES {
                // Only whole lines are consumed, because the next search must begin at the start of a line.
                let end = memchr::memrchr(b'\n', reader.bytes()).map_or(0, |at| at + 1);
                self.position = self.position.after(&reader.bytes()[..end]);
                reader.consume(end);
            }
            reader.fill(before_wait)?;
        }
    }
}

/// Returns the length of `bytes` without trailing white space, and the number of line breaks in that white space.
fn trailing_line_breaks(bytes: &[u8]) -> (usize, usize) {
    let end = bytes.trim_ascii_end().len();
    (end, memchr::memchr_iter(b'\n', &bytes[end..]).count())
}

/// Overwrites a range with spaces. Line breaks stay, so line numbers stay correct. If `has_comments` is true,
/// comments stay, too.
fn blank(bytes: &mut [u8], range: Range<usize>, has_comments: bool) {
    let mut at = range.start;
    let kept = if has_comments { comments(&bytes[range.clone()]) } else { Vec::new() };
    let mut blank = |range: Range<usize>| {
        bytes[range].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    };
    for comment in kept {
        blank(at..range.start + comment.start);
        at = range.start + comment.end;
    }
    blank(at..range.end);
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// A reader that returns a string in pieces of limited size.
    struct Steps(&'static [u8], usize);

    impl Read for Steps {
        fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(target.len());
            self.0.read(&mut target[..count])
        }
    }

    #[test]
    fn a_comment_stays_with_its_statement_however_little_is_read_at_once() {
        const SCRIPT: &[u8] = b"SELECT 1; -- a\n\n-- b\n\\echo c\n\nSELECT /* d */ 2; /* e */ -- f\n";
        for step in 1..SCRIPT.len() {
            let mut reader = Reader::new(Box::new(Steps(SCRIPT, step)));
            let mut splitter = ScriptSplitter::new(
                MaxStatementBytes(1000),
                ScriptComments::AllWithLines,
                false,
                ScriptSettings::default(),
                true,
            );
            let mut texts = Vec::new();
            while let Some(chunks) = splitter.next(&mut reader, &|| {}).unwrap() {
                texts.extend(chunks.iter().map(|chunk| String::from_utf8_lossy(&chunk.bytes).trim().to_string()));
            }
            let statements = |text: &&String| text.contains("SELECT");
            let statements: Vec<&str> = texts.iter().filter(statements).map(|text| text.as_str()).collect();
            assert!(statements[0].starts_with("SELECT 1; -- a"), "{step}: {texts:?}");
            assert!(statements[1].ends_with("SELECT /* d */ 2; /* e */ -- f"), "{step}: {texts:?}");
        }
    }

    #[test]
    fn a_client_encoding_of_the_script_holds_for_what_follows() {
        const SCRIPT: &[u8] = b"SELECT '\xc3\xa9'; SET client_encoding = 'LATIN1'; SELECT '\xe9'; RESET client_encoding; SELECT '\xc3\xa9';";
        for follows_encoding in [true, false] {
            let mut reader = Reader::new(Box::new(Steps(SCRIPT, 10)));
            let settings = ScriptSettings::default();
            let mut splitter = ScriptSplitter::new(
                MaxStatementBytes(1000),
                ScriptComments::OfStatements,
                false,
                settings,
                follows_encoding,
            );
            let mut bytes = Vec::new();
            while let Some(chunks) = splitter.next(&mut reader, &|| {}).unwrap() {
                chunks.into_iter().for_each(|chunk| bytes.extend(chunk.bytes));
            }
            let decoded = String::from_utf8(bytes).is_ok_and(|text| text.matches("SELECT 'é'").count() == 3);
            assert_eq!(decoded, follows_encoding);
            let notice = follows_encoding.then(|| "converted text from latin1 to UTF-8".to_string());
            assert_eq!(splitter.skipped(), notice);
        }
    }
}
