//! Finds secrets in SQL, using its tokens.

use std::ops::Range;

use super::found::Found;
use super::names::{is_harmless_option, is_secret, is_secret_function};
use super::tokens::{Kind, Token, tokens};
use super::{MASK, text};

/// Maximum nesting depth of function bodies that are searched.
const MAX_DEPTH: u32 = 3;

pub fn find(sql: &str, depth: u32) -> Found {
    let finder = Finder { sql, tokens: tokens(sql), found: Found::default(), depth };
    finder.find()
}

struct Finder<'t> {
    sql: &'t str,
    tokens: Vec<Token>,
    found: Found,
    depth: u32,
}

impl Finder<'_> {
    fn find(mut self) -> Found {
        let is_of_role = self.is_word(0, "alter") || self.is_word(0, "create");
        let is_of_role = is_of_role && ["role", "user", "group"].iter().any(|word| self.is_word(1, word));
        for at in 0..self.tokens.len() {
            match self.tokens[at].kind {
                Kind::Word | Kind::Name => self.after_word(at, is_of_role && !self.is_word(2, "mapping")),
                Kind::Literal => self.in_literal(at),
                _ => {}
            }
        }
        self.inserted();
        self.in_comments();
        self.found
    }

    fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text(self.sql))
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn is_word(&self, at: usize, word: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_word(self.sql, word))
    }

    fn after_word(&mut self, at: usize, is_of_role: bool) {
        let next = at + 1;
        let has_parenthesis = self.kind(next) == Some(Kind::Other(b'('));
        if is_secret(self.token(at)) {
            // A role may have the name of a secret. Therefore an unquoted word is a password only after the keyword.
            self.value_of_name(next, is_of_role && self.is_word(at, "password"));
        } else if self.is_word(at, "identified") && self.is_word(next, "by") {
            self.value_of_name(next + 1, true);
        } else if self.is_word(at, "connection") || self.is_word(at, "program") {
            self.mask(next);
        } else if self.is_word(at, "options") && has_parenthesis {
            self.options(next + 1);
        } else if has_parenthesis && is_secret_function(self.token(at)) {
            self.arguments(next + 1);
        }
    }

    /// Masks the value after the name of a secret. A comparison or assignment operator may separate them.
    fn value_of_name(&mut self, mut at: usize, is_of_role: bool) {
        const WORDS: [&str; 9] = ["to", "like", "ilike", "in", "is", "not", "with", "any", "value"];
        while self
            .kind(at)
            .is_some_and(|kind| matches!(kind, Kind::Other(b'=' | b'<' | b'>' | b'!' | b'~' | b':' | b'(')))
            || WORDS.iter().any(|word| self.is_word(at, word))
        {
            at += 1;
        }
        // This is the unquoted password of a role.
        let is_value = |kind| matches!(kind, Some(Kind::Word | Kind::Name | Kind::Number));
        if is_of_role && is_value(self.kind(at)) && !self.is_word(at, "null") && !is_secret(self.token(at)) {
            let range = self.tokens[at].range.clone();
            self.found.push(range, "'***'");
        }
        // There are several values in IN, or if a literal continues on the next line.
        while matches!(self.kind(at), Some(Kind::Literal | Kind::Number | Kind::Parameter)) {
            self.mask(at);
            at += 1;
            // In other lists, a name follows the comma.
            let is_list = self.kind(at) == Some(Kind::Other(b','));
            at += usize::from(is_list && matches!(self.kind(at + 1), Some(Kind::Literal | Kind::Parameter)));
        }
    }

    /// Masks a literal, a number or a parameter.
    fn mask(&mut self, at: usize) {
        let Some(token) = self.tokens.get(at) else { return };
        match token.kind {
            Kind::Literal => {
                let content = token.content(self.sql);
                if !is_parameter(&self.sql[content.clone()]) {
                    self.found.push(content, MASK);
                }
            }
            Kind::Number => {
                let range = token.range.clone();
                self.found.push(range, "'***'");
            }
            Kind::Parameter => {
                let number = token.text(self.sql)[1..].parse::<u32>();
                self.found.parameters.extend(number);
            }
            _ => {}
        }
    }

    /// Masks the values of all options except harmless ones, as in `OPTIONS (host 'x', SET password 'y')`.
    fn options(&mut self, from: usize) {
        for at in from..self.tokens.len() {
            match self.kind(at) {
                Some(Kind::Literal) if !is_harmless_option(self.token(at - 1)) => self.mask(at),
                Some(Kind::Other(b')')) => return,
                _ => {}
            }
        }
    }

    /// Masks the literals and parameters in the arguments of a function.
    fn arguments(&mut self, from: usize) {
        let mut depth = 1;
        for at in from..self.tokens.len() {
            match self.kind(at) {
                Some(Kind::Literal | Kind::Parameter) => self.mask(at),
                Some(Kind::Other(b'(')) => depth += 1,
                Some(Kind::Other(b')')) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Masks secrets inside a literal. If the literal is the name of a secret, masks the next literal.
    fn in_literal(&mut self, at: usize) {
        let content = self.tokens[at].content(self.sql);
        let inner = &self.sql[content.clone()];
        let is_name = !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
        if is_name && is_secret(inner) && self.kind(at + 1) == Some(Kind::Other(b',')) {
            return self.mask(at + 2);
        }
        if !super::may_have_secrets(inner) {
            return;
        }
        let is_format = self.kind(at.wrapping_sub(1)) == Some(Kind::Other(b'(')) && inner.contains('%');
        if at > 1 && is_format && self.is_word(at - 2, "format") {
            self.arguments(at + 1);
        } else if ends_with_name(inner) && [1, 2].iter().all(|sign| self.kind(at + sign) == Some(Kind::Other(b'|'))) {
            // The value follows, as in `'… PASSWORD ' || 'x'` or `|| quote_literal('x')`.
            let value = (at + 3..at + 6).find(|at| matches!(self.kind(*at), Some(Kind::Literal | Kind::Parameter)));
            value.into_iter().for_each(|value| self.mask(value));
        }
        let is_body = self.token(at).starts_with('$') && self.depth < MAX_DEPTH;
        let mut found = if is_body { find(inner, self.depth + 1) } else { text::find(inner) };
        if is_body && found.edits.is_empty() && !inner.contains(';') {
            // The literal may be a connection string.
            found = text::find(inner);
        }
        self.add(found, content.start);
    }

    fn add(&mut self, found: Found, start: usize) {
        let moved = found.edits.into_iter().map(|(range, mask)| (range.start + start..range.end + start, mask));
        // The mask must not contain a quote, because it would end the outer literal.
        self.found.edits.extend(moved.map(|(range, _)| (range, MASK)));
    }

    /// Masks values that are inserted into columns named like a secret.
    fn inserted(&mut self) {
        for into in 0..self.tokens.len() {
            if !self.is_word(into, "into") {
                continue;
            }
            let Some(open) = (into..self.tokens.len()).find(|at| self.kind(*at) == Some(Kind::Other(b'('))) else {
                return;
            };
            let columns = self.items(open);
            let secret: Vec<usize> =
                (0..columns.len()).filter(|index| is_secret(self.token(columns[*index].start))).collect();
            let Some(close) = columns.last().map(|last| last.end) else { continue };
            let mut at = close + 1;
            if secret.is_empty() || !(at..at + 5).any(|at| self.is_word(at, "values")) {
                continue;
            }
            while let Some(open) = (at..self.tokens.len()).find(|at| self.kind(*at) == Some(Kind::Other(b'('))) {
                let values = self.items(open);
                for value in secret.iter().filter_map(|index| values.get(*index)).cloned() {
                    value.for_each(|at| self.mask(at));
                }
                at = values.last().map_or(open, |last| last.end) + 1;
            }
        }
    }

    /// Returns the token ranges of the items in the parenthesised list at `open`.
    fn items(&self, open: usize) -> Vec<Range<usize>> {
        let (mut items, mut start, mut depth) = (Vec::new(), open + 1, 0);
        for at in open..self.tokens.len() {
            match self.kind(at) {
                Some(Kind::Other(b'(')) => depth += 1,
                Some(Kind::Other(b')')) => depth -= 1,
                Some(Kind::Other(b',')) if depth == 1 => {
                    items.push(start..at);
                    start = at + 1;
                }
                _ => {}
            }
            if depth == 0 {
                items.push(start..at);
                return items;
            }
        }
        items.push(start..self.tokens.len());
        items
    }

    fn in_comments(&mut self) {
        let ends: Vec<usize> = self.tokens.iter().map(|token| token.range.end).collect();
        let starts = self.tokens.iter().map(|token| token.range.start).chain([self.sql.len()]);
        let gaps: Vec<Range<usize>> = std::iter::once(0).chain(ends).zip(starts).map(|(from, to)| from..to).collect();
        for gap in gaps.into_iter().filter(|gap| gap.len() > 4) {
            let found = text::find(&self.sql[gap.clone()]);
            self.add(found, gap.start);
        }
    }
}

/// Returns whether a string ends with the name of a secret, optionally followed by an operator or an opening quote.
fn ends_with_name(text: &str) -> bool {
    let text = text.trim_end_matches([' ', '=', ':', '\'', '"', '(']);
    text.rsplit(|c: char| !c.is_alphanumeric() && !"_-.".contains(c)).next().is_some_and(is_secret)
}

/// Returns whether a literal is `'$1'`. Normalization writes this if the grammar requires a literal.
fn is_parameter(content: &str) -> bool {
    content
        .strip_prefix('$')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
