//! Decides without parsing whether a second text has the same tree as the first, ignoring positions. The tokens of both
//! texts must be equal, or differ only where the grammar has two forms for one tree. If it is uncertain whether two
//! forms have the same tree, the texts count as different.
//!
//! A *rule* (`rules.rs`) accepts one kind of difference: one form in the first text, and another form in the second. It
//! must guarantee that the tree stays the same if the first form is replaced by the second. The comment of each rule
//! names the second form first: "Treats `alias` in the second text as equal to `AS alias` in the first".
//!
//! Two texts may differ at several positions. To see why the rules can be combined, imagine that the forms are replaced
//! one at a time, from the end of the first text to its start. Each replacement keeps the tree. Before each
//! replacement, the tokens before the difference are those of the first text, and the tokens after the difference are
//! those of the second text. A rule may therefore inspect the first text's tokens before the difference, and the second
//! text's tokens after it.
//!
//! The grammar inspects the token after NOT, NULLS, WITH, WITHOUT and FORMAT to determine the kind of these words.
//! Therefore no rule replaces a token that follows one of these words.

mod joins;
mod kinds;
mod literals;
mod rules;
mod statements;

use super::bindings::PgqToken;
use super::token_stream::{Tokens, unchanged};
use pgq_lexer::kinds::END;
use pgq_lexer::{Lexer, RawToken, detail};
use rules::Rules;

impl Tokens<'_> {
    /// Returns whether `sql` has the same tree as the SQL of these tokens. Ignores semicolons at the end. `sql` must
    /// not contain a NUL byte.
    pub fn give_tree_of(self, sql: &str) -> bool {
        let text = sql.as_bytes();
        let first = Self { tokens: without_end(self.tokens), ..self };
        let left = first.left_of_start(text);
        left == ALL_SAME || gives_tree_by_rules(first, text, left)
    }
}

/// Returns whether `text` has the same tree as `first`. The caller has already compared the tokens: the last `left`
/// tokens of `first` remain, and all tokens before them are equal.
#[inline(never)]
fn gives_tree_by_rules(first: Tokens<'_>, text: &[u8], left: usize) -> bool {
    let mut at = first.tokens.len() - left;
    let mut lexer = Lexer::new(text);
    let mut rules = Rules::new(first, text);
    // Read the first different token again, because `left_of_start` does not return it (to save
    // registers).
    let mut found = lexer.nth(at);
    loop {
        if lexer.fallback().is_some() {
            return false;
        }
        let Some(same) = rules.apply(at, found.unwrap_or(end_of(text))) else { return false };
        at = same.expected;
        lexer = Lexer::from_offset(text, same.found, false);
        loop {
            found = lexer.next();
            match (first.tokens.get(at), found) {
                (Some(expected), Some(token)) if first.is_token_of(expected, token, text) => at += 1,
                (None, None) if lexer.fallback().is_none() => return rules.is_closed(),
                _ => break,
            }
        }
    }
}

/// The value that `left_of_start` returns if the texts are equal.
const ALL_SAME: usize = usize::MAX;

impl<'a> Tokens<'a> {
    /// Compares tokens from the start, up to the first token of `text` that differs or that the
    /// lexer cannot read. Returns the number of tokens of `self` that remain.
    // Not inlined, because the loop would have fewer registers in the caller.
    #[inline(never)]
    fn left_of_start(self, text: &[u8]) -> usize {
        let mut expected = self.tokens.iter();
        let mut lexer = Lexer::new(text);
        for found in &mut lexer {
            let left = expected.len();
            let is_same = expected.next().is_some_and(|expected| self.is_token_of(expected, found, text));
            if !is_same {
                return left;
            }
        }
        let is_end = lexer.fallback().is_none() && expected.len() == 0;
        if is_end { ALL_SAME } else { expected.len() }
    }

