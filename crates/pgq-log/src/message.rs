//! What the text of a message says: a statement, its duration, its parameters. Only text
//! that PostgreSQL writes untranslated is known. It must not look at the SQL itself.

use std::ops::Range;

/// A message of severity LOG.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    /// A statement was executed; where its SQL starts, and its duration if it is there.
    Execution { sql: usize, duration: Option<Range<usize>> },
    /// It was only parsed, or bound to its parameters.
    ParseBind { sql: usize, duration: Option<Range<usize>> },
    /// The duration of what was logged before.
    Duration(Range<usize>),
    /// A plan of auto_explain.
    Plan,
    /// Nothing about a statement.
    Other,
}

/// Looks at a message.
pub fn kind(text: &[u8]) -> Kind {
    let Some(rest) = text.strip_prefix(b"duration: ") else {
        return statement(text, 0, None);
    };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let duration = 10..10 + digits;
    let Some(rest) = rest[digits..].strip_prefix(b" ms") else {
        return Kind::Other;
    };
    let blank = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
    if blank == rest.len() {
        return Kind::Duration(duration);
    }
    if rest[blank..].starts_with(b"plan:") {
        return Kind::Plan;
    }
    statement(text, text.len() - rest.len() + blank, Some(duration))
}

/// What starts at byte `at` of a message.
fn statement(text: &[u8], at: usize, duration: Option<Range<usize>>) -> Kind {
    let rest = &text[at..];
    let named = |word: &[u8]| -> Option<usize> {
        // `execute name: `, `execute name/portal: `, `execute fetch from name: `
        let name = rest.strip_prefix(word)?;
        let end = memchr::memchr_iter(b':', name).find(|end| name.get(end + 1) == Some(&b' '))?;
        Some(at + word.len() + end + 2)
    };
    match rest.first() {
        Some(b's') if rest.starts_with(b"statement: ") => Kind::Execution { sql: at + 11, duration },
        Some(b'e') => named(b"execute ").map_or(Kind::Other, |sql| Kind::Execution { sql, duration }),
        Some(b'p') => named(b"parse ").map_or(Kind::Other, |sql| Kind::ParseBind { sql, duration }),
        Some(b'b') => named(b"bind ").map_or(Kind::Other, |sql| Kind::ParseBind { sql, duration }),
        _ => Kind::Other,
    }
}

/// Where the parameters are in a detail or a context.
pub fn parameters(text: &[u8]) -> Option<usize> {
    // PostgreSQL 16 and later begin the detail with a capital letter.
    if text.starts_with(b"parameters: $") || text.starts_with(b"Parameters: $") {
        return Some(12);
    }
    memchr::memmem::find(text, b" parameters: $").map(|at| at + 13)
}

/// The values of `$1 = 'it''s', $2 = NULL`; `None` where it is not of that form. A value that
/// PostgreSQL cut short still ends in `...`.
pub fn parameter_values(params: &[u8]) -> Option<Vec<Option<Vec<u8>>>> {
    let mut values = Vec::new();
    let mut rest = params;
    loop {
        rest = rest.strip_prefix(b"$")?;
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        rest = rest[digits..].strip_prefix(b" = ")?;
        if let Some(after) = rest.strip_prefix(b"NULL") {
            values.push(None);
            rest = after;
        } else {
            rest = rest.strip_prefix(b"'")?;
            let mut value = Vec::new();
            loop {
                let quote = memchr::memchr(b'\'', rest)?;
                value.extend_from_slice(&rest[..quote]);
                rest = &rest[quote + 1..];
                match rest.strip_prefix(b"'") {
                    Some(after) => rest = after,
                    None => break,
                }
                value.push(b'\'');
            }
            values.push(Some(value));
        }
        match rest.strip_prefix(b", ") {
            Some(after) => rest = after,
            None => return rest.trim_ascii().is_empty().then_some(values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, kind, parameter_values, parameters};

    fn execution(text: &str) -> Option<(&str, &str)> {
        match kind(text.as_bytes()) {
            Kind::Execution { sql, duration } => Some((&text[sql..], duration.map_or("", |range| &text[range]))),
            _ => None,
        }
    }

    #[test]
    fn executions() {
        assert_eq!(execution("statement: SELECT 1"), Some(("SELECT 1", "")));
        assert_eq!(execution("duration: 0.123 ms  statement: SELECT 1"), Some(("SELECT 1", "0.123")));
        assert_eq!(execution("execute <unnamed>: SELECT ': '"), Some(("SELECT ': '", "")));
        assert_eq!(execution("duration: 7 ms  execute s1/p1: SELECT\n1"), Some(("SELECT\n1", "7")));
        assert_eq!(execution("execute fetch from s1/c: SELECT 2"), Some(("SELECT 2", "")));
        assert_eq!(execution("statement: "), Some(("", "")));
        assert_eq!(execution("execute nothing"), None);
    }

    #[test]
    fn others() {
        assert_eq!(kind(b"duration: 12.5 ms"), Kind::Duration(10..14));
        assert_eq!(kind(b"duration: 1.5 ms  plan:\nQuery Text: SELECT 1"), Kind::Plan);
        assert_eq!(kind(b"duration: 1 ms  parse <unnamed>: S"), Kind::ParseBind { sql: 33, duration: Some(10..11) });
        assert_eq!(kind(b"bind s: S"), Kind::ParseBind { sql: 8, duration: None });
        for text in ["checkpoint complete", "parameter \"x\" changed", "duration: long", "duration: 1 ms  fastpath", ""]
        {
            assert_eq!(kind(text.as_bytes()), Kind::Other, "{text}");
        }
    }

    #[test]
    fn parameters_are_values() {
        for text in ["parameters: $1 = 'a', $2 = NULL", "Parameters: $1 = 'a', $2 = NULL"] {
            let at = parameters(text.as_bytes()).unwrap();
            assert_eq!(parameter_values(&text.as_bytes()[at..]), Some(vec![Some(b"a".to_vec()), None]));
        }
        assert!(parameters(b"unnamed portal with parameters: $1 = '1'").is_some());
        assert_eq!(parameters(b"Key (id)=(1) already exists."), None);
        assert_eq!(parameter_values(b"$1 = 'it''s, $2 = ''x'''"), Some(vec![Some(b"it's, $2 = 'x'".to_vec())]));
        assert_eq!(parameter_values(b"$1 = 'cut"), None);
    }
}
