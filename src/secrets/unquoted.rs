//! Finds values without quotes: `PASSWORD x`, `IDENTIFIED BY x`, `SET a = x, y`, `OPTIONS (password x)`. In other
//! positions, a word is a keyword or the name of an object.

use super::names::is_secret;
use super::sql::{Finder, QUERIES};
use super::tokens::{Kind, Token};
use super::{LITERAL, found::Found};

/// Second words of the statements that can contain `PASSWORD x`, such as ALTER ROLE.
const ROLES: [&str; 4] = ["role", "user", "group", "database"];
/// Second words of the ALTER statements that can end in `SET a = x, y`, such as ALTER SYSTEM. [`ROLES`] contains
/// further such words.
const OBJECTS: [&str; 4] = ["system", "function", "procedure", "routine"];

impl Finder<'_> {
    /// Finds the values after `PASSWORD` and `IDENTIFIED BY`, after the sign of `SET name = value` in SET, ALTER and
    /// CREATE FUNCTION, and after the name of a secret in `OPTIONS (…)`.
    pub(super) fn in_positions(&self, found: &mut Found) {
        let is_of_role = self.is_any(1, &ROLES);
        let is_function = |at| self.is_any(at, &["function", "procedure"]);
        if self.is_word(0, "create") && !is_of_role && (1..4).any(is_function) {
            return self.in_settings(found);
        }
        let is_set = self.is_word(0, "set");
        let is_alter = self.is_word(0, "alter");
        let has_password = is_of_role && !self.is_any(0, &QUERIES);
        let has_list = is_set || is_alter && (is_of_role || self.is_any(1, &OBJECTS));
        let (mut at, mut after_set, mut is_option) = (1, is_set, false);
        while at < self.tokens.len() {
            let before = at - 1;
            after_set |= is_alter && self.is_word(before, "set");
            is_option = (is_option || self.is_word(before, "options")) && self.token(before) != ")";
            let is_secret = is_option && self.is_name(before) && is_secret(self.token(before).trim_matches('"'));
            let is_identified = at > 1 && self.is_word(at - 2, "identified") && self.is_word(before, "by");
            let is_setting = after_set && !is_option && (self.is_sign(before) || has_list && self.token(before) == ",");
            if !(is_identified || is_setting || is_secret || has_password && self.is_word(before, "password")) {
                at += 1;
                continue;
            }
            while matches!(self.token(at), "=" | ":" | ">") {
                at += 1;
            }
            at = self.value(at, at + 1, found);
        }
    }

    /// Finds the values of `SET name = value, value` in CREATE FUNCTION. Excludes a `BEGIN ATOMIC` body, because a SET
    /// in the body belongs to another statement, such as UPDATE.
    fn in_settings(&self, found: &mut Found) {
        let body = (0..self.tokens.len()).find(|at| self.is_word(*at, "begin") && self.is_word(at + 1, "atomic"));
        let is_part = |at: usize| self.is_name(at) && !self.is_word(at, "set") || self.token(at) == ".";
        let mut at = 0;
        while at < body.unwrap_or(self.tokens.len()) {
            at += 1;
            if !self.is_word(at - 1, "set") {
                continue;
            }
            while !self.is_sign(at) && is_part(at) {
                at += 1;
            }
            let mut has_value = self.is_sign(at);
            while has_value {
                at = self.value(at + 1, at + 2, found);
                has_value = self.token(at) == ",";
            }
        }
    }

    fn is_sign(&self, at: usize) -> bool {
        self.is_word(at, "to") || self.token(at) == "="
    }

    /// Masks a value that consists of the tokens from `start` to `end - 1`. Tokens that directly follow are also
    /// masked, up to the next white space or semicolon, because a password without quotes may contain any character. A
    /// value that is a single literal, number, parameter or NULL is not masked here. Returns the index of the token
    /// after the value.
    pub(super) fn value(&self, start: usize, mut end: usize, found: &mut Found) -> usize {
        let Some(first) = self.tokens.get(start) else { return end };
        // A dollar quote without an end (`$x$`) does not count as a literal, because it may be a part of the password.
        let is_literal = |token: &Token| {
            token.kind == Kind::Literal && !(token.text(self.sql).starts_with('$') && token.is_open(self.sql))
        };
        if end == start + 1 && is_literal(first) {
            return end;
        }
        while self.is_joined(end) {
            end += 1;
        }
        // Excludes commas and closing parentheses at the end of the value, because they belong to the statement.
        let mut depth = 0_i64;
        for at in start..end {
            depth += i64::from(self.token(at) == "(") - i64::from(self.token(at) == ")");
        }
        let all = end;
        while end > start && (self.token(end - 1) == "," || self.token(end - 1) == ")" && depth < 0) {
            depth += i64::from(self.token(end - 1) == ")");
            end -= 1;
        }
        if end == start {
            return all; // not `start + 1`, because searching these tokens again would take quadratic time
        }
        let is_kept = matches!(first.kind, Kind::Number | Kind::Parameter) || self.is_word(start, "null");
        if end == start + 1 && is_kept {
            return end;
        }
        let after = self.tokens[end - 1].range.end;
        // A comment directly after the last token may be part of a password, as in `hunter--2`, so it is masked too.
        let comment = self.sql[after..self.tokens.get(end).map_or(self.end, |next| next.range.start)].trim_end();
        let has_comment = end == all && !comment.starts_with(char::is_whitespace);
        found.push(first.range.start..after + if has_comment { comment.len() } else { 0 }, LITERAL);
        end
    }

    /// Returns whether a token directly follows the token before it, without white space.
    fn is_joined(&self, at: usize) -> bool {
        let gap = |token: &Token| &self.sql[self.tokens[at - 1].range.end..token.range.start];
        self.tokens.get(at).is_some_and(|token| !gap(token).contains(char::is_whitespace))
    }
}
