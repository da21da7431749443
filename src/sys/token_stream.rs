//! Converts SQL to tokens for the grammar, using pgq's own lexer. The tokens equal those of PostgreSQL's scanner and of
//! the filter that follows it (scan.l, parser.c).
//!
//! Decodes the values: names become lower case, literals lose their quotes and escapes. Gives up if the lexer cannot
//! read a token, or if PostgreSQL would issue a warning. In these cases, PostgreSQL's scanner must read the SQL.

use std::ops::Range;

use super::bindings::PgqToken;
use pgq_lexer::kinds::{self, FORMAT, NOT, NULLS, WITH, WITHOUT};
use pgq_lexer::{Lexer, RawToken, detail};

/// Reads the tokens of `sql` into `tokens`, adds `padding` to their offsets, and appends a token of kind 0. Writes the
/// values of the tokens, NUL-terminated, to `strings`. Returns false if PostgreSQL's own scanner must read the SQL, for
/// example because a word directly follows a parameter (`$1OR`) and `normalized` is false.
// Not inlined, because the loop would have fewer registers in the caller.
#[inline(never)]
pub fn read(sql: &str, padding: usize, normalized: bool, tokens: &mut Vec<PgqToken>, strings: &mut Vec<u8>) -> bool {
    tokens.clear();
    strings.clear();
    strings.reserve(sql.len() + 1);
    strings.extend_from_slice(sql.as_bytes());
    strings.push(0);
    let mut stream = TokenStream { text: sql.as_bytes(), strings, normalized };
    let mut lexer = Lexer::new(stream.text);
    // The kind of the previous token if the next token may change it, otherwise 0. For example, NOT becomes NOT_LA if
    // the next token is IN.
    let mut open = 0;
    for token in &mut lexer {
        let Some(value) = stream.value(token) else {
            if token.is_comment() {
                continue;
            }
            return false;
        };
        if open != 0
            && let Some(changed) = before(open, token.kind)
            && let Some(last) = tokens.last_mut()
        {
            last.kind = changed;
        }
        open = if may_change(token.kind) { token.kind } else { 0 };
        tokens.push(PgqToken { location: (token.start as usize + padding) as i32, value, kind: token.kind });
    }
    tokens.push(PgqToken { location: (sql.len() + padding) as i32, value: 0, kind: kinds::END });
    lexer.fallback().is_none()
}

/// The tokens of SQL as the grammar reads them, and their values.
#[derive(Clone, Copy)]
pub struct Tokens<'a> {
    /// The tokens, with their locations in the SQL.
    pub tokens: &'a [PgqToken],
    /// The values of the tokens, NUL-terminated.
    pub strings: &'a [u8],
}

impl Tokens<'_> {
    /// Returns the tokens in a range of locations.
    pub fn within(self, locations: Range<usize>) -> Self {
        let index_of = |at: usize| self.tokens.partition_point(|token| (token.location as usize) < at);
        Self { tokens: &self.tokens[index_of(locations.start)..index_of(locations.end)], ..self }
    }
}

/// Returns the original kind of a token. The token after it may have changed its kind (see [`before`]).
#[inline(always)]
pub(super) fn unchanged(kind: u16) -> u16 {
    match kind {
        kinds::NOT_LA => NOT,
        kinds::NULLS_LA => NULLS,
        kinds::WITH_LA => WITH,
        kinds::WITHOUT_LA => WITHOUT,
        kinds::FORMAT_LA => FORMAT,
        _ => kind,
    }
}

/// Returns whether a token of this kind may get a different kind because of the token after it.
#[inline(always)]
pub(super) fn may_change(kind: u16) -> bool {
    matches!(kind, NOT | NULLS | WITH | WITHOUT | FORMAT)
}

/// Returns the changed kind of a token before `next`, or `None` if `next` does not change it. The grammar needs these
/// kinds because it looks only one token ahead (parser.c).
fn before(kind: u16, next: u16) -> Option<u16> {
    let changed = match (kind, next) {
        (NOT, kinds::BETWEEN | kinds::IN | kinds::LIKE | kinds::ILIKE | kinds::SIMILAR) => kinds::NOT_LA,
        (NULLS, kinds::FIRST | kinds::LAST) => kinds::NULLS_LA,
        (WITH, kinds::TIME | kinds::ORDINALITY) => kinds::WITH_LA,
        (WITHOUT, kinds::TIME) => kinds::WITHOUT_LA,
        (FORMAT, kinds::JSON) => kinds::FORMAT_LA,
        _ => return None,
    };
    Some(changed)
}

