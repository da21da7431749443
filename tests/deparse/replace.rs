//! Replaces names or strings in statements.

use pgq::{ParseOptions, Tree};

/// Replaces every name in the statement with `name`, which is one token. Also replaces keywords that are used as names.
/// If the result does not parse, replaces only names whose replacement parses. Returns `None` if nothing was replaced.
pub fn with_names(sql: &str, name: &str) -> Option<String> {
    let tokens = pgq::scan(sql).ok()?;
    let is_name = |token: &pgq::Token| token.name() == "IDENT";
    let is_keyword =
        |token: &pgq::Token| !is_name(token) && token.keyword != 0 && token.keyword_name() != "RESERVED_KEYWORD";
    let mut text = Replacements::new(sql, &tokens);
    let names: Vec<usize> = (0..tokens.len()).filter(|i| is_name(&tokens[*i])).collect();
    if !text.try_all(&names, name) {
        names.iter().for_each(|i| text.try_one(*i, name));
    }
    (0..tokens.len()).filter(|i| is_keyword(&tokens[*i])).for_each(|i| text.try_one(i, name));
    text.replaced()
}

/// Replaces every string literal in the statement by `string`; see [`with_names`].
pub fn with_strings(sql: &str, string: &str) -> Option<String> {
    let tokens = pgq::scan(sql).ok()?;
    let mut text = Replacements::new(sql, &tokens);
    let literals: Vec<usize> = (0..tokens.len()).filter(|i| tokens[*i].name() == "SCONST").collect();
    if !text.try_all(&literals, string) {
        literals.iter().for_each(|i| text.try_one(*i, string));
    }
    text.replaced()
}

/// A statement, and replacements for some of its tokens.
struct Replacements<'a> {
    sql: &'a str,
    tokens: &'a [pgq::Token],
    /// The replacement of each token.
    replacements: Vec<Option<String>>,
}

impl<'a> Replacements<'a> {
    fn new(sql: &'a str, tokens: &'a [pgq::Token]) -> Self {
        Self { sql, tokens, replacements: vec![None; tokens.len()] }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut at = 0;
        for (token, replacement) in self.tokens.iter().zip(&self.replacements) {
            if let Some(replacement) = replacement {
                text.push_str(&self.sql[at..token.start]);
                text.push_str(replacement);
                at = token.end;
            }
        }
        text.push_str(&self.sql[at..]);
        text
    }

    fn parses(&self) -> bool {
        Tree::parse(&self.text(), &ParseOptions::default()).is_ok()
    }

    /// Replaces tokens if the result parses. Returns whether the result parses.
    fn try_all(&mut self, indexes: &[usize], with: &str) -> bool {
        indexes.iter().for_each(|i| self.replacements[*i] = Some(with.to_string()));
        let parses = self.parses();
        if !parses {
            indexes.iter().for_each(|i| self.replacements[*i] = None);
        }
        parses
    }

    fn try_one(&mut self, index: usize, with: &str) {
        self.try_all(&[index], with);
    }

    fn replaced(&self) -> Option<String> {
        self.replacements.iter().any(Option::is_some).then(|| self.text())
    }
}
