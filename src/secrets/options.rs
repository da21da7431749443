//! Finds values without quotes in options: `WITH (password = x)`.

use super::found::Found;
use super::names::is_secret;
use super::sql::{Finder, QUERIES};
use super::tokens::Kind;

/// Words before a parenthesis that contains a condition.
const CONDITIONS: [&str; 7] = ["check", "where", "using", "when", "and", "or", "not"];

impl Finder<'_> {
    pub(super) fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Name))
    }

    /// Finds the values without quotes in options.
    pub(super) fn in_options(&self, found: &mut Found) {
        // In queries and SET, `(password = x)` is a comparison and not an option.
        if !self.is_any(0, &QUERIES) && !self.is_word(0, "set") {
            self.in_lists(found);
        }
    }

    /// Finds the values of options in parentheses, if the name of the option is the name of a secret. In CREATE and
    /// ALTER, an equals sign follows the name (`password = x`). In other statements, the value directly follows the
    /// name (`password x`).
    fn in_lists(&self, found: &mut Found) {
        let has_sign = self.is_any(0, &["create", "alter"]);
        let is_copy = self.is_word(0, "copy");
        // `is_list` is true if the current outermost parentheses contain options.
        let (mut depth, mut is_list, mut after_copy) = (0_usize, false, false);
        let (mut item, mut after_value) = (0, 0);
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
            if depth == 1 && is_list && is_first && self.is_name(at) && at >= after_value {
                after_value = self.in_option(at, has_sign, found);
            }
        }
    }

    /// Masks the value of the option whose name is at `at`. Returns the index of the token after the value.
    fn in_option(&self, at: usize, has_sign: bool, found: &mut Found) -> usize {
        let start = at + 1 + usize::from(has_sign);
        if !is_secret(self.token(at).trim_matches('"')) || has_sign && self.token(at + 1) != "=" {
            return at;
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
        // After an equals sign, the value may start with `,` or `)`.
        if has_sign || end > start { self.value(start, end.max(start + 1), found) } else { start }
    }
}
