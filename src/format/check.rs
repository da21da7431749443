//! Compares the tokens and comments of a formatted statement with the original.

use super::KeywordCase;
use crate::parse::tokens::scan;

/// Returns the reason why a formatted statement must not be used. Returns `None` if there is no such reason.
pub(super) fn difference(before: &str, after: &str, case: KeywordCase) -> Option<&'static str> {
    if let Some(problem) = compare_tokens(before, after, case) {
        return Some(problem);
    }
    // Equal tokens should have equal trees. The parser checks this.
    let fingerprint = |sql: &str| crate::fingerprint(sql).map(|fingerprint| fingerprint.0);
    match (fingerprint(before), fingerprint(after)) {
        (Ok(one), Ok(other)) if one == other => None,
        _ => Some("its meaning would change"),
    }
}

/// Compares PL/pgSQL bodies like [`difference`], but does not parse them, because they are not SQL.
pub(super) fn tokens_differ(before: &str, after: &str) -> Option<&'static str> {
    compare_tokens(before, after, KeywordCase::Keep)
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
