//! Scripts as psql reads them: statements, meta-commands and COPY data, told apart in one
//! pass over bytes, without parsing.
//!
//! Statements end where PostgreSQL's grammar lets them: at a semicolon that is not inside
//! a literal, comment, the action list of CREATE RULE or a BEGIN ATOMIC body. The script
//! may be given piece by piece; a part is reported when it is complete.

mod lexer;
mod words;

use std::ops::Range;

pub use lexer::{MetaCommand, ScriptLexer, ScriptToken, is_word_byte};
use words::Words;

/// A part of a script. Ranges are byte offsets into the buffer given to [`next_part`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptPart {
    /// A statement with the white space and comments before it and its semicolon.
    Statement {
        /// From the end of the part before to behind the semicolon.
        range: Range<usize>,
        /// Where its first word or symbol stands.
        start: usize,
        /// Meta-commands inside (`SELECT \echo x`), to be read as white space.
        holes: Vec<Range<usize>>,
        /// A COPY … FROM STDIN: what follows is data, if anything is.
        copy_from_stdin: bool,
    },
    /// Only white space, comments and lone semicolons.
    Blank(Range<usize>),
    /// A psql meta-command with the rest of its line.
    MetaCommand(Range<usize>),
}

impl ScriptPart {
    /// Where the part ends.
    #[must_use]
    pub fn end(&self) -> usize {
        match self {
            Self::Statement { range, .. } | Self::Blank(range) | Self::MetaCommand(range) => range.end,
        }
    }
}

/// The next part of `text` from byte `at`, or `None` when there is none or, with more of
/// the script to come (`!complete`), when it is not certain where the part ends.
#[must_use]
pub fn next_part(text: &[u8], at: usize, complete: bool) -> Option<ScriptPart> {
    next_part_within(text, at, complete, &mut usize::MAX.clone())
}

/// [`next_part`] for scripts that nobody vouches for. A routine body that never ends is looked
/// through to the end of the text, once for each that a script begins: `lookahead` is how
/// many bytes may be looked through in vain, of which it takes what it used. With none left,
/// a body ends at its first semicolon.
#[must_use]
pub fn next_part_within(text: &[u8], at: usize, complete: bool, lookahead: &mut usize) -> Option<ScriptPart> {
    if at >= text.len() {
        return None;
    }
    let mut lexer = ScriptLexer::new(text, at);
    let mut words = Words::default();
    let mut holes = Vec::new();
    let mut start = at;
    let done = |range, start, holes, words: &Words| Some(statement(range, start, holes, words));
    loop {
        if !words.started() {
            lexer.skip_space();
            start = lexer.at();
        }
        let lexeme = lexer.next();
        // What touches the end of an unfinished text may go on in what is to come.
        if !complete && lexer.at() >= text.len() {
            return None;
        }
        match lexeme {
            ScriptToken::End if words.started() => match words.first_semicolon() {
                // A routine body that never ends: give back what follows its first semicolon.
                Some(cut) => {
                    *lookahead = lookahead.saturating_sub(text.len() - cut);
                    return done(at..cut, start, holes, &words);
                }
                None => return done(at..text.len(), start, holes, &words),
            },
            ScriptToken::End => {
                return Some(match lexer.unclosed_comment() {
                    // For the parser to refuse, at its place.
                    Some(comment) => statement(at..text.len(), comment, holes, &words),
                    None => ScriptPart::Blank(at..text.len()),
                });
            }
            ScriptToken::Semicolon if words.semicolon_is_inside(lexer.at()) && *lookahead > 0 => {}
            ScriptToken::Semicolon if words.started() => return done(at..lexer.at(), start, holes, &words),
            ScriptToken::Semicolon => return Some(ScriptPart::Blank(at..lexer.at())),
            ScriptToken::Backslash(slash) => {
                let command = lexer.meta_command(slash);
                if !complete && lexer.at() >= text.len() {
                    return None;
                }
                match command {
                    _ if !words.started() && slash > at => return Some(ScriptPart::Blank(at..slash)),
                    _ if !words.started() => return Some(ScriptPart::MetaCommand(slash..lexer.at())),
                    // The command sends what is there: the statement ends before it.
                    MetaCommand::Sends => return done(at..slash, start, holes, &words),
                    MetaCommand::Separates => {
                        holes.push(slash..lexer.at());
                        return done(at..lexer.at(), start, holes, &words);
                    }
                    MetaCommand::Other => holes.push(slash..lexer.at()),
                }
            }
            ScriptToken::Word(word) => words.word(&text[word]),
            ScriptToken::Other(byte) => words.other(byte),
        }
    }
}

fn statement(range: Range<usize>, start: usize, holes: Vec<Range<usize>>, words: &Words) -> ScriptPart {
    let holes = holes.into_iter().filter(|hole| hole.start < range.end).collect();
    ScriptPart::Statement { range, start, holes, copy_from_stdin: words.is_copy_from_stdin() }
}

/// The end of the COPY data that follows byte `at` (the end of a COPY … FROM STDIN
/// statement): behind the line `\.`, or `None` where no such line is in `text`.
#[must_use]
pub fn copy_data_end(text: &[u8], at: usize) -> Option<usize> {
    // Data begins on the next line; what else stands on this one is not data.
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
