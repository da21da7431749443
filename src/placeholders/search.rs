//! Finds the placeholders of SQL in one pass over its tokens. Tracks the previous token and the open brackets, because
//! they show whether a colon starts a placeholder or belongs to PostgreSQL's syntax.

use std::ops::Range;

use super::PlaceholderStyle;
use super::forms::{Form, FoundPlaceholder, Otherwise, at_mark, is_called, mark};
use pgq_lexer::{ScriptLexer, ScriptToken};

pub(crate) struct Search<'a> {
    /// The replacements, in the order of the SQL.
    pub(crate) edits: Vec<FoundPlaceholder<'a>>,
    /// The maximum n of `$n` in the SQL.
    pub(crate) highest: u32,
}

/// The previous token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A keyword or identifier that ends at byte `end`.
    Word { end: usize, json_object: bool },
    /// The end of an operand that is not a word: a literal, a number or a closing bracket.
    Operand,
    /// The start of the SQL, or a symbol.
    Other,
}

/// An open bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// A subscript, or the elements of an ARRAY.
    Square,
    /// The arguments of JSON_OBJECT or JSON_OBJECTAGG, with pairs such as `key: value`.
    Pairs,
    Round,
}

pub(crate) fn search(sql: &str, style: PlaceholderStyle) -> Search<'_> {
    let mark = mark(style);
    let Some(last_mark) = memchr::memrchr(mark, sql.as_bytes()) else {
        return Search { edits: Vec::new(), highest: 0 };
    };
    let mut searcher = Searcher {
        sql,
        style,
        lexer: ScriptLexer::new(sql.as_bytes(), 0),
        found: Search { edits: Vec::new(), highest: 0 },
        before: Before::Other,
        brackets: Vec::new(),
        at_start: true,
    };
    // If no placeholder is found, stop at the last byte at which a placeholder can start. Otherwise continue to the end
    // of the SQL, because the numbers of the placeholders start after the highest `$n`, which may be anywhere in the
    // SQL.
    while searcher.lexer.offset() <= last_mark || !searcher.found.edits.is_empty() {
        if !searcher.step(mark) {
            break;
        }
    }
    searcher.found
}

struct Searcher<'a> {
    sql: &'a str,
    style: PlaceholderStyle,
    lexer: ScriptLexer<'a>,
    found: Search<'a>,
    before: Before,
    brackets: Vec<Bracket>,
    /// Whether the next token is the first token of a statement. Variables that [`Self::prefix`] has dropped do not
    /// count as tokens.
    at_start: bool,
}

