//! Rules for the FROM clause: aliases, joins and their conditions.

use super::kinds::*;
use super::rules::{Difference, LOOK_BACK, Rules, Same};
use crate::sys::bindings::PgqToken;

impl Difference<'_> {
    /// Treats `alias` after a relation in the second text as equal to `AS alias` in the first. The grammar's rules
    /// alias_clause, func_alias_clause and relation_expr_opt_alias have the same action for both forms.
    ///
    /// After a relation, a name that is not a keyword can only be an alias. In other positions (CAST, labels, INSERT,
    /// JOIN … USING), AS may be required. Therefore the rule applies only to a relation in a list after FROM, or to a
    /// single relation after JOIN, UPDATE or MERGE INTO. [`Difference::list_before`] finds this list or single
    /// relation.
    ///
    /// Not every FROM begins a FROM clause. The rule excludes `IS DISTINCT FROM`. FROM in functions (EXTRACT,
    /// SUBSTRING, …) and commands needs no check: between such a FROM and an AS at the same level of parentheses, there
    /// is always another keyword. [`Difference::list_before`] stops at this keyword.
    pub(super) fn alias(self) -> Option<Same> {
        if self.found.kind != IDENT || !self.is_expected(1, self.found) {
            return None;
        }
        let (start, is_list) = self.list_before()?;
        let (word, before) = (self.kind_at(start), start.checked_sub(1).map_or(END, |at| self.kind_at(at)));
        let is_relation = match word {
            FROM => before != DISTINCT,
            // In `JOIN (`, the word JOIN may also be the name of a called function. Therefore a query must follow the
            // parenthesis.
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
    /// FROM, and whether the list contains a comma or AS. A list without a comma or AS is a single relation.
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

    /// Treats `LEFT JOIN` in the second text as equal to `LEFT OUTER JOIN` in the first (grammar rule opt_outer).
    /// Between LEFT, RIGHT or FULL and JOIN, OUTER is always the keyword. It cannot be a name there, because it can be
    /// a name only after a dot, `::`, SETOF or AS. Exception: it may be the type of a parameter named LEFT, but JOIN
    /// cannot follow such a type.
    pub(super) fn outer_join(self) -> Option<Same> {
        let is_join = matches!(self.before(1), FULL | LEFT | RIGHT) && self.expected(1) == JOIN;
        if is_join && self.found.kind == JOIN { self.same(2, self.found) } else { None }
    }
}

impl<'a> Rules<'a> {
    /// Treats `JOIN` in the second text as equal to `INNER JOIN` in the first. The grammar's rule joined_table converts
    /// both to JOIN_INNER, with or without NATURAL.
    ///
    /// The rule applies only if INNER is the keyword and not a name. In a query, INNER before JOIN is a name if it
    /// follows a dot, AS, `::` or SETOF. In all other positions, it is the keyword. Outside of queries, `INNER JOIN`
    /// may be a parameter INNER of type JOIN, so the rule applies only in queries.
    pub(super) fn inner_join(&mut self, difference: Difference<'a>) -> Option<Same> {
        let Difference { at, found, .. } = difference;
        let is_join = difference.expected(1) == JOIN && found.kind == JOIN;
        let is_word = may_be_keyword(difference.before(1)) && self.is_in_query(at);
        if is_join && is_word { difference.same(2, found) } else { None }
    }

    /// Treats `ON condition` in the second text as equal to `ON (condition)` in the first. Parentheses around an
    /// expression do not change its tree. The rule requires three conditions:
    ///
    /// 1. ON belongs to a join. In a query, the only other ON before a parenthesis is a part of DISTINCT ON, which the
    ///    rule excludes.
    /// 2. The parentheses contain a single expression. They contain neither a query nor a row, which has commas.
    /// 3. The parentheses enclose the whole condition. Therefore the token after the closing parenthesis must end a
    ///    condition ([`ends_condition`]). This token also ends the condition without the parentheses, because the token
    ///    is neither an operator nor a part of a type's name.
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

    /// Returns `at + 1` if the token at `at` is a closing parenthesis that the second text omits. Otherwise returns
    /// `at`. The omitted parenthesis is at the end of a condition. Therefore `found`, the next token of the second
    /// text, must end a condition. If several closing parentheses are adjacent, any of them may be the omitted one.
    pub(super) fn closed(&mut self, at: usize, found: u16) -> usize {
        let tokens = self.tokens();
        let Some(closing) = self.closing.filter(|closing| *closing <= at) else { return at };
        let is_close = |token: &PgqToken| token.kind == CLOSE;
        let are_closing = tokens.get(closing..=at).is_some_and(|tokens| tokens.iter().all(is_close));
        // The condition of the second text may end at `found`. If there are several closing parentheses, the condition
        // may also end earlier, at one of these parentheses.
        if are_closing && (closing < at || ends_condition(found)) {
            self.closing = None;
            return at + 1;
        }
        at
    }
}

/// Returns whether a keyword after the token kind `before` keeps its meaning as a keyword. After a dot, AS, `::` or
/// SETOF, a keyword is a name.
fn may_be_keyword(before: u16) -> bool {
    !matches!(before, AS | DOT | SETOF | TYPECAST)
}

/// Returns whether a token ends the condition of a join and cannot begin a part of a condition.
fn ends_condition(kind: u16) -> bool {
    matches!(kind, END | SEMICOLON | CLOSE | COMMA | CROSS | FULL | INNER | JOIN | LEFT | NATURAL | RIGHT)
        || matches!(kind, GROUP | HAVING | LIMIT | ON | ORDER | WHERE | WINDOW)
}
