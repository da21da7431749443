//! The tolerant lexer for scripts. It implements the part of PostgreSQL's scanner (scan.l) that separates code from
//! literals, quoted identifiers, dollar quotes and comments. It does not validate the script. The parser rejects SQL
//! that PostgreSQL cannot scan.

use std::ops::Range;

use crate::byte_class::is_space;

/// A token of a script. Contains only the details that are needed to split a script and to find placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptToken {
    /// A keyword or an unquoted identifier, as a byte range.
    Word(Range<usize>),
    /// A semicolon.
    Semicolon,
    /// Byte offset of a backslash outside of literals and comments, which starts a psql meta-command.
    Backslash(usize),
    /// First byte of any other token, such as the opening quote of a literal or the first digit of a number.
    Other(u8),
    /// The end of the input.
    End,
}

/// The tolerant lexer. It reads any input, even with syntax errors.
///
/// ```
/// # use pgq_lexer as pgq;
/// use pgq::script::{ScriptLexer, ScriptToken};
///
/// let mut lexer = ScriptLexer::new(b"-- ;\nSELECT ';';", 0);
/// assert_eq!(lexer.next_token(), ScriptToken::Word(5..11));
/// assert_eq!(lexer.next_token(), ScriptToken::Other(b'\''));
/// assert_eq!((lexer.next_token(), lexer.offset()), (ScriptToken::Semicolon, 16));
/// ```
#[derive(Debug, Clone)]
pub struct ScriptLexer<'a> {
    text: &'a [u8],
    offset: usize,
    /// Offset of an unclosed comment.
    unclosed_comment: Option<usize>,
    backslash_escapes: bool,
}

impl<'a> ScriptLexer<'a> {
    /// Creates a lexer at byte `offset` of `text`. The offset must be outside of any token.
    #[must_use]
    pub fn new(text: &'a [u8], offset: usize) -> Self {
        Self { text, offset, unclosed_comment: None, backslash_escapes: false }
    }

    /// Sets whether a backslash is an escape in plain literals, as with PostgreSQL's setting
    /// `standard_conforming_strings = off`.
    #[must_use]
    pub fn with_backslash_escapes(self, backslash_escapes: bool) -> Self {
        Self { backslash_escapes, ..self }
    }

    /// Returns the byte offset of a comment that is not closed before the end of the text.
    #[must_use]
    pub fn unclosed_comment(&self) -> Option<usize> {
        self.unclosed_comment
    }

