//! Chooses the rules to try at a difference, and gives them access to both texts. The files `joins.rs`, `literals.rs`
//! and `statements.rs` explain and justify the rules.

use super::kinds::*;
use crate::sys::bindings::PgqToken;
use crate::sys::token_stream::{Tokens, may_change, unchanged};
use pgq_lexer::{Lexer, RawToken};

/// Maximum number of earlier tokens that a rule inspects. The limit prevents quadratic time for long texts.
pub(super) const LOOK_BACK: usize = 300;

/// A position in each of the two texts. Up to these positions, the texts have the same tree.
#[derive(Clone, Copy)]
pub(super) struct Same {
    /// Number of tokens of the first text.
    pub expected: usize,
    /// Number of bytes of the second text.
    pub found: usize,
}

/// A difference: the first text continues at token `at`, the second at `found`.
#[derive(Clone, Copy)]
pub(super) struct Difference<'a> {
    pub first: Tokens<'a>,
    pub text: &'a [u8],
    pub at: usize,
    pub found: RawToken,
}

/// The state of the rules for a pair of texts.
pub(super) struct Rules<'a> {
    first: Tokens<'a>,
    text: &'a [u8],
    /// Index of a closing parenthesis of the first text. The second text lacks the matching opening
    /// parenthesis, so it must also lack this closing parenthesis.
    pub(super) closing: Option<usize>,
    /// Index of the query's first token. The outer `None` means that it is not determined yet. The inner `None` means
    /// that the text is not a query.
    query: Option<Option<usize>>,
    columns: ColumnList,
}

impl<'a> Rules<'a> {
    /// Creates the rules for two texts. `first` contains the tokens of the first text without the end token.
    pub(super) fn new(first: Tokens<'a>, text: &'a [u8]) -> Self {
        Self { first, text, closing: None, query: None, columns: ColumnList::default() }
    }

    pub(super) fn tokens(&self) -> &'a [PgqToken] {
        self.first.tokens
    }

    /// Applies the rules at a difference between token `at` of the first text and token `found` of the second text.
    /// Returns the positions after the difference, or `None` if no rule applies.
    #[cold]
    #[inline(never)]
    pub(super) fn apply(&mut self, mut at: usize, found: RawToken) -> Option<Same> {
        let here = |expected: usize| Some(Same { expected, found: found.end as usize });
        if found.is_comment() {
            return here(at);
        }
        loop {
            let closed = self.closed(at, found.kind);
            if closed == at {
                break;
            }
            at = closed;
            if at < self.first.tokens.len() && self.first.is_token_of(&self.first.tokens[at], found, self.text) {
                return here(at + 1);
            }
        }
        if at == self.first.tokens.len() {
            return if matches!(found.kind, END | SEMICOLON) { here(at) } else { None };
        }
        let difference = Difference { first: self.first, text: self.text, at, found };
        // If the previous token is NOT, NULLS, WITH, WITHOUT or FORMAT, its kind depends on the token at `at`, which a
        // rule would replace. Therefore no rule applies.
        if may_change(unchanged(difference.before(1))) {
            return None;
        }
        self.differing(difference)
    }

    /// Returns whether all parentheses that only the first text opens are closed.
    pub(super) fn is_closed(&self) -> bool {
        self.closing.is_none()
    }

    fn differing(&mut self, difference: Difference<'a>) -> Option<Same> {
        match difference.expected(0) {
            AS => difference.alias(),
            EQUALS => difference.set_to(),
            INNER => self.inner_join(difference),
            INTEGER => self.integer(difference),
            OPEN => difference.using_btree().or_else(|| self.join_condition(difference)),
            OUTER => difference.outer_join(),
            PROCEDURE => difference.execute_function(),
            SCONST => difference.set_name(),
            SESSION => difference.session_authorization(),
            TEMP => difference.temporary(),
            _ => difference.extract().or_else(|| self.literal(difference)),
        }
    }

    /// Returns whether the token at `at` is inside a query. The query must be the whole text, except that EXPLAIN may
    /// precede it. Some rules apply only in queries, because their words may have another meaning elsewhere: in options
    /// in parentheses, as a type after a name, or in a nested statement.
    pub(super) fn is_in_query(&mut self, at: usize) -> bool {
        let start = *self.query.get_or_insert_with(|| start_of_query(self.first.tokens));
        start.is_some_and(|start| start < at)
    }

    /// Returns whether the token at `at` is in the column list, which is in the first parentheses of the text. Tokens
    /// in nested parentheses do not count.
    pub(super) fn is_in_column_list(&mut self, at: usize) -> bool {
        self.columns.search(self.first.tokens, at);
        self.columns.depth == 1 && self.columns.searched == at
    }
}