/// SQL, and a copy of it in which values are decoded in place. In the copy, a NUL follows each value, and may overwrite
/// the first byte of the next token. This does no harm, because a value is never read from that byte: the value of
/// `'x'` starts after the quote, and the value of an operator is appended after the SQL. Other values that cannot be
/// decoded in place are also appended after the SQL.
struct TokenStream<'a> {
    text: &'a [u8],
    strings: &'a mut Vec<u8>,
    normalized: bool,
}

impl TokenStream<'_> {
    /// Returns the value of a token: a number, or the offset of its string. Returns `None` for comments, and for tokens
    /// that only PostgreSQL's scanner can process.
    #[inline(always)]
    fn value(&mut self, token: RawToken) -> Option<u32> {
        let RawToken { start, end, kind, detail } = token;
        match kind {
            0..kinds::IDENT => Some(0),
            kinds::IDENT => {
                if detail & !detail::CAPITALS != 0 {
                    return self.quoted_name(token);
                }
                if detail & detail::CAPITALS != 0 {
                    self.strings[start as usize..end as usize].make_ascii_lowercase();
                }
                self.strings[end as usize] = 0;
                Some(start)
            }
            kinds::ICONST => Some(pgq_lexer::integer_value(&self.text[start as usize..end as usize])),
            kinds::PARAM => {
                let next = self.text.get(end as usize);
                if !self.normalized
                    && next.is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80)
                {
                    return None; // PostgreSQL reports trailing junk
                }
                Some(pgq_lexer::integer_value(&self.text[start as usize + 1..end as usize]))
            }
            kinds::SCONST if detail == 0 => {
                self.strings[end as usize - 1] = 0;
                Some(start + 1)
            }
            kinds::TYPECAST..=kinds::NOT_EQUALS => Some(0),
            kinds::SQL_COMMENT | kinds::C_COMMENT | kinds::UIDENT | kinds::USCONST => None,
            kinds::SCONST | kinds::FCONST | kinds::BCONST | kinds::XCONST | kinds::OP => Some(self.rare_value(token)),
            // The value of a keyword is its index in the keyword list.
            _ => Some(u32::from(detail)),
        }
    }

    /// Returns the value of a quoted name. Returns `None` for a long name, because PostgreSQL truncates it and issues a
    /// notice.
    #[inline(never)]
    fn quoted_name(&mut self, token: RawToken) -> Option<u32> {
        if token.detail & detail::LONG != 0 {
            return None;
        }
        if token.detail & detail::DOUBLED != 0 {
            return Some(self.behind(|text, out| pgq_lexer::append_value(text, token, out)));
        }
        self.strings[token.end as usize - 1] = 0;
        Some(token.start + 1)
    }

    #[inline(never)]
    fn rare_value(&mut self, token: RawToken) -> u32 {
        let RawToken { start, end, kind, detail } = token;
        let place = start as usize..end as usize;
        match kind {
            // The NUL after the number may overwrite the first byte of an operator. This does no harm, because
            // operators are appended after the SQL. A number such as `.5` is also appended: in `a.5`, the NUL after the
            // name `a` overwrites the dot.
            kinds::FCONST if self.text[place.start] != b'.' => {
                self.strings[place.end] = 0;
                start
            }
            kinds::FCONST | kinds::OP => self.behind(|text, out| out.extend_from_slice(&text[place])),
            kinds::BCONST | kinds::XCONST if detail == 0 => {
                self.strings[place.start + 1] = if kind == kinds::BCONST { b'b' } else { b'x' };
                self.strings[place.end - 1] = 0;
                start + 1
            }
            kinds::SCONST if detail == detail::DOLLARS => {
                let delimiter = pgq_lexer::dollar_delimiter(&self.text[place]).len() as u32;
                self.strings[(end - delimiter) as usize] = 0;
                start + delimiter
            }
            _ => self.behind(|text, out| pgq_lexer::append_value(text, token, out)),
        }
    }

    /// Appends a value that cannot be decoded in place, and returns its offset.
    fn behind(&mut self, write: impl FnOnce(&[u8], &mut Vec<u8>)) -> u32 {
        let at = self.strings.len();
        write(self.text, self.strings);
        self.strings.push(0);
        at as u32
    }
}
