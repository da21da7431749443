//! Rules for statements that define or set something, such as SET and CREATE INDEX. Each rule accepts two spellings
//! that lead to the same tree. Each rule checks its position in the statement, because the words have other meanings at
//! other positions.

use super::kinds::*;
use super::rules::{Difference, LOOK_BACK, Same};

impl Difference<'_> {
    /// Treats `SET name TO` in the second text as equal to `SET name =` in the first. The grammar's rule generic_set
    /// has the same action for both. The name must be an identifier and not a keyword, because only an identifier is
    /// certainly a complete var_name.
    pub(super) fn set_to(self) -> Option<Same> {
        if self.start_of_set()? == self.at && self.found.kind == TO { self.same(1, self.found) } else { None }
    }

    /// Treats `SET a = name` in the second text as equal to `SET a = 'name'` in the first. The grammar's rule
    /// opt_boolean_or_string converts the name and the string to the same constant.
    pub(super) fn set_name(self) -> Option<Same> {
        let start = self.start_of_set()?;
        let is_value = (start + 1..start + LOOK_BACK).contains(&self.at)
            && matches!(self.kind_at(start), EQUALS | TO)
            && (start..self.at).all(|at| self.kind_at(at) != SEMICOLON);
        let is_first_or_next = start + 1 == self.at || self.before(1) == COMMA;
        let quotes = usize::from(self.found.detail == pgq_lexer::detail::QUOTED);
        let name = &self.text[self.found.start as usize + quotes..self.found.end as usize - quotes];
        let is_name =
            self.found.kind == IDENT && (self.found.detail == 0 || quotes == 1) && self.value_at(self.at) == name;
        if is_value && is_first_or_next && is_name { self.same(1, self.found) } else { None }
    }

    /// Returns the index of `=` or TO in a statement that begins with `SET name`, `SET LOCAL name` or
    /// `SET SESSION name`.
    fn start_of_set(self) -> Option<usize> {
        let name = 1 + usize::from(matches!(self.kind_at(1), LOCAL | SESSION));
        (self.kind_at(0) == SET && self.kind_at(name) == IDENT).then_some(name + 1)
    }

    /// Treats `SET session_authorization TO name` in the second text as equal to `SET SESSION AUTHORIZATION name` in
    /// the first. Likewise, treats `RESET session_authorization` as equal to `RESET SESSION AUTHORIZATION`. The actions
    /// of set_rest_more and reset_rest produce the same nodes as generic_set and generic_reset.
    pub(super) fn session_authorization(self) -> Option<Same> {
        let is_name = self.expected(1) == AUTHORIZATION && self.says(self.found, b"session_authorization");
        if !is_name || self.at != 1 || self.found.kind != IDENT {
            return None;
        }
        if self.kind_at(0) == RESET {
            return self.same(2, self.found);
        }
        let is_set = self.kind_at(0) == SET && matches!(self.expected(2), IDENT | SCONST);
        let to = self.following().next().filter(|to| is_set && to.kind == TO)?;
        self.same(2, to)
    }

    /// Treats `CREATE TEMPORARY` in the second text as equal to `CREATE TEMP` in the first. After CREATE, each of the
    /// two words can only be the grammar symbol OptTemp.
    pub(super) fn temporary(self) -> Option<Same> {
        let is_create = self.at == 1 && self.kind_at(0) == CREATE;
        if is_create && self.found.kind == TEMPORARY { self.same(1, self.found) } else { None }
    }

    /// Treats `EXECUTE FUNCTION` of a CREATE TRIGGER in the second text as equal to `EXECUTE PROCEDURE` in the first
    /// (grammar rule FUNCTION_or_PROCEDURE). In other statements, FUNCTION after EXECUTE could be a name, for example
    /// of a prepared statement. In CREATE TRIGGER, the rule applies only if FUNCTION is between EXECUTE and a name. In
    /// this position, FUNCTION is always the keyword.
    pub(super) fn execute_function(self) -> Option<Same> {
        let kinds = (1..4).map(|at| self.kind_at(at));
        let kind = kinds.into_iter().find(|kind| !matches!(*kind, CONSTRAINT | EVENT | OR | REPLACE));
        let is_trigger = self.kind_at(0) == CREATE && kind == Some(TRIGGER);
        let is_execute = self.before(1) == EXECUTE && matches!(self.before(2), ROW | STATEMENT | CLOSE);
        let is_function = self.found.kind == FUNCTION && self.expected(1) == IDENT;
        if is_trigger && is_execute && is_function { self.same(1, self.found) } else { None }
    }

    /// Treats `CREATE INDEX … ON table USING btree (…)` in the second text as equal to `CREATE INDEX … ON table (…)` in
    /// the first. The default method is btree (access_method_clause). The rule applies at the statement's first
    /// parenthesis if a name precedes it and the statement has no USING before it. In this position, the name is the
    /// table's name.
    pub(super) fn using_btree(self) -> Option<Same> {
        let index = 1 + usize::from(self.kind_at(1) == UNIQUE);
        let is_index = self.kind_at(0) == CREATE && self.kind_at(index) == INDEX && self.before(1) == IDENT;
        // Number of tokens of the longest prefix: CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS a ON ONLY b.c.d (
        const LONGEST: usize = 14;
        if !is_index || self.at > LONGEST || self.found.kind != USING {
            return None;
        }
        let is_first = (0..self.at).all(|at| !matches!(self.kind_at(at), OPEN | USING));
        let mut following = self.following();
        let (method, open) = (following.next()?, following.next()?);
        let is_default = method.kind == IDENT && self.says(method, b"btree") && open.kind == OPEN;
        if is_first && is_default { self.same(1, open) } else { None }
    }
}
