//! Splits any string into tokens for the search for secrets.

use std::ops::Range;

use pgq_lexer::{ScriptLexer, ScriptToken};

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A keyword or a name without quotes.
    Word,
    /// A name in quotes.
    Name,
    /// A string literal. The last literal of the text may lack its closing quote.
    Literal,
    /// A number.
    Number,
    /// A parameter, such as `$1`.
    Parameter,
    /// Any other byte.
    Other(u8),
}

/// A token and its byte range.
#[derive(Debug, Clone)]
pub struct Token {
    pub kind: Kind,
    pub range: Range<usize>,
}

impl Token {
    /// Returns the token's text.
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.range.clone()]
    }

    /// Returns whether the token is the keyword `word`. `word` must be in lower case.
    pub fn is_word(&self, text: &str, word: &str) -> bool {
        self.kind == Kind::Word && self.text(text).eq_ignore_ascii_case(word)
    }

    /// Returns whether the token is a parameter, and `next` follows without a space.
    pub fn is_parameter_before(&self, next: &Self) -> bool {
        self.kind == Kind::Parameter && self.range.end == next.range.start
    }

    /// Returns whether the token is a literal or a quoted name without a closing quote. In a complete statement, such a
    /// token is a sign of a mistake: a quote is missing or not doubled, either in this token or in an earlier literal.
    pub fn is_open(&self, text: &str) -> bool {
        match self.kind {
            Kind::Literal => self.content(text).end == self.range.end,
            Kind::Name => self.range.len() < 2 || !self.text(text).ends_with('"'),
            _ => false,
        }
    }

    /// Returns the range of a literal's content, without its quotes.
    pub fn content(&self, text: &str) -> Range<usize> {
        let all = self.text(text);
        let Range { start, end } = self.range;
        if self.kind == Kind::Name {
            return start + 1..end;
        }
        if let Some(tag) = all.strip_prefix('$') {
            let delimiter = tag.find('$').map_or(all.len(), |at| at + 2);
            let has_end = all.len() >= 2 * delimiter && all.ends_with(&all[..delimiter]);
            return start + delimiter..if has_end { end - delimiter } else { end };
        }
        let quote = all.find('\'').map_or(all.len(), |at| at + 1);
        let has_end = all.len() > quote && all.ends_with('\'');
        start + quote..if has_end { end - 1 } else { end }
    }
}

/// Returns the index of the first token whose end is uncertain. If there is such a token, the kinds of all later tokens
/// are uncertain, too. A token with an uncertain end is one of the following:
///
/// - A literal other than `E'…'` that has a backslash before a quote. With `standard_conforming_strings = off`, this
///   quote does not end the literal.
/// - The first literal, if a quote seems to be missing somewhere in the text. This is the case if a word directly
///   follows a literal, as in `'it's'`, where the apostrophe should be doubled. A quote also seems to be missing if the
///   last token is a literal or name without a closing quote, unless the end of the text was cut off (`is_cut`).
pub fn uncertain_token(tokens: &[Token], text: &str, is_cut: bool) -> Option<usize> {
    let is_quoted = |token: &Token| token.kind == Kind::Literal && !token.text(text).starts_with('$');
    let is_escaped = |token: &Token| {
        let literal = token.text(text);
        is_quoted(token) && !literal.starts_with(['e', 'E']) && literal.contains("\\'")
    };
    let is_word = |token: &Token| matches!(token.kind, Kind::Word | Kind::Name | Kind::Number);
    let is_followed = |two: &[Token]| is_quoted(&two[0]) && two[0].range.end == two[1].range.start && is_word(&two[1]);
    let is_open = !is_cut && tokens.last().is_some_and(|last| last.is_open(text));
    let escaped = tokens.iter().position(is_escaped);
    if !is_open && !tokens.windows(2).any(is_followed) {
        return escaped;
    }
    let first = tokens.iter().position(|token| token.kind == Kind::Literal).unwrap_or(tokens.len() - 1);
    // If the first literal is the last token, its end is certain: the literal is the rest of the
    // text.
    let is_alone = first + 1 == tokens.len() && tokens[first].kind == Kind::Literal;
    if is_alone { escaped } else { Some(first) }
}

/// Returns the start of the token whose quote is at `at`. If the quote follows `U&`, as in `U&'x'`, removes the tokens
/// `U` and `&`, and returns the start of the `U`. Otherwise returns `at`.
fn start_of(tokens: &mut Vec<Token>, bytes: &[u8], at: usize) -> usize {
    if let [.., letter, sign] = &tokens[..]
        && matches!(bytes[at], b'\'' | b'"')
        && sign.range == (at - 1..at)
        && matches!(&bytes[letter.range.start..at], b"U&" | b"u&")
    {
        tokens.truncate(tokens.len() - 2);
        return at - 2;
    }
    at
}

/// Returns the tokens of a string, without white space and comments.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut lexer = ScriptLexer::new(bytes, 0);
    let mut tokens = Vec::new();
    loop {
        lexer.skip_space();
        let start = lexer.offset();
        let kind = match lexer.next_token() {
            ScriptToken::End => return tokens,
            ScriptToken::Word(_) => Kind::Word,
            ScriptToken::Semicolon => Kind::Other(b';'),
            ScriptToken::Backslash(_) => Kind::Other(b'\\'),
            ScriptToken::Other(b'\'') => Kind::Literal,
            ScriptToken::Other(b'"') => Kind::Name,
            ScriptToken::Other(b'0'..=b'9') => Kind::Number,
            ScriptToken::Other(b'$') => match bytes.get(start + 1) {
                Some(b'0'..=b'9') => Kind::Parameter,
                // A single dollar sign is its own token.
                _ if lexer.offset() > start + 1 => Kind::Literal,
                _ => Kind::Other(b'$'),
            },
            ScriptToken::Other(byte) => Kind::Other(byte),
        };
        let mut range = start_of(&mut tokens, bytes, start)..lexer.offset();
        if kind == Kind::Parameter {
            // Up to PostgreSQL 15, a name may follow a parameter without a space (`$1name`), so the parameter ends
            // after its digits.
            let digits = bytes[start + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            range.end = start + 1 + digits;
            lexer.seek(range.end);
        }
        if kind == Kind::Number {
            // The lexer ends a number at a period, so extend the number to the end of its digits
            // and letters.
            let is_number = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
            range.end += bytes[range.end..].iter().take_while(is_number).count();
            lexer.seek(range.end);
        }
        while !text.is_char_boundary(range.end) {
            range.end += 1;
            lexer.seek(range.end);
        }
        // The lexer ends a literal at every quote, including doubled quotes. Join the parts.
        let last: Option<&mut Token> = tokens.last_mut();
        match last.filter(|last| last.range.end == start && last.kind == kind && matches!(bytes[start], b'\'' | b'"')) {
            Some(last) => last.range.end = range.end,
            None => tokens.push(Token { kind, range }),
        }
    }
}
