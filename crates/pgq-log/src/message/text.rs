//! Classifies messages of severity LOG: a statement, a duration, a plan. Matches English messages, with language/ as
//! the fallback. Does not inspect the SQL.

use std::ops::Range;

pub use crate::message::kinds::MessageText;
use crate::message::language;

/// Classifies a message (postgres.c: check_log_statement, check_log_duration).
pub fn classify(text: &[u8]) -> MessageText {
    match classify_english(text) {
        MessageText::Other => language::classify(text).unwrap_or(MessageText::Other),
        known => known,
    }
}

/// Returns the length of the SQLSTATE with its colon (`00000: `) that log_error_verbosity = verbose inserts before a
/// message. Returns 0 if there is no SQLSTATE.
#[inline]
pub fn sqlstate_len(text: &[u8]) -> usize {
    if !matches!(text.first(), Some(b'0'..=b'9' | b'A'..=b'Z')) {
        return 0;
    }
    let Some((state, rest)) = text.split_first_chunk::<5>() else { return 0 };
    let is_state = state.iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
    let class = &state[..2];
    let known = class[0].is_ascii_digit() || matches!(class, b"XX" | b"P0" | b"HV" | b"F0");
    if is_state && known && rest.starts_with(b": ") { 7 } else { 0 }
}

fn classify_english(text: &[u8]) -> MessageText {
    let Some(rest) = text.strip_prefix(b"duration: ") else {
        return classify_statement(text, 0, None);
    };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let duration = 10..10 + digits;
    let Some(rest) = rest[digits..].strip_prefix(b" ms") else {
        return MessageText::Other;
    };
    let blank = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
    if blank == rest.len() {
        return MessageText::Duration(duration);
    }
    let at = text.len() - rest.len() + blank;
    if rest[blank..].starts_with(b"plan:") {
        return MessageText::Plan { duration, plan: at + 5 };
    }
    classify_statement(text, at, Some(duration))
}

/// Classifies the part of a message that starts at offset `at`, after the duration.
fn classify_statement(text: &[u8], at: usize, duration: Option<Range<usize>>) -> MessageText {
    let rest = &text[at..];
    let sql_after_name = |verb: &[u8]| -> Option<usize> {
        // `execute name: `, `execute name/portal: `, `execute fetch from name: `
        let name = rest.strip_prefix(verb)?;
        let end = memchr::memchr_iter(b':', name).find(|end| name.get(end + 1) == Some(&b' '))?;
        Some(at + verb.len() + end + 2)
    };
    let execution = |sql, duration| MessageText::Execution { sql, duration };
    let parse_bind = |sql, duration| MessageText::ParseBind { sql, duration };
    match rest.first() {
        Some(b's') if rest.starts_with(b"statement: ") => execution(at + 11, duration),
        Some(b'e') if rest.starts_with(b"execute fetch from ") => sql_after_name(b"execute fetch from ")
            .map_or(MessageText::Other, |sql| MessageText::Fetch { sql, duration }),
        Some(b'e') => sql_after_name(b"execute ").map_or(MessageText::Other, |sql| execution(sql, duration)),
        Some(b'p') => sql_after_name(b"parse ").map_or(MessageText::Other, |sql| parse_bind(sql, duration)),
        Some(b'b') => sql_after_name(b"bind ").map_or(MessageText::Other, |sql| parse_bind(sql, duration)),
        Some(b'f') if rest.starts_with(b"fastpath function call: ") => MessageText::Fastpath,
        _ => MessageText::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::{MessageText, classify, sqlstate_len};

    fn execution(text: &str) -> Option<(&str, &str)> {
        match classify(text.as_bytes()) {
            MessageText::Execution { sql, duration } => Some((&text[sql..], duration.map_or("", |range| &text[range]))),
            _ => None,
        }
    }

    #[test]
    fn executions_give_their_sql_and_duration() {
        assert_eq!(execution("statement: SELECT 1"), Some(("SELECT 1", "")));
        assert_eq!(execution("duration: 0.123 ms  statement: SELECT 1"), Some(("SELECT 1", "0.123")));
        assert_eq!(execution("execute <unnamed>: SELECT ': '"), Some(("SELECT ': '", "")));
        assert_eq!(execution("duration: 7 ms  execute s1/p1: SELECT\n1"), Some(("SELECT\n1", "7")));
        assert_eq!(classify(b"execute fetch from s1/c: SELECT 2"), MessageText::Fetch { sql: 25, duration: None });
        assert_eq!(execution("statement: "), Some(("", "")));
        assert_eq!(execution("execute nothing"), None);
    }

    #[test]
    fn other_messages_are_classified() {
        assert_eq!(classify(b"duration: 12.5 ms"), MessageText::Duration(10..14));
        let plan = MessageText::Plan { duration: 10..13, plan: 23 };
        assert_eq!(classify(b"duration: 1.5 ms  plan:\nQuery Text: SELECT 1"), plan);
        assert_eq!(classify(b"duration: 1 ms  fastpath function call: \"lo_open\" (OID 952)"), MessageText::Fastpath);
        assert_eq!((sqlstate_len(b"00000: x"), sqlstate_len(b"NOTES: x"), sqlstate_len(b"0000")), (7, 0, 0));
        assert_eq!(
            classify(b"duration: 1 ms  parse <unnamed>: S"),
            MessageText::ParseBind { sql: 33, duration: Some(10..11) }
        );
        assert_eq!(classify(b"bind s: S"), MessageText::ParseBind { sql: 8, duration: None });
        for text in ["checkpoint complete", "parameter \"x\" changed", "duration: long", "duration: 1 ms  fastpath", ""]
        {
            assert_eq!(classify(text.as_bytes()), MessageText::Other, "{text}");
        }
    }
}
