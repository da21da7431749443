//! Finds the parts of SQL to highlight, for HTML pages and terminals.

use std::ops::Range;

use pgq::Token;

/// Kind of a highlighted part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlPart {
    Comment,
    String,
    Number,
    Parameter,
    Keyword,
}

/// Unreserved keywords that are rare as names. They are highlighted even in lower case. Other unreserved keywords are
/// highlighted only in upper case or at the start of a statement.
const LIKELY_KEYWORDS: [&str; 24] = [
    "alter",
    "begin",
    "by",
    "commit",
    "copy",
    "declare",
    "delete",
    "drop",
    "execute",
    "explain",
    "fetch",
    "if",
    "insert",
    "over",
    "partition",
    "prepare",
    "recursive",
    "rollback",
    "set",
    "truncate",
    "update",
    "vacuum",
    "view",
    "nulls",
];

/// Returns the highlighted parts in order. Returns no parts if PostgreSQL's scanner fails.
pub fn sql_parts(sql: &str) -> Vec<(Range<usize>, SqlPart)> {
    let Ok(tokens) = pgq::scan(sql) else { return Vec::new() };
    let mut parts = Vec::with_capacity(tokens.len());
    let mut previous = None;
    for token in &tokens {
        let word = &sql[token.start..token.end];
        parts.extend(part(token, word, previous).map(|part| (token.start..token.end, part)));
        previous = Some(word);
    }
    parts
}

fn part(token: &Token, word: &str, previous: Option<&str>) -> Option<SqlPart> {
    if token.is_comment() {
        return Some(SqlPart::Comment);
    }
    match token.name() {
        "SCONST" | "USCONST" | "BCONST" | "XCONST" => return Some(SqlPart::String),
        "ICONST" | "FCONST" => return Some(SqlPart::Number),
        "PARAM" => return Some(SqlPart::Parameter),
        _ => {}
    }
    let is_keyword = match token.keyword_name() {
        "NO_KEYWORD" => false,
        _ if previous == Some(".") => false,
        "UNRESERVED_KEYWORD" => {
            let is_upper = !word.contains(|c: char| c.is_ascii_lowercase());
            is_upper || previous.is_none_or(|previous| previous == ";") || LIKELY_KEYWORDS.contains(&word)
        }
        _ => true,
    };
    is_keyword.then_some(SqlPart::Keyword)
}