/// State of the search for the end of the column list in CREATE TABLE. The search continues as rules reach later
/// tokens.
#[derive(Default)]
struct ColumnList {
    /// Number of tokens that were searched. `depth` is the number of parentheses that these tokens leave open.
    searched: usize,
    depth: usize,
}

impl ColumnList {
    /// Continues the search for the end of the column list up to token `end`. Stops early if the list ends, or if a
    /// query or a partition key starts.
    fn search(&mut self, tokens: &[PgqToken], end: usize) {
        while self.searched < end {
            match tokens[self.searched].kind {
                OPEN => self.depth += 1,
                CLOSE if self.depth <= 1 => return,
                CLOSE => self.depth -= 1,
                AS | BY | SELECT | RETURNING | SEMICOLON => return,
                _ => {}
            }
            self.searched += 1;
        }
    }
}

fn start_of_query(tokens: &[PgqToken]) -> Option<usize> {
    let kind = |at: usize| tokens.get(at).map_or(END, |token| token.kind);
    let mut start = 0;
    if kind(0) == EXPLAIN {
        start = 1;
        if kind(1) == OPEN {
            // The options of EXPLAIN are words, numbers and strings, so the first closing parenthesis ends them.
            start = tokens.iter().position(|token| token.kind == CLOSE)? + 1;
        }
    }
    let is_query = matches!(kind(start), SELECT | INSERT | UPDATE | DELETE | MERGE | VALUES | WITH)
        && tokens.iter().all(|token| token.kind != SEMICOLON);
    is_query.then_some(start)
}

impl<'a> Difference<'a> {
    /// Returns the kind of a token of the first text: the token `ahead` tokens after the start of the difference.
    pub(super) fn expected(self, ahead: usize) -> u16 {
        self.kind_at(self.at + ahead)
    }

    /// Returns the kind of a token of the first text: the token `back` tokens before the difference.
    pub(super) fn before(self, back: usize) -> u16 {
        self.at.checked_sub(back).map_or(END, |at| self.kind_at(at))
    }

    pub(super) fn kind_at(self, at: usize) -> u16 {
        self.first.tokens.get(at).map_or(END, |token| token.kind)
    }

    /// Returns whether `found` equals a token of the first text: the token `ahead` tokens after the start of the
    /// difference.
    pub(super) fn is_expected(self, ahead: usize, found: RawToken) -> bool {
        let expected = self.first.tokens.get(self.at + ahead);
        expected.is_some_and(|expected| self.first.is_token_of(expected, found, self.text))
    }

    /// Returns the value of the first text's token at `at`. The result is empty if the token has no value.
    pub(super) fn value_at(self, at: usize) -> &'a [u8] {
        match self.first.tokens.get(at) {
            Some(token) if matches!(token.kind, IDENT | SCONST) => self.first.value_of(token),
            _ => b"",
        }
    }

    /// Returns a lexer for the part of the second text that follows `found`.
    pub(super) fn following(self) -> Lexer<'a> {
        Lexer::from_offset(self.text, self.found.end as usize, false)
    }

    /// Returns whether `found` is a name or a string with the value `value`.
    pub(super) fn says(self, found: RawToken, value: &[u8]) -> bool {
        let quotes = usize::from(found.kind == SCONST);
        let place = found.start as usize + quotes..found.end as usize - quotes;
        matches!(found.kind, IDENT | SCONST) && found.detail == 0 && self.text[place] == *value
    }

    /// Returns the result of a rule that accepts the difference: the position after the difference in each text. In the
    /// first text, the difference has `expected` tokens. In the second text, it ends with the token `last`.
    pub(super) fn same(self, expected: usize, last: RawToken) -> Option<Same> {
        Some(Same { expected: self.at + expected, found: last.end as usize })
    }
}