    /// Returns the whole text.
    pub(super) fn text(&self) -> &'a [u8] {
        self.text
    }

    /// Returns the byte offset after the last token.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Continues at byte `offset`.
    pub fn seek(&mut self, offset: usize) {
        self.offset = offset;
    }

    /// Skips white space and comments.
    pub fn skip_space(&mut self) {
        self.skip_blanks();
        while self.skip_comment() {
            self.skip_blanks();
        }
    }

    /// Skips white space.
    pub(super) fn skip_blanks(&mut self) {
        self.skip_while(is_space);
    }

    /// Skips a comment. Returns false if there is no comment here.
    pub(super) fn skip_comment(&mut self) -> bool {
        match &self.text[self.offset..] {
            [b'-', b'-', ..] => self.skip_line_comment(),
            [b'/', b'*', ..] => self.skip_block_comment(),
            _ => return false,
        }
        true
    }

    /// Returns the next token after white space and comments, or [`ScriptToken::End`].
    pub fn next_token(&mut self) -> ScriptToken {
        self.skip_space();
        let Some(&byte) = self.text.get(self.offset) else { return ScriptToken::End };
        let start = self.offset;
        self.offset += 1;
        match byte {
            b';' => ScriptToken::Semicolon,
            // psql's `\:` represents a colon and is not a meta-command.
            b'\\' if self.peek() == Some(b':') => {
                self.offset += 1;
                ScriptToken::Other(byte)
            }
            b'\\' => ScriptToken::Backslash(start),
            b'\'' => {
                if self.backslash_escapes && !self.is_bit_string(start) {
                    self.skip_escape_string();
                } else {
                    self.skip_quoted(b'\'');
                }
                ScriptToken::Other(byte)
            }
            b'"' => {
                self.skip_quoted(b'"');
                ScriptToken::Other(byte)
            }
            b'$' => {
                self.skip_after_dollar();
                ScriptToken::Other(byte)
            }
            b'0'..=b'9' => {
                self.skip_number();
                ScriptToken::Other(byte)
            }
            _ if is_word_start(byte) => {
                self.skip_while(is_word_byte);
                let word = start..self.offset;
                if self.peek() == Some(b'\'') && matches!(self.text[word.clone()], [b'e' | b'E']) {
                    self.offset += 1;
                    self.skip_escape_string();
                    return ScriptToken::Other(b'\'');
                }
                ScriptToken::Word(word)
            }
            _ => ScriptToken::Other(byte),
        }
    }

    /// Returns whether the quote at `at` begins `B'…'` or `X'…'`, in which a backslash is never an escape.
    fn is_bit_string(&self, at: usize) -> bool {
        match self.text[..at] {
            [.., before, b'b' | b'B' | b'x' | b'X'] => !is_word_byte(before),
            [b'b' | b'B' | b'x' | b'X'] => true,
            _ => false,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.offset).copied()
    }

    fn skip_while(&mut self, f: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&f) {
            self.offset += 1;
        }
    }

    /// Skips the rest of an integer, and an identifier that directly follows the integer. In `1a$$`, the `$$` belongs
    /// to the identifier and does not start a literal. PostgreSQL reads `1a$$` as one token and rejects this token
    /// (scan.l: integer_junk, param_junk).
    fn skip_number(&mut self) {
        self.skip_while(|byte| byte.is_ascii_digit());
        if self.peek().is_some_and(is_word_start) {
            self.skip_while(is_word_byte);
        }
    }

    fn skip_to_end(&mut self) {
        self.offset = self.text.len();
    }

    fn skip_line_comment(&mut self) {
        match memchr::memchr2(b'\n', b'\r', &self.text[self.offset..]) {
            Some(len) => self.offset += len,
            None => self.skip_to_end(),
        }
    }

    /// Skips a block comment, including nested ones.
    fn skip_block_comment(&mut self) {
        let start = self.offset;
        self.offset += 2;
        let mut depth = 1;
        while depth > 0 {
            let Some(len) = memchr::memchr2(b'*', b'/', &self.text[self.offset..]) else {
                self.unclosed_comment = Some(start);
                return self.skip_to_end();
            };
            let at = self.offset + len;
            match &self.text[at..] {
                [b'*', b'/', ..] => {
                    depth -= 1;
                    self.offset = at + 2;
                }
                [b'/', b'*', ..] => {
                    depth += 1;
                    self.offset = at + 2;
                }
                _ => self.offset = at + 1,
            }
        }
    }

    /// Skips past the next `quote`. Reads `'a''b'` as two literals, which does not affect the splitting of the script.
    fn skip_quoted(&mut self, quote: u8) {
        match memchr::memchr(quote, &self.text[self.offset..]) {
            Some(len) => self.offset += len + 1,
            None => self.skip_to_end(),
        }
    }

    /// Skips `E'…'`. A backslash escapes the next byte, and a doubled quote does not end the literal.
    fn skip_escape_string(&mut self) {
        loop {
            let Some(len) = memchr::memchr2(b'\'', b'\\', &self.text[self.offset..]) else {
                return self.skip_to_end();
            };
            self.offset += len + 1;
            if self.text[self.offset - 1] == b'\\' {
                self.offset = (self.offset + 1).min(self.text.len());
            } else if self.peek() == Some(b'\'') {
                self.offset += 1;
            } else if let Some(quote) = self.continuation() {
                self.offset = quote + 1;
            } else {
                return;
            }
        }
    }

    /// If the literal continues on a later line, returns the offset of the quote that opens its next part. `E'…'`, a
    /// newline and `'…'` form one literal, and all its parts may contain escapes. Line comments may separate the parts.
    fn continuation(&self) -> Option<usize> {
        let mut next = self.clone();
        next.skip_blanks();
        while self.text[next.offset..].starts_with(b"--") {
            next.skip_line_comment();
            next.skip_blanks();
        }
        let newline = self.text[self.offset..next.offset].iter().any(|b| matches!(b, b'\n' | b'\r'));
        (newline && next.peek() == Some(b'\'')).then_some(next.offset)
    }

    /// Skips the rest of `$tag$ … $tag$` or of a parameter. Skips nothing after a single dollar sign.
    fn skip_after_dollar(&mut self) {
        let open = self.offset - 1;
        let rest = &self.text[self.offset..];
        let tag = rest.iter().take_while(|b| **b != b'$' && is_word_byte(**b)).count();
        if rest.first().is_some_and(u8::is_ascii_digit) {
            return self.skip_number();
        }
        if rest.get(tag) != Some(&b'$') {
            return self.skip_while(is_word_byte);
        }
        let delimiter = &self.text[open..self.offset + tag + 1];
        self.offset += tag + 1;
        match memchr::memmem::find(&self.text[self.offset..], delimiter) {
            Some(len) => self.offset += len + delimiter.len(),
            None => self.skip_to_end(),
        }
    }

    /// Skips white space and comments up to and including the newline. Returns false if another token or the end of the
    /// text comes before the newline.
    pub fn skip_line_space(&mut self) -> bool {
        loop {
            self.skip_while(|byte| byte != b'\n' && is_space(byte));
            if self.peek() == Some(b'\n') {
                self.offset += 1;
                return true;
            }
            if !self.skip_comment() {
                return false;
            }
        }
    }
}

/// Returns whether a byte can start a word (scan.l: ident_start).
fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// Returns whether a byte can continue a keyword or identifier (scan.l: ident_cont).
#[must_use]
pub fn is_word_byte(byte: u8) -> bool {
    is_word_start(byte) || byte.is_ascii_digit() || byte == b'$'
}
