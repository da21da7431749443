//! Rules for typed literals and type names.

use super::kinds::*;
use super::rules::{Difference, Rules, Same};

impl<'a> Rules<'a> {
    /// Treats `'value'::type` in the second text as equal to `type 'value'` in the first.
    ///
    /// Both forms cast the same constant to the same type (AexprConst; a_expr or b_expr with TYPECAST). The type's name
    /// must be a single identifier (func_name, GenericType), or a word of ConstTypename or ConstInterval that
    /// SimpleTypename also accepts. The two texts have the same tree for these reasons:
    ///
    /// 1. In the first text, `type 'value'` is a constant. In general, a name or TEXT before a string could also be an
    ///    option and its value (OPTIONS, COPY, EXPLAIN, CREATE DATABASE), the language and body of DO, or a column
    ///    option of XMLTABLE. For XMLTABLE, the grammar's action rejects all names except `default` and `path`, which
    ///    this rule excludes. All other meanings require that the token before the name is a value, `(`, `,` or a word
    ///    that is not reserved. The rule accepts `(` and `,` only in queries, which have no such options.
    /// 2. In the second text, the grammar allows a cast at this position. The preceding token is an operator, or a
    ///    reserved word that requires an operand after it. (If a dot precedes that token, the token is a name or the
    ///    end of `.*`, and the rule does not apply.) The operand may be any a_expr or b_expr, and a cast is both. There
    ///    are three exceptions: an operand in XMLEXISTS, XMLTABLE and JSON_OBJECT must be a c_expr, and a cast is not a
    ///    c_expr. Such an operand is followed by PASSING or VALUE, or by interval fields (YEAR, MONTH, …) and then
    ///    PASSING or VALUE. Therefore the rule does not apply before PASSING, VALUE or interval fields.
    /// 3. In the second text, the cast applies only to the string, because `::` has a higher precedence than any
    ///    operator that can precede it.
    /// 4. In both texts, the name of the type is the same. The rule rejects a token after `type` that could continue
    ///    the name.
    pub(super) fn literal(&mut self, difference: Difference<'a>) -> Option<Same> {
        let Difference { at, found, .. } = difference;
        if found.kind != SCONST || !difference.is_expected(1, found) {
            return self.json(difference);
        }
        let is_operand = match difference.before(1) {
            OPEN | COMMA | OPEN_BRACKET | BETWEEN => self.is_in_query(at),
            kind => begins_operand(kind),
        };
        let is_type = match difference.expected(0) {
            IDENT => !matches!(difference.value_at(at), b"default" | b"path"),
            INTERVAL | JSON | TEXT | TIME | TIMESTAMP => true,
            _ => false,
        };
        if !is_operand || difference.before(2) == DOT || !is_type {
            return None;
        }
        let mut following = difference.following();
        if following.next()?.kind != TYPECAST {
            return None;
        }
        let mut last = following.next()?;
        if difference.expected(0) == JSON {
            // The second text must have the qualified name `pg_catalog.json`. If the first text has `::json`, the
            // function `json` handles the difference.
            let is_qualified = difference.says(last, b"pg_catalog") && following.next()?.kind == DOT;
            last = following.next().filter(|last| is_qualified && last.kind == JSON)?;
        } else if !difference.is_expected(0, last) {
            return None;
        }
        let ends = !goes_on(following.next().map_or(END, |next| next.kind));
        if ends { difference.same(2, last) } else { None }
    }

    /// Treats `::pg_catalog.json` in the second text as equal to `::json` in the first. In the grammar, JsonType
    /// converts the keyword JSON to the name `pg_catalog.json`, and GenericType reads `pg_catalog.json` as the same
    /// name. If a type modifier follows, the texts are not equal, because only GenericType accepts modifiers.
    fn json(&self, difference: Difference<'a>) -> Option<Same> {
        let Difference { found, .. } = difference;
        if difference.expected(0) != JSON || difference.before(1) != TYPECAST || !difference.says(found, b"pg_catalog")
        {
            return None;
        }
        let mut following = difference.following();
        let (dot, json) = (following.next()?, following.next()?);
        let ends = !goes_on(following.next().map_or(END, |next| next.kind));
        if dot.kind == DOT && json.kind == JSON && ends { difference.same(1, json) } else { None }
    }

    /// Treats `int` in the second text as equal to `integer` in the first. Both words have the same tree if they are
    /// types (grammar rule Numeric). They could also be names of columns, labels or operator classes. Therefore the
    /// rule applies only in two positions, where they are always types: after `::`, and after the name of a column in
    /// the column list of CREATE TABLE. A name in this list is the name of a column if it follows `(` or `,`.
    pub(super) fn integer(&mut self, difference: Difference<'a>) -> Option<Same> {
        let Difference { at, found, .. } = difference;
        let is_type = match difference.before(1) {
            TYPECAST => true,
            IDENT => {
                matches!(difference.before(2), OPEN | COMMA)
                    && is_create_table(difference)
                    && self.is_in_column_list(at)
            }
            _ => false,
        };
        if is_type && found.kind == INT { difference.same(1, found) } else { None }
    }
}

impl Difference<'_> {
    /// Treats `extract('field' FROM …)` in the second text as equal to `extract(field FROM …)` in the first. The
    /// grammar's rule extract_arg converts both to the same string. The tokens before and after the field suffice to
    /// recognize the call of EXTRACT, because the tokens `EXTRACT ( name FROM` occur nowhere else.
    pub(super) fn extract(self) -> Option<Same> {
        let field: &[u8] = match self.expected(0) {
            IDENT => self.value_at(self.at),
            YEAR => b"year",
            MONTH => b"month",
            DAY => b"day",
            HOUR => b"hour",
            MINUTE => b"minute",
            SECOND => b"second",
            _ => return None,
        };
        let is_field = self.before(1) == OPEN && self.before(2) == EXTRACT && self.expected(1) == FROM;
        let says_the_same = self.found.kind == SCONST && self.says(self.found, field);
        if is_field && says_the_same { self.same(1, self.found) } else { None }
    }
}

/// Returns whether a token of this kind is always followed by an operand. This is true for operators, and for reserved
/// words that cannot be a name, an option's value or the end of an expression.
fn begins_operand(kind: u16) -> bool {
    const OPERATORS: [u16; 9] =
        [of(b'<'), of(b'>'), of(b'='), of(b'+'), of(b'-'), of(b'*'), of(b'/'), of(b'%'), of(b'^')];
    OPERATORS.contains(&kind)
        || matches!(kind, OP | LESS_EQUALS | GREATER_EQUALS | NOT_EQUALS)
        || matches!(kind, AND | CASE | DISTINCT | ELSE | FROM | HAVING | OR | SELECT | THEN | WHEN | WHERE)
}

/// Returns whether a token could continue a type's name, or whether the grammar requires a c_expr before the token.
fn goes_on(kind: u16) -> bool {
    matches!(kind, OPEN | OPEN_BRACKET | DOT | ARRAY | PASSING | VALUE | WITH | WITHOUT)
        || matches!(kind, YEAR | MONTH | DAY | HOUR | MINUTE | SECOND)
}

fn is_create_table(difference: Difference<'_>) -> bool {
    let kinds = (1..5).map(|at| difference.kind_at(at));
    let table = kinds.into_iter().find(|kind| !matches!(*kind, FOREIGN | LOCAL | TEMP | TEMPORARY | UNLOGGED));
    difference.kind_at(0) == CREATE && table == Some(TABLE)
}
