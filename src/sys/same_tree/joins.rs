//! Rules for what stands behind FROM: aliases, joins and their conditions.

use super::kinds::*;
use super::rules::{Difference, LOOK_BACK, Rules, Same};
use crate::sys::bindings::PgqToken;

impl Difference<'_> {
    /// `AS alias` for `alias` behind a relation. alias_clause, func_alias_clause and relation_expr_opt_alias have
    /// each form with AS and without, with the same action, and a name that is no keyword cannot be anything
    /// else there. AS elsewhere (CAST, labels, INSERT, JOIN … USING) may be needed; so S must have the
    /// relation in a list behind FROM, or alone behind JOIN, UPDATE or MERGE INTO, as [`Difference::list_before`] finds it.
    ///
    /// FROM is also in `IS DISTINCT FROM`, which is refused, and in functions (EXTRACT, SUBSTRING, …) and
    /// commands, in which no AS can follow at the same level before another keyword.
    pub(super) fn alias(self) -> Option<Same> {
        if self.found.kind != IDENT || !self.is_expected(1, self.found) {
            return None;
        }
        let (start, is_list) = self.list_before()?;
        let (word, before) = (self.kind_at(start), start.checked_sub(1).map_or(END, |at| self.kind_at(at)));
        let is_relation = match word {
            FROM => before != DISTINCT,
            // JOIN is also the name of a function, whose arguments are no query.
            JOIN if self.kind_at(start + 1) == OPEN => {
                !is_list && matches!(self.kind_at(start + 2), SELECT | VALUES | WITH)
            }
            JOIN => !is_list,
            UPDATE => !is_list && self.kind_at(start + 1) == IDENT,
            INTO => !is_list && before == MERGE,
            _ => false,
        };
        if is_relation && may_be_keyword(before) { self.same(2, self.found) } else { None }
    }

    /// Returns the word before a list of relations that ends before the difference: names, dots, commas, AS, LATERAL
    /// and what stands in parentheses; and whether it is more than one relation.
    fn list_before(self) -> Option<(usize, bool)> {
        let (mut depth, mut is_list) = (0, false);
        for at in (self.at.saturating_sub(LOOK_BACK)..self.at).rev() {
            match self.kind_at(at) {
                CLOSE => depth += 1,
                OPEN if depth == 0 => return None,
                OPEN => depth -= 1,
                _ if depth > 0 => {}
                AS | COMMA => is_list = true,
                IDENT | DOT | LATERAL => {}
                _ => return Some((at, is_list)),
            }
        }
        None
    }

    /// `LEFT OUTER JOIN` for `LEFT JOIN`: opt_outer. Between one of the three words and JOIN, OUTER is that: it
    /// would be a name only behind a dot, `::`, SETOF or AS, or that of a parameter's type, which ends the
    /// parameter.
    pub(super) fn outer_join(self) -> Option<Same> {
        let is_join = matches!(self.before(1), FULL | LEFT | RIGHT) && self.expected(1) == JOIN;
        if is_join && self.found.kind == JOIN { self.same(2, self.found) } else { None }
    }
}

impl<'a> Rules<'a> {
    /// `INNER JOIN` for `JOIN`: joined_table has both, with and without NATURAL, for JOIN_INNER. INNER could also
    /// be a name before JOIN: it may be one of a function or a type, and behind a dot or AS any name. In a
    /// query, a function has parentheses behind it, and a type that ends what is joined stands behind `::`,
    /// SETOF or a dot (COLLATE takes other names). Elsewhere it may be a parameter, of a type JOIN.
    pub(super) fn inner_join(&mut self, difference: Difference<'a>) -> Option<Same> {
        let Difference { at, found, .. } = difference;
        let is_join = difference.expected(1) == JOIN && found.kind == JOIN;
        let is_word = may_be_keyword(difference.before(1)) && self.is_in_query(at);
        if is_join && is_word { difference.same(2, found) } else { None }
    }

    /// `ON (condition)` for `ON condition`: a_expr in parentheses is a c_expr with the same tree.
    ///
    /// 1. In queries, ON before a parenthesis is a join's, or DISTINCT's.
    /// 2. The parentheses hold one expression: no commas at their level (a row), no query.
    /// 3. Behind the closing one nothing goes on with an expression, so that the parentheses are all of it: what
    ///    follows is a word that ends a condition ([`ends_condition`]). It would end the expression within as
    ///    well: it cannot be an operator, or a part of a type's name.
    pub(super) fn join_condition(&mut self, difference: Difference<'a>) -> Option<Same> {
        let Difference { at, found, .. } = difference;
        let is_condition = difference.before(1) == ON
            && difference.before(2) != DISTINCT
            && may_be_keyword(difference.before(2))
            && self.closing.is_none()
            && self.is_in_query(at);
        let is_expression = !matches!(found.kind, SELECT | WITH | VALUES | TABLE | OPEN | CLOSE);
        if !is_condition || !is_expression || !difference.is_expected(1, found) {
            return None;
        }
        let mut depth = 0;
        for close in at + 1..at + LOOK_BACK {
            match difference.kind_at(close) {
                OPEN | OPEN_BRACKET => depth += 1,
                CLOSE if depth == 0 => {
                    self.closing = Some(close);
                    return difference.same(2, found);
                }
                CLOSE | CLOSE_BRACKET => depth -= 1,
                COMMA if depth == 0 => return None,
                END => return None,
                _ => {}
            }
        }
        None
    }

    /// Returns the place in the first text behind the parenthesis that is missing in the second, if that is at `at`
    /// and the second text's `found` ends a condition; else `at`. Of several closing parentheses, any may be
    /// the missing one: they look the same.
    pub(super) fn closed(&mut self, at: usize, found: u16) -> usize {
        let tokens = self.tokens();
        let Some(closing) = self.closing.filter(|closing| *closing <= at) else { return at };
        let is_close = |token: &PgqToken| token.kind == CLOSE;
        let are_closing = tokens.get(closing..=at).is_some_and(|tokens| tokens.iter().all(is_close));
        // What follows the missing one is another, or what was found.
        if are_closing && (closing < at || ends_condition(found)) {
            self.closing = None;
            return at + 1;
        }
        at
    }
}

/// Returns whether a keyword behind `before` is a keyword: not a name behind a dot or AS, or a type's.
fn may_be_keyword(before: u16) -> bool {
    !matches!(before, AS | DOT | SETOF | TYPECAST)
}

/// Returns whether a token ends the condition of a join, and begins nothing that could be a part of it.
fn ends_condition(kind: u16) -> bool {
    matches!(kind, END | SEMICOLON | CLOSE | COMMA | CROSS | FULL | INNER | JOIN | LEFT | NATURAL | RIGHT)
        || matches!(kind, GROUP | HAVING | LIMIT | ON | ORDER | WHERE | WINDOW)
}
