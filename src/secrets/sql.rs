//! Searches the tokens of SQL for values that must be masked. If anything in a statement names a secret, all values of
//! the statement are masked, because finding the secret among the values would require complete knowledge of SQL's
//! syntax.

use super::found::Found;
use super::tokens::{Kind, Token, tokens, uncertain_token};
use super::{LITERAL, MASK, text};

/// The first words of statements whose fingerprints ignore literals.
pub(super) const QUERIES: [&str; 8] = ["select", "insert", "update", "delete", "merge", "with", "values", "table"];

/// Returns whether the text is a single SELECT, INSERT, UPDATE or DELETE. The fingerprints of these statements ignore
/// literals. The check is fast but incomplete: it returns false for some queries, for example if a literal contains a
/// semicolon.
pub fn is_query(sql: &[u8]) -> bool {
    const SELECT: u64 = u64::from_le_bytes(*b"select\0\0");
    const INSERT: u64 = u64::from_le_bytes(*b"insert\0\0");
    const UPDATE: u64 = u64::from_le_bytes(*b"update\0\0");
    const DELETE: u64 = u64::from_le_bytes(*b"delete\0\0");
    let Some(start) = sql.first_chunk() else { return false };
    let lower_case = u64::from_le_bytes(*start) | 0x2020_2020_2020_2020;
    matches!(lower_case & 0xFFFF_FFFF_FFFF, SELECT | INSERT | UPDATE | DELETE)
        && matches!(start[6], b' ' | b'\n')
        && memchr::memchr(b';', sql).is_none_or(|at| sql[at + 1..].trim_ascii().is_empty())
}

/// Returns whether the fingerprint of any statement of the text may depend on literals.
pub fn has_utility(sql: &str) -> bool {
    let tokens = tokens(sql);
    let mut statements = tokens.split(|token| token.kind == Kind::Other(b';'));
    statements.any(|statement| {
        let first = statement.iter().find(|token| token.kind != Kind::Other(b'('));
        first.is_some_and(|first| !QUERIES.iter().any(|word| first.is_word(sql, word)))
    })
}

/// Finds what to mask in `sql`: all values of its statements, and the secrets in comments and quoted names. The caller
/// decides whether `sql` needs masks. `number` replaces a number. `is_cut` is true if the end of the statement is
/// missing.
pub fn find(sql: &str, number: &'static str, is_cut: bool) -> Found {
    let mut finder = Finder { sql, number, tokens: tokens(sql), end: sql.len() };
    let mut found = Found::default();
    // A token whose end is uncertain may include the rest of the statement. Therefore mask everything from the start of
    // this token. The mask ends in a closing quote, so that the masked statement can parse.
    if let Some(at) = uncertain_token(&finder.tokens, sql, is_cut) {
        let token = &finder.tokens[at];
        match token.kind {
            Kind::Name => found.push(token.content(sql).start..sql.len(), "***\""),
            // The tag may be a part of the value (`$x`).
            _ if token.text(sql).starts_with('$') => found.push(token.range.start..sql.len(), LITERAL),
            _ => found.push(token.content(sql).start..sql.len(), "***'"),
        }
        finder.tokens.truncate(at);
    }
    // Split at semicolons, because the first words of each statement determine where its values may
    // be.
    let mut start = 0;
    for tokens in finder.tokens.split(|token| token.kind == Kind::Other(b';')) {
        start += tokens.len() + 1;
        let end = finder.tokens.get(start - 1).map_or(sql.len(), |semicolon| semicolon.range.start);
        let statement = Finder { tokens: tokens.to_vec(), end, ..finder };
        (0..tokens.len()).for_each(|at| statement.mask(at, &mut found));
        statement.in_positions(&mut found);
        statement.in_options(&mut found);
    }
    finder.in_other_text(&mut found);
    found
}

/// The tokens of a statement that names a secret.
pub struct Finder<'t> {
    pub(super) sql: &'t str,
    number: &'static str,
    pub(super) tokens: Vec<Token>,
    /// End of the statement in `sql`.
    pub(super) end: usize,
}

impl Finder<'_> {
    pub(super) fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text(self.sql))
    }

    pub(super) fn is_word(&self, at: usize, word: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_word(self.sql, word))
    }

    pub(super) fn is_any(&self, at: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is_word(at, word))
    }

    /// Masks a token that is a value in any position.
    fn mask(&self, at: usize, found: &mut Found) {
        let token = &self.tokens[at];
        match token.kind {
            Kind::Literal => {
                let content = token.content(self.sql);
                // The literal after UESCAPE stays unmasked: it must have one character, so a mask would be a syntax
                // error.
                let is_escape = content.len() == 1 && at > 0 && self.is_word(at - 1, "uescape");
                if !is_escape && !is_parameter(&self.sql[content.clone()]) {
                    found.push(content, MASK);
                }
            }
            Kind::Number => found.push(token.range.clone(), self.number),
            // `$1x` is one value, but its tokens are a parameter and the word `x`. Therefore the word is masked.
            Kind::Word if at > 0 && self.tokens[at - 1].is_parameter_before(token) => {
                found.push(token.range.clone(), LITERAL);
            }
            _ => {}
        }
    }

    /// Finds secrets in comments and in quoted names.
    fn in_other_text(&self, found: &mut Found) {
        let ends = std::iter::once(0).chain(self.tokens.iter().map(|token| token.range.end));
        let starts = self.tokens.iter().map(|token| token.range.start).chain([self.sql.len()]);
        for (from, to) in ends.zip(starts).filter(|(from, to)| from + 4 < *to) {
            // The end of a value in a comment is uncertain. Therefore the rest of the comment is masked, except its
            // delimiters.
            let Some(start) = text::find_in_name(&self.sql[from..to]).start() else { continue };
            let mut at = from + start;
            for part in self.sql[at..to].split_inclusive(['*', '/', '-', '\n']) {
                let value = part.trim_end_matches(['*', '/', '-', '\n']);
                let space = value.len() - value.trim_start().len();
                found.push(at + space..at + space + value.trim().len(), MASK);
                at += part.len();
            }
        }
        // Search quoted names too, because a message may contain a statement in double quotes, which looks like a
        // quoted name.
        for token in self.tokens.iter().filter(|token| token.kind == Kind::Name) {
            let (from, name) = (token.range.start, token.text(self.sql));
            let in_name = if name.contains('\'') { text::find_values(name) } else { text::find_named(name) };
            for (range, mask) in in_name.edits {
                found.push(range.start + from..range.end + from, mask);
            }
        }
    }
}

/// Returns whether a literal is a parameter in quotes. Normalization writes `'$1'` if the grammar requires a literal.
fn is_parameter(content: &str) -> bool {
    content
        .strip_prefix('$')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
