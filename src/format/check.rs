//! Compares the tokens and comments of a formatted statement, and the parts of a formatted script, with the original.

use std::ops::Range;

use pgq_lexer::script::{ScriptPart, script_parts};

use super::{FormatOptions, KeywordCase};
use crate::parse::tokens::scan;

/// Returns the reason why a formatted statement must not be used; `None` if it may be used.
pub(super) fn difference(before: &str, after: &str, case: KeywordCase) -> Option<&'static str> {
    if let Some(problem) = compare_tokens(before, after, case) {
        return Some(problem);
    }
    // Equal tokens should parse to the same tree. The fingerprints confirm this.
    let fingerprint = |sql: &str| crate::fingerprint(sql).map(|fingerprint| fingerprint.0);
    match (fingerprint(before), fingerprint(after)) {
        (Ok(one), Ok(other)) if one == other => None,
        _ => Some("its meaning would change"),
    }
}

/// Compares PL/pgSQL bodies like [`difference`], but only by their tokens. The bodies are not parsed, because PL/pgSQL
/// is not SQL.
pub(super) fn tokens_differ(before: &str, after: &str) -> Option<&'static str> {
    compare_tokens(before, after, KeywordCase::Keep)
}

/// Compares the parts of a script with the parts of the formatted script: statements, comments, meta-commands and COPY
/// data. Returns the offset in `before` of the first part that differs.
pub fn script_difference(before: &str, after: &str, options: &FormatOptions) -> Option<usize> {
    if before == after {
        return None;
    }
    let (old, new) = (parts(before), parts(after));
    let mut pairs = old.iter().zip(&new);
    let differing = pairs.find(|((kind, range), (new_kind, new_range))| {
        let (text, new_text) = (&before[range.clone()], &after[new_range.clone()]);
        kind != new_kind || (text != new_text && (*kind == PartKind::NotSql || sql_differs(text, new_text, options)))
    });
    match differing {
        Some(((_, range), _)) => Some(range.start),
        None if old.len() == new.len() => None,
        None => Some(old.get(new.len()).map_or(before.len(), |(_, range)| range.start)),
    }
}

/// The kinds of script parts that are compared.
#[derive(PartialEq, Eq)]
enum PartKind {
    Statement,
    Blank,
    NotSql,
}

/// Returns the parts of a script, except parts that contain only white space. The text after `\q` is one part.
fn parts(text: &str) -> Vec<(PartKind, Range<usize>)> {
    let parts = script_parts(text.as_bytes());
    let end = parts.last().map_or(0, ScriptPart::end);
    let kinds = parts.into_iter().map(|part| match part {
        ScriptPart::Statement { range, .. } => (PartKind::Statement, range),
        ScriptPart::Blank(range) => (PartKind::Blank, range),
        part => (PartKind::NotSql, part.range()),
    });
    let kinds = kinds.chain(std::iter::once((PartKind::NotSql, end..text.len())));
    kinds.filter(|(_, range)| !text[range.clone()].trim_ascii().is_empty()).collect()
}

fn sql_differs(before: &str, after: &str, options: &FormatOptions) -> bool {
    if has_same_tokens(before, after) {
        return false;
    }
    let (old, new) = (condensed(before, options.bodies), condensed(after, options.bodies));
    match options.keyword_case {
        KeywordCase::Keep => old != new,
        _ => !old.eq_ignore_ascii_case(&new),
    }
}

/// Returns whether pgq's own lexer reads the same tokens and comments in both texts. This is much faster than
/// [`condensed`].
fn has_same_tokens(before: &str, after: &str) -> bool {
    let (mut old, mut new) = (pgq_lexer::Lexer::new(before.as_bytes()), pgq_lexer::Lexer::new(after.as_bytes()));
    let tokens = old.by_ref().map(|token| &before[token.start as usize..token.end as usize]);
    tokens.eq(new.by_ref().map(|token| &after[token.start as usize..token.end as usize]))
        && old.fallback().is_none()
        && new.fallback().is_none()
}

/// Returns SQL in a normal form for comparisons: `SELECT  a , b` becomes `SELECT a,b`. A space separates two adjacent
/// words, and each comment has a newline before and after it. There is no other white space between tokens. Therefore
/// the operator `=?` and the two tokens `= ?` become equal. This is necessary, because the formatter may write `= ?`
/// for `=?` if the `?` is a placeholder.
fn condensed(sql: &str, bodies: bool) -> String {
    let Ok(tokens) = scan(sql) else { return sql.trim_ascii().to_string() };
    let mut out = String::with_capacity(sql.len());
    for token in tokens {
        let text = &sql[token.start..token.end];
        let ends_in_word = out.bytes().last().is_some_and(pgq_lexer::is_word_byte);
        if token.is_comment() {
            // Ignore white space at the end of a comment, because the formatter removes it from a comment that ends the
            // script.
            out.extend(["\n", text.trim_ascii_end(), "\n"]);
        } else if let Some(body) = body(text).filter(|_| bodies) {
            out.extend(["\n", condensed(body, bodies).as_str(), "\n"]);
        } else {
            out.extend([if ends_in_word && text.starts_with(is_word) { " " } else { "" }, text]);
        }
    }
    out
}

fn is_word(char: char) -> bool {
    !char.is_ascii() || pgq_lexer::is_word_byte(char as u8)
}

/// Returns the text between dollar quotes.
fn body(literal: &str) -> Option<&str> {
    let delimiter = literal.get(..literal.strip_prefix('$')?.find('$')? + 2)?;
    literal.strip_prefix(delimiter)?.strip_suffix(delimiter)
}

fn compare_tokens(before: &str, after: &str, case: KeywordCase) -> Option<&'static str> {
    let (Ok(old), Ok(new)) = (scan(before), scan(after)) else { return Some("it would not scan") };
    if old.len() != new.len() {
        return Some("its tokens would change");
    }
    let (mut old_end, mut new_end) = (0, 0);
    for (index, (one, other)) in old.iter().zip(&new).enumerate() {
        let (text, new_text) = (&before[one.start..one.end], &after[other.start..other.end]);
        let is_same = match case {
            KeywordCase::Keep => text == new_text,
            _ => text == new_text || (one.keyword != 0 && text.eq_ignore_ascii_case(new_text)),
        };
        if one.token != other.token || !is_same {
            return Some("its tokens would change");
        }
        let begins_line = |text: &str, from: usize, to: usize| from == 0 || text[from..to].contains(['\n', '\r']);
        if index > 0
            && one.is_comment()
            && begins_line(before, old_end, one.start) != begins_line(after, new_end, other.start)
        {
            return Some("a comment would belong to another token");
        }
        (old_end, new_end) = (one.end, other.end);
    }
    None
}
