//! What the text of a message of severity LOG means: a statement, a duration, a plan. Knows only
//! what PostgreSQL writes untranslated, and does not look at the SQL.

use std::ops::Range;

/// The meaning of a text, with offsets in it.
#[derive(Debug, PartialEq, Eq)]
pub enum MessageText {
    /// A statement was executed: the offset of its SQL, and its duration if that is included.
    Execution { sql: usize, duration: Option<Range<usize>> },
    /// A statement was parsed, or bound to its parameters, and not executed.
    ParseBind { sql: usize, duration: Option<Range<usize>> },
    /// The duration of the statement that was logged before.
    Duration(Range<usize>),
    /// An execution plan of auto_explain.
    Plan,
    /// Anything else.
    Other,
}

/// Classifies the text of a message (postgres.c: check_log_statement, check_log_duration).
pub fn classify(text: &[u8]) -> MessageText {
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
    if rest[blank..].starts_with(b"plan:") {
        return MessageText::Plan;
    }
    classify_statement(text, text.len() - rest.len() + blank, Some(duration))
}

/// Classifies the part of a text from byte `at` on, after the duration.
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
        Some(b'e') => sql_after_name(b"execute ").map_or(MessageText::Other, |sql| execution(sql, duration)),
        Some(b'p') => sql_after_name(b"parse ").map_or(MessageText::Other, |sql| parse_bind(sql, duration)),
        Some(b'b') => sql_after_name(b"bind ").map_or(MessageText::Other, |sql| parse_bind(sql, duration)),
        _ => MessageText::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::{MessageText, classify};

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
        assert_eq!(execution("execute fetch from s1/c: SELECT 2"), Some(("SELECT 2", "")));
        assert_eq!(execution("statement: "), Some(("", "")));
        assert_eq!(execution("execute nothing"), None);
    }

    #[test]
    fn other_messages_are_classified() {
        assert_eq!(classify(b"duration: 12.5 ms"), MessageText::Duration(10..14));
        assert_eq!(classify(b"duration: 1.5 ms  plan:\nQuery Text: SELECT 1"), MessageText::Plan);
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