impl Searcher<'_> {
    /// Processes one token. Returns false at the end of the SQL.
    fn step(&mut self, mark: u8) -> bool {
        let space = self.lexer.offset();
        self.lexer.skip_space();
        let start = self.lexer.offset();
        self.escapes_within(space, start);
        let token = self.lexer.next_token();
        let at_start = std::mem::replace(&mut self.at_start, matches!(token, ScriptToken::Semicolon));
        self.before = match token {
            ScriptToken::End => return false,
            ScriptToken::Word(word) => {
                let text = &self.sql[word.clone()];
                let json_object = ["json_object", "json_objectagg"].iter().any(|f| text.eq_ignore_ascii_case(f));
                Before::Word { end: word.end, json_object }
            }
            ScriptToken::Semicolon => {
                self.brackets.clear();
                Before::Other
            }
            ScriptToken::Backslash(start) => {
                self.lexer.skip_meta_command(start);
                self.at_start = at_start;
                self.before
            }
            ScriptToken::Other(b':') if at_start && self.prefix(start) => {
                self.at_start = true;
                Before::Other
            }
            ScriptToken::Other(byte) => self.other(byte, start, mark),
        };
        true
    }

    fn other(&mut self, byte: u8, start: usize, mark: u8) -> Before {
        match byte {
            b'\'' | b'"' => {
                self.escapes_within(start, self.lexer.offset());
                Before::Operand
            }
            b'$' => {
                self.parameter(start);
                self.escapes_within(start, self.lexer.offset());
                Before::Operand
            }
            b'0'..=b'9' => Before::Operand,
            b'(' | b'[' => {
                self.brackets.push(match (byte, self.before) {
                    (b'[', _) => Bracket::Square,
                    (_, Before::Word { json_object: true, .. }) => Bracket::Pairs,
                    _ => Bracket::Round,
                });
                Before::Other
            }
            b')' | b']' => {
                self.brackets.pop();
                Before::Operand
            }
            b'\\' => {
                self.escaped_colon(start);
                Before::Other
            }
            b':' if matches!(self.sql.as_bytes().get(start + 1), Some(b':' | b'=')) => {
                self.lexer.seek(start + 2);
                Before::Other
            }
            _ if byte == mark && !(byte == b':' && self.separates(start)) => self.marked(start),
            _ => Before::Other,
        }
    }

    /// Processes the placeholder or escape that may begin at offset `start`.
    fn marked(&mut self, start: usize) -> Before {
        let Some(mut found) = at_mark(self.sql, start, self.style) else { return Before::Other };
        if let Form::Named(name, Otherwise::Identifier) = found.form {
            let Some(form) = self.spliced(name, &found.range) else { return Before::Other };
            found.form = form;
        }
        self.lexer.seek(found.range.end);
        let before = match found.form {
            Form::Escaped(_) => Before::Other,
            // The replacement is part of an identifier, so it counts as a word. Another variable may directly follow
            // it, as in `part_:year:month`.
            Form::Glued(_) => Before::Word { end: found.range.end, json_object: false },
            _ => Before::Operand,
        };
        self.found.edits.push(found);
        before
    }

    /// Drops psql's `:name` at `start`, if it is followed by white space and then by a word, `:` or `(`. The `:name`
    /// must be the first token of a statement. Returns whether it was dropped.
    fn prefix(&mut self, start: usize) -> bool {
        if self.style != PlaceholderStyle::Psql {
            return false;
        }
        let Some(found) = at_mark(self.sql, start, self.style) else { return false };
        let Form::Named(name, Otherwise::Identifier) = found.form else { return false };
        let mut next = self.lexer.clone();
        next.seek(found.range.end);
        let touches = next.offset();
        next.skip_space();
        let is_apart = next.offset() > touches;
        if !is_apart || !matches!(next.next_token(), ScriptToken::Word(_) | ScriptToken::Other(b':' | b'(')) {
            return false;
        }
        self.lexer.seek(found.range.end);
        self.found.edits.push(FoundPlaceholder { form: Form::Prefix(name), ..found });
        true
    }

    /// Returns the replacement of psql's `:name`. The replacement depends on the tokens around the name. Returns `None`
    /// if `:name` is not a variable.
    fn spliced<'a>(&self, name: &'a str, range: &Range<usize>) -> Option<Form<'a>> {
        match self.before {
            Before::Word { end, .. } if end == range.start => Some(Form::Glued(name)),
            _ if self.is_among_colons() && name.bytes().all(|byte| byte.is_ascii_digit()) => None,
            _ if is_called(&self.sql[range.end..]) => Some(Form::Identifier(name)),
            _ => Some(Form::Named(name, Otherwise::Identifier)),
        }
    }

    fn is_among_colons(&self) -> bool {
        matches!(self.brackets.last(), Some(Bracket::Square | Bracket::Pairs))
    }

    /// Returns whether the colon at `start` separates two operands, such as the bounds of a slice, or a key and its
    /// value.
    fn separates(&self, start: usize) -> bool {
        let behind_operand = match self.before {
            Before::Operand => true,
            Before::Word { end, .. } => end == start,
            Before::Other => false,
        };
        behind_operand && self.is_among_colons()
    }

    /// Processes `\:` in the styles with this escape. In other styles the parser rejects `\:`.
    fn escaped_colon(&mut self, start: usize) {
        if matches!(self.style, PlaceholderStyle::Psql | PlaceholderStyle::Named) {
            self.found.edits.push(FoundPlaceholder { range: start..start + 2, form: Form::Escaped(':') });
        }
    }

    /// Processes `%%` in literals, quoted identifiers and comments, where placeholders are not replaced.
    fn escapes_within(&mut self, start: usize, end: usize) {
        if !matches!(self.style, PlaceholderStyle::Format | PlaceholderStyle::Pyformat) {
            return;
        }
        let mut at = start;
        while let Some(len) = memchr::memmem::find(&self.sql.as_bytes()[at..end], b"%%") {
            let range = at + len..at + len + 2;
            at = range.end;
            self.found.edits.push(FoundPlaceholder { range, form: Form::Escaped('%') });
        }
    }

    fn parameter(&mut self, start: usize) {
        let digits = self.sql[start + 1..].bytes().take_while(u8::is_ascii_digit).count();
        // Ignore a number that is too large, because the parser rejects it.
        if let Ok(number) = self.sql[start + 1..start + 1 + digits].parse::<i32>() {
            self.found.highest = self.found.highest.max(number as u32);
        }
    }
}
