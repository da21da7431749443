//! Statements with other names and other strings, token by token.

use pgq::{ParseOptions, Tree};

/// The statement with every name written as `name`, which is one token. Where that does not
/// parse, each name is changed that can be; keywords that stand as names are changed too.
/// `None` when nothing changed.
pub fn names(sql: &str, name: &str) -> Option<String> {
    let tokens = pgq::scan(sql).ok()?;
    let is_name = |token: &pgq::Token| token.name() == "IDENT";
    let is_keyword =
        |token: &pgq::Token| !is_name(token) && token.keyword != 0 && token.keyword_name() != "RESERVED_KEYWORD";
    let mut text = Changed::new(sql, &tokens);
    let names: Vec<usize> = (0..tokens.len()).filter(|i| is_name(&tokens[*i])).collect();
    if !text.try_all(&names, name) {
        names.iter().for_each(|i| text.try_one(*i, name));
    }
    (0..tokens.len()).filter(|i| is_keyword(&tokens[*i])).for_each(|i| text.try_one(i, name));
    text.changed()
}

/// The statement with every string literal written as `string`.
pub fn strings(sql: &str, string: &str) -> Option<String> {
    let tokens = pgq::scan(sql).ok()?;
    let mut text = Changed::new(sql, &tokens);
    let literals: Vec<usize> = (0..tokens.len()).filter(|i| tokens[*i].name() == "SCONST").collect();
    if !text.try_all(&literals, string) {
        literals.iter().for_each(|i| text.try_one(*i, string));
    }
    text.changed()
}

/// A text and what some of its tokens are to be.
struct Changed<'a> {
    sql: &'a str,
    tokens: &'a [pgq::Token],
    instead: Vec<Option<String>>,
}

impl<'a> Changed<'a> {
    fn new(sql: &'a str, tokens: &'a [pgq::Token]) -> Self {
        Self { sql, tokens, instead: vec![None; tokens.len()] }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut at = 0;
        for (token, instead) in self.tokens.iter().zip(&self.instead) {
            if let Some(instead) = instead {
                text.push_str(&self.sql[at..token.start]);
                text.push_str(instead);
                at = token.end;
            }
        }
        text.push_str(&self.sql[at..]);
        text
    }

    fn parses(&self) -> bool {
        Tree::parse(&self.text(), &ParseOptions::default()).is_ok()
    }

    fn try_all(&mut self, indexes: &[usize], with: &str) -> bool {
        indexes.iter().for_each(|i| self.instead[*i] = Some(with.to_string()));
        let parses = self.parses();
        if !parses {
            indexes.iter().for_each(|i| self.instead[*i] = None);
        }
        parses
    }

    fn try_one(&mut self, index: usize, with: &str) {
        self.try_all(&[index], with);
    }

    fn changed(&self) -> Option<String> {
        self.instead.iter().any(Option::is_some).then(|| self.text())
    }
}