    /// Returns whether a token of `text` certainly equals `expected`.
    #[inline(always)]
    fn is_token_of(self, expected: &PgqToken, found: RawToken, text: &[u8]) -> bool {
        use pgq_lexer::kinds;
        let RawToken { start, end, kind, detail } = found;
        // The kind of `expected` may already depend on the token after it: NOT before IN has the kind NOT_LA. The kind
        // of `found` does not yet depend on the next token. Therefore compare the original kinds. This suffices,
        // because the next tokens of both texts are compared, too.
        if expected.kind != kind && unchanged(expected.kind) != kind {
            return false;
        }
        let (start, end) = (start as usize, end as usize);
        match kind {
            kinds::ICONST => pgq_lexer::integer_value(&text[start..end]) == expected.value,
            kinds::PARAM => pgq_lexer::integer_value(&text[start + 1..end]) == expected.value,
            kinds::IDENT => match detail {
                0 => self.is_value(expected, &text[start..end]),
                detail::QUOTED => self.is_value(expected, &text[start + 1..end - 1]),
                _ => self.is_rare_value(expected, found, text),
            },
            kinds::SCONST if detail == 0 => self.is_value(expected, &text[start + 1..end - 1]),
            kinds::FCONST | kinds::OP => self.is_value(expected, &text[start..end]),
            kinds::UIDENT | kinds::SCONST | kinds::USCONST | kinds::BCONST | kinds::XCONST => {
                self.is_rare_value(expected, found, text)
            }
            _ => true, // a keyword or a symbol
        }
    }

    /// Returns whether a token has the value `value`.
    #[inline(always)]
    fn is_value(self, token: &PgqToken, value: &[u8]) -> bool {
        let strings = &self.strings[token.value as usize..];
        strings.len() > value.len() && strings[value.len()] == 0 && is_same_text(strings, value)
    }

    /// Returns whether `found`, a token of `text`, has the same value as `expected`. Both tokens have the same kind.
    /// Decodes the value of `found` for the comparison.
    #[cold]
    #[inline(never)]
    fn is_rare_value(self, expected: &PgqToken, found: RawToken, text: &[u8]) -> bool {
        use pgq_lexer::kinds;
        let place = found.start as usize..found.end as usize;
        match found.kind {
            kinds::UIDENT | kinds::USCONST => false,
            kinds::IDENT if found.detail & detail::LONG != 0 => false,
            kinds::IDENT if found.detail & (detail::QUOTED | detail::DOUBLED) == 0 => {
                self.is_value(expected, &text[place].to_ascii_lowercase())
            }
            kinds::SCONST if found.detail == detail::DOLLARS => {
                let delimiter = pgq_lexer::dollar_delimiter(&text[place.clone()]).len();
                self.is_value(expected, &text[place.start + delimiter..place.end - delimiter])
            }
            _ => {
                let mut value = Vec::new();
                pgq_lexer::append_value(text, found, &mut value);
                self.is_value(expected, &value)
            }
        }
    }

    /// Returns the value of a token whose kind has values, such as a name or a string.
    fn value_of(self, token: &PgqToken) -> &'a [u8] {
        let strings = &self.strings[token.value as usize..];
        &strings[..memchr::memchr(0, strings).unwrap_or(strings.len())]
    }
}

/// Returns whether `text` begins with `value`.
#[inline(always)]
fn is_same_text(text: &[u8], value: &[u8]) -> bool {
    const SHORT: usize = 8;
    if value.len() > SHORT {
        return text[..value.len()] == *value;
    }
    // Most values are short names, for which a call of memcmp would take longer than this loop.
    text.iter().zip(value).all(|(l, r)| l == r)
}

/// Returns an artificial token for the end of a text.
fn end_of(text: &[u8]) -> RawToken {
    RawToken { start: text.len() as u32, end: text.len() as u32, kind: END, detail: 0 }
}

/// Returns the tokens without the end token and the semicolons before it.
fn without_end(tokens: &[PgqToken]) -> &[PgqToken] {
    let is_end = |token: &PgqToken| token.kind == END || token.kind == kinds::SEMICOLON;
    let count = tokens.iter().rposition(|token| !is_end(token)).map_or(0, |last| last + 1);
    &tokens[..count]
}
