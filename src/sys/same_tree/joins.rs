//! Rules for the FROM clause: aliases, joins and their conditions.

use super::kinds::*;
use super::rules::{Difference, LOOK_BACK, Rules, Same};
use crate::sys::bindings::PgqToken;

impl Difference<'_> {
    /// Accepts `alias` in place of `AS alias` after a relation. The rules alias_clause,
    /// func_alias_clause and relation_expr_opt_alias of the grammar accept both forms with the same
    /// action. After a relation, a name that is not a keyword can only be an alias. In other
    /// positions (CAST, labels, INSERT, JOIN … USING), AS may be required. Therefore the relation
    /// must be in a list after FROM, or alone after JOIN, UPDATE or MERGE INTO.
    /// [`Difference::list_before`] checks this.
    ///
    /// FROM also occurs in `IS DISTINCT FROM`, to which the rule does not apply. FROM also occurs
    /// in functions (EXTRACT, SUBSTRING, …) and in commands, where AS cannot follow at the same
    /// level before another keyword.
    pub(super) fn alias(self) -> Option<Same> {
        if self.found.kind != IDENT || !self.is_expected(1, self.found) {
            return None;
        }
        let (start, is_list) = self.list_before()?;
        let (word, before) = (self.kind_at(start), start.checked_sub(1).map_or(END, |at| self.kind_at(at)));
        let is_relation = match word {
            FROM => before != DISTINCT,
            // `JOIN (` may also be the call of a function. In this case, no query follows the parenthesis.
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

    /// Finds the list of relations that ends at this difference between the two texts. The list consists of names,
    /// dots, commas, AS, LATERAL and parenthesised parts. Returns the position of the word before the list, such as
    /// FROM, and whether the list contains a comma or AS. Without these, it is a single relation.
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

    /// Accepts `LEFT JOIN` in place of `LEFT OUTER JOIN` (opt_outer). Between LEFT, RIGHT or FULL
    /// and JOIN, OUTER is always this keyword. OUTER could be a name in only two positions: after a
    /// dot, `::`, SETOF or AS, but then it does not follow LEFT, RIGHT or FULL; and as the type of
    /// a parameter, but then no JOIN follows.
    pub(super) fn outer_join(self) -> Option<Same> {
        let is_join = matches!(self.before(1), FULL | LEFT | RIGHT) && self.expected(1) == JOIN;
        if is_join && self.found.kind == JOIN { self.same(2, self.found) } else { None }
    }
}

impl<'a> Rules<'a> {
    /// Accepts `JOIN` in place of `INNER JOIN`. The grammar's rule joined_table makes JOIN_INNER
    /// from both, with or without NATURAL.
    ///
    /// INNER must be the keyword, not a name. After a dot, AS, `::` or SETOF, INNER is a name. In a
    /// query, no other name INNER precedes JOIN: a parenthesis follows the name of a function, and
    /// COLLATE does not accept INNER. Outside of queries, INNER may be the name of a parameter
    /// whose type is named JOIN.
    pub(super) fn inner_join(&mut self, difference: Difference<'a>) -> Option<Same> {
        let Difference { at, found, .. } = difference;
        let is_join = difference.expected(1) == JOIN && found.kind == JOIN;
        let is_word = may_be_keyword(difference.before(1)) && self.is_in_query(at);
        if is_join && is_word { difference.same(2, found) } else { None }
    }

    /// Accepts `ON condition` in place of `ON (condition)`, because a parenthesised a_expr is a
    /// c_expr with the same tree. The rule applies under three conditions:
    ///
    /// 1. In queries, ON before a parenthesis belongs to a join or to DISTINCT.
    /// 2. The parentheses contain one expression: no query, and no commas at their level (a row).
    /// 3. No token after the closing parenthesis continues the expression. The parentheses therefore enclose the whole
    ///    expression. The next token ends a condition ([`ends_condition`]). Without the parentheses, this token would
    ///    also end the expression, because it is neither an operator nor a part of a type's name.
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

    /// If the second text may lack the closing parenthesis at `at`, returns the position after this
    /// parenthesis; otherwise returns `at`. The second text may lack the parenthesis only if
    /// `found` ends a condition. If several closing parentheses follow each other, any of them may
    /// be the missing one, because they are indistinguishable.
    pub(super) fn closed(&mut self, at: usize, found: u16) -> usize {
        let tokens = self.tokens();
        let Some(closing) = self.closing.filter(|closing| *closing <= at) else { return at };
        let is_close = |token: &PgqToken| token.kind == CLOSE;
        let are_closing = tokens.get(closing..=at).is_some_and(|tokens| tokens.iter().all(is_close));
        // In the second text, the condition ends at another closing parenthesis or at `found`.
        if are_closing && (closing < at || ends_condition(found)) {
            self.closing = None;
            return at + 1;
        }
        at
    }
}

/// Returns whether a keyword after `before` is used as a keyword. After a dot, AS, `::` or SETOF, a keyword is a name.
fn may_be_keyword(before: u16) -> bool {
    !matches!(before, AS | DOT | SETOF | TYPECAST)
}

/// Returns whether a token ends the condition of a join and cannot begin a part of a condition.
fn ends_condition(kind: u16) -> bool {
    matches!(kind, END | SEMICOLON | CLOSE | COMMA | CROSS | FULL | INNER | JOIN | LEFT | NATURAL | RIGHT)
        || matches!(kind, GROUP | HAVING | LIMIT | ON | ORDER | WHERE | WINDOW)
}
