//! Splits psql scripts into statements, meta-commands and COPY data, in one pass over bytes and without parsing.
//!
//! A statement ends at a semicolon, unless the semicolon is inside a literal, a comment, the action list of CREATE RULE
//! or a BEGIN ATOMIC body. A script may be passed in several chunks. A part is returned when it is complete.

mod comments;
mod if_blocks;
mod lexer;
mod meta_command;
mod open_statement;
mod plain_code;
mod scanner;
mod settings;
mod statement_scan;

use std::ops::Range;

pub use comments::comments;
pub use lexer::{ScriptLexer, ScriptToken, is_word_byte};
pub use meta_command::MetaCommandEffect;
pub use scanner::ScriptScanner;
pub use settings::ScriptSettings;

/// A part of a script. Ranges are byte offsets in the text given to
/// [`ScriptScanner::next_parts`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptPart {
    /// A statement with its semicolon and the preceding white space and comments.
    Statement {
        /// The range from the end of the previous part to the end of the semicolon.
        range: Range<usize>,
        /// Offset of the statement's first token.
        start: usize,
        /// Ranges that PostgreSQL does not receive: psql meta-commands inside the statement (`SELECT \echo x`), the
        /// backslash of a `\;` that ends the statement, the tokens of an inactive `\if` branch, and COPY data.
        holes: Vec<Range<usize>>,
        /// Whether the statement is a COPY … FROM STDIN.
        copy_from_stdin: bool,
    },
    /// White space, comments and empty statements.
    Blank(Range<usize>),
    /// A psql meta-command.
    MetaCommand(Range<usize>),
    /// SQL that psql does not send, because `\r` drops it or because it is in an inactive `\if` branch.
    Skipped(Range<usize>),
    /// The data lines after a COPY, and the line `\.`. [`ScriptScanner`] does not return this part; the scanner's
    /// caller must find the end of the data.
    CopyData(Range<usize>),
}

impl ScriptPart {
    /// Returns the byte range of the part.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        match self {
            Self::Statement { range, .. }
            | Self::Blank(range)
            | Self::MetaCommand(range)
            | Self::Skipped(range)
            | Self::CopyData(range) => range.clone(),
        }
    }

    /// Returns the offset of the part's first byte.
    #[must_use]
    pub fn start(&self) -> usize {
        self.range().start
    }

    /// Returns the offset after the part, where the next part starts.
    #[must_use]
    pub fn end(&self) -> usize {
        self.range().end
    }
}

/// Returns the parts of a whole script, in order.
///
/// ```
/// # use pgq_lexer as pgq;
/// use pgq::script::script_parts;
///
/// let script = "CREATE RULE r AS ON DELETE TO t DO (SELECT 1; SELECT 2); SELECT 3;";
/// assert_eq!(&script[script_parts(script.as_bytes())[1].range()], " SELECT 3;");
/// ```
#[must_use]
pub fn script_parts(text: &[u8]) -> Vec<ScriptPart> {
    let (mut scanner, mut parts, mut at) = (ScriptScanner::new(), Vec::new(), 0);
    loop {
        if scanner.is_at_copy_data() {
            let end = copy_data_end(text, at);
            scanner.pass_copy_data(end.is_some());
            parts.extend(end.map(|end| ScriptPart::CopyData(at..end)));
        } else if !scanner.next_parts(text, at, true, &mut parts) {
            return parts;
        }
        at = parts.last().map_or(0, ScriptPart::end);
    }
}

/// Returns the end of the COPY data that starts at byte `at`: the offset after the line `\.`. `at` must be the start of
/// a line. Returns `None` if `text` has no such line.
#[must_use]
pub fn copy_data_end(text: &[u8], at: usize) -> Option<usize> {
    let mut line = at;
    loop {
        let rest = text.get(line..)?;
        let end = memchr::memchr(b'\n', rest).map(|len| line + len + 1);
        if rest.starts_with(b"\\.") && matches!(rest.get(2), None | Some(b'\n' | b'\r')) {
            return Some(end.unwrap_or(text.len()));
        }
        line = end?;
    }
}

#[cfg(test)]
mod tests;
