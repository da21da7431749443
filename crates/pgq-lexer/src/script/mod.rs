//! Splits scripts as psql reads them into statements, meta-commands and COPY data, in one pass
//! over bytes and without parsing.
//!
//! A statement ends where PostgreSQL's grammar can end it: at a semicolon that is not inside a
//! literal, a comment, the action list of CREATE RULE or a BEGIN ATOMIC body. A script may be
//! given incrementally; a part is returned once it is complete.

mod lexer;
mod statement_scan;

use std::ops::Range;

pub use lexer::{MetaCommandEffect, ScriptLexer, ScriptToken, is_word_byte};
use statement_scan::StatementScan;

/// A part of a script. Ranges are byte offsets in the text given to [`next_part`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptPart {
    /// A statement with its semicolon and the white space and comments before it.
    Statement {
        /// From the end of the previous part to after the semicolon.
        range: Range<usize>,
        /// The offset of its first token.
        start: usize,
        /// psql meta-commands inside the statement (`SELECT \echo x`), which PostgreSQL does not
        /// see.
        meta_commands: Vec<Range<usize>>,
        /// Whether it is a COPY … FROM STDIN, so that data may follow.
        copy_from_stdin: bool,
    },
    /// White space, comments and empty statements.
    Blank(Range<usize>),
    /// A psql meta-command with the rest of its line.
    MetaCommand(Range<usize>),
}

impl ScriptPart {
    /// The offset after the part, where the next part starts.
    #[must_use]
    pub fn end(&self) -> usize {
        match self {
            Self::Statement { range, .. } | Self::Blank(range) | Self::MetaCommand(range) => range.end,
        }
    }
}

/// The part of `text` that starts at byte `at`. `complete` means that the script ends with `text`.
///
/// `None` at the end of `text`, and, if the script is not `complete`, where the end of the part
/// depends on what follows `text`.
///
/// ```
/// use pgq_lexer::script::next_part;
///
/// let script = "CREATE RULE r AS ON DELETE TO t DO (SELECT 1; SELECT 2); SELECT 3;";
/// let part = next_part(script.as_bytes(), 0, true).unwrap();
/// assert_eq!(&script[part.end()..], " SELECT 3;");
/// ```
#[must_use]
pub fn next_part(text: &[u8], at: usize, complete: bool) -> Option<ScriptPart> {
    next_part_within(text, at, complete, &mut usize::MAX.clone())
}

/// [`next_part`] with bounded work, for untrusted scripts. The end of a BEGIN ATOMIC body that has
/// no END is searched for to the end of the text, once for each such body.
///
/// `lookahead` is a budget in bytes for searches that fail; each one subtracts the bytes that it
/// read in vain. Once the budget is used up, a body ends at its first semicolon.
#[must_use]
pub fn next_part_within(text: &[u8], at: usize, complete: bool, lookahead: &mut usize) -> Option<ScriptPart> {
    if at >= text.len() {
        return None;
    }
    let mut lexer = ScriptLexer::new(text, at);
    let mut scan = StatementScan::default();
    let mut meta_commands = Vec::new();
    let mut start = at;
    let done = |range, start, meta_commands, scan: &StatementScan| Some(statement(range, start, meta_commands, scan));
    loop {
        if !scan.has_started() {
            lexer.skip_space();
            start = lexer.offset();
        }
        let token = lexer.next_token();
        // A token at the end of an incomplete text may continue in what follows.
        if !complete && lexer.offset() >= text.len() {
            return None;
        }
        match token {
            ScriptToken::End if scan.has_started() => match scan.first_inner_semicolon() {
                // The body has no end: cut at its first semicolon, so that the rest is not lost.
                Some(cut) => {
                    *lookahead = lookahead.saturating_sub(text.len() - cut);
                    return done(at..cut, start, meta_commands, &scan);
                }
                None => return done(at..text.len(), start, meta_commands, &scan),
            },
            ScriptToken::End => {
                return Some(match lexer.unclosed_comment() {
                    // For the parser to refuse, at the offset of the comment.
                    Some(comment) => statement(at..text.len(), comment, meta_commands, &scan),
                    None => ScriptPart::Blank(at..text.len()),
                });
            }
            ScriptToken::Semicolon if scan.is_inner_semicolon(lexer.offset()) && *lookahead > 0 => {}
            ScriptToken::Semicolon if scan.has_started() => {
                return done(at..lexer.offset(), start, meta_commands, &scan);
            }
            ScriptToken::Semicolon => return Some(ScriptPart::Blank(at..lexer.offset())),
            ScriptToken::Backslash(slash) => {
                let effect = lexer.skip_meta_command(slash);
                if !complete && lexer.offset() >= text.len() {
                    return None;
                }
                match effect {
                    _ if !scan.has_started() && slash > at => return Some(ScriptPart::Blank(at..slash)),
                    _ if !scan.has_started() => return Some(ScriptPart::MetaCommand(slash..lexer.offset())),
                    // The statement ends before the command that sends it.
                    MetaCommandEffect::Sends => return done(at..slash, start, meta_commands, &scan),
                    MetaCommandEffect::Separates => {
                        meta_commands.push(slash..lexer.offset());
                        return done(at..lexer.offset(), start, meta_commands, &scan);
                    }
                    MetaCommandEffect::Continues => meta_commands.push(slash..lexer.offset()),
                }
            }
            ScriptToken::Word(word) => scan.word(&text[word]),
            ScriptToken::Other(byte) => scan.other(byte),
        }
    }
}

fn statement(range: Range<usize>, start: usize, meta_commands: Vec<Range<usize>>, scan: &StatementScan) -> ScriptPart {
    let meta_commands = meta_commands.into_iter().filter(|command| command.start < range.end).collect();
    ScriptPart::Statement { range, start, meta_commands, copy_from_stdin: scan.is_copy_from_stdin() }
}

/// The end of the COPY data after byte `at`, the end of a COPY … FROM STDIN statement: the offset
/// after the line `\.`. `None` if `text` has no such line.
#[must_use]
pub fn copy_data_end(text: &[u8], at: usize) -> Option<usize> {
    // Data starts on the next line; the rest of this line is SQL.
    let mut line = at + memchr::memchr(b'\n', &text[at..])? + 1;
    loop {
        let rest = &text[line..];
        let end = memchr::memchr(b'\n', rest).map(|len| line + len + 1);
        if rest.starts_with(b"\\.") && matches!(rest.get(2), None | Some(b'\n' | b'\r')) {
            return Some(end.unwrap_or(text.len()));
        }
        line = end?;
    }
}

#[cfg(test)]
mod tests;
