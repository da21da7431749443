//! Finds values without quotes in options: `SET my.password = x` of a function, `WITH (password = x)`.

use super::names::is_secret;
use super::sql::Finder;
use super::tokens::Kind;
use super::{LITERAL, found::Found};

/// The first words of statements in which `(password = x)` is a comparison and not an option.
const QUERIES: [&str; 9] = ["select", "insert", "update", "delete", "merge", "with", "values", "table", "set"];
/// Words before a parenthesis that contains a condition.
const CONDITIONS: [&str; 7] = ["check", "where", "using", "when", "and", "or", "not"];

impl Finder<'_> {
    fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Name))
    }

    /// Finds the values without quotes in options.
    pub(super) fn in_options(&self, found: &mut Found) {
        if self.is_any(0, &["create"]) && (1..4).any(|at| self.is_any(at, &["function", "procedure"])) {
            self.in_settings(found);
        }
        if !self.is_any(0, &QUERIES) {
            self.in_lists(found);
        }
    }

    /// Finds the values of `SET name = value, value` in CREATE FUNCTION. Excludes a `BEGIN ATOMIC`
    /// body, whose SET belongs to an SQL statement.
    fn in_settings(&self, found: &mut Found) {
        let end = (0..self.tokens.len()).find(|at| self.is_word(*at, "begin") && self.is_word(at + 1, "atomic"));
        for set in (0..end.unwrap_or(self.tokens.len())).filter(|at| self.is_word(*at, "set")) {
            let is_sign = |at: usize| self.is_word(at, "to") || self.token(at) == "=";
            let is_part = |at: usize| self.is_name(at) && !self.is_word(at, "set") || self.token(at) == ".";
            let mut at = set + 1;
            while !is_sign(at) && is_part(at) {
                at += 1;
            }
            let mut has_value = is_sign(at);
            while has_value {
                if self.is_name(at + 1) && !self.is_any(at + 1, &["default", "null"]) {
                    found.push(self.tokens[at + 1].range.clone(), LITERAL);
                }
                at += 2;
                has_value = self.token(at) == ",";
            }
        }
    }

    /// Finds the values of options in parentheses, if the name of the option is the name of a secret. In CREATE and
    /// ALTER, an equals sign follows the name (`password = x`). In other statements, the value follows it
    /// (`password x`).
    fn in_lists(&self, found: &mut Found) {
        let has_sign = self.is_any(0, &["create", "alter"]);
        let is_copy = self.is_word(0, "copy");
        // `is_list` is true if the current outermost parentheses contain options.
        let (mut depth, mut is_list, mut after_copy) = (0_usize, false, false);
        let mut item = 0;
        for at in 0..self.tokens.len() {
            match self.token(at) {
                "(" => {
                    depth += 1;
                    if depth == 1 {
                        let before = at.saturating_sub(1);
                        is_list = if has_sign {
                            !self.is_any(before, &CONDITIONS)
                        } else {
                            if is_copy { after_copy } else { at == 1 }
                        };
                        item = at + 1;
                    }
                }
                ")" => depth = depth.saturating_sub(1),
                "," if depth == 1 => item = at + 1,
                _ if depth == 0 => after_copy |= self.is_any(at, &["from", "to"]),
                _ => {}
            }
            let is_first = item == at || item + 2 == at && self.token(at - 1) == ".";
            if depth == 1 && is_list && is_first && self.is_name(at) {
                self.in_option(at, has_sign, found);
            }
        }
    }

    /// Masks the value of the option whose name is at `at`.
    fn in_option(&self, at: usize, has_sign: bool, found: &mut Found) {
        let start = at + 1 + usize::from(has_sign);
        if !is_secret(self.token(at).trim_matches('"')) || has_sign && self.token(at + 1) != "=" {
            return;
        }
        let (mut depth, mut end) = (0_usize, start);
        while let Some(token) = self.tokens.get(end) {
            match token.text(self.sql) {
                "(" => depth += 1,
                ")" | "," if depth == 0 => break,
                ")" => depth -= 1,
                _ => {}
            }
            end += 1;
        }
        // A value that is a single literal or parameter is skipped here. `Finder::mask` decides whether to mask it.
        if end > start + 1 || self.is_name(start) && end == start + 1 && !self.is_word(start, "null") {
            found.push(self.tokens[start].range.start..self.tokens[end - 1].range.end, LITERAL);
        }
    }
}
