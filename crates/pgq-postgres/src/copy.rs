//! Detects a COPY with data over the connection.
//!
//! Such a statement must not be sent, because the server would read the next messages as data and end the session.

use pgq_lexer::Lexer;

use crate::error::CopyDirection;

/// Returns the direction of the data if `sql` is `COPY … FROM STDIN` or `COPY … TO STDOUT`, and `None` for other SQL.
///
/// Usually, ignores words in literals, comments and parentheses. However, if `sql` contains a backslash, or if the
/// lexer cannot read `sql`, the ends of literals are uncertain (a backslash may be an escape, depending on
/// `standard_conforming_strings`). In this case, checks all words, so that no COPY is missed.
pub fn copy_direction(sql: &str) -> Option<CopyDirection> {
    let mut lexer = Lexer::new(sql.as_bytes());
    let (mut words, mut depth) = (Vec::new(), 0);
    for token in lexer.by_ref().filter(|token| !token.is_comment()) {
        let word = &sql.as_bytes()[token.start as usize..token.end as usize];
        match word {
            b";" if words.is_empty() => continue, // an empty statement
            b"(" => depth += 1,
            b")" => depth -= 1,
            _ if depth == 0 => words.push(word),
            _ => {}
        }
        if !words.first().is_some_and(|word| word.eq_ignore_ascii_case(b"copy")) {
            return None;
        }
    }
    if words.is_empty() {
        return None;
    }
    if lexer.fallback().is_some() || sql.contains('\\') {
        words = sql.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    }
    let has = |first: &[u8], second: &[u8]| {
        words.windows(2).any(|pair| pair[0].eq_ignore_ascii_case(first) && pair[1].eq_ignore_ascii_case(second))
    };
    // The grammar accepts STDIN in place of STDOUT, and STDOUT in place of STDIN.
    if has(b"from", b"stdin") || has(b"from", b"stdout") {
        Some(CopyDirection::FromStdin)
    } else if has(b"to", b"stdout") || has(b"to", b"stdin") {
        Some(CopyDirection::ToStdout)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_copy_through_the_connection_has_a_direction() {
        let direction = copy_direction;
        assert_eq!(direction("copy t from stdin"), Some(CopyDirection::FromStdin));
        assert_eq!(direction("; /* a */;COPY t TO STDOUT"), Some(CopyDirection::ToStdout));
        assert_eq!(direction(" /* a */ -- b\n COPY t (a) TO STDOUT WITH (FORMAT csv)"), Some(CopyDirection::ToStdout));
        assert_eq!(direction("COPY (SELECT 'from stdin') TO '/tmp/a'"), None);
        assert_eq!(direction("COPY t FROM PROGRAM 'cat'"), None);
        assert_eq!(direction("COPY (SELECT 1 FROM stdin) TO '/tmp/a'"), None);
        assert_eq!(direction("SELECT 1 -- copy t from stdin"), None);
        assert_eq!(direction("/* a */ COPY U&\"t\" FROM stdin"), Some(CopyDirection::FromStdin));
        assert_eq!(direction("COPY t FROM STDOUT"), Some(CopyDirection::FromStdin));
        assert_eq!(direction(r"COPY (SELECT '\' --') TO STDOUT"), Some(CopyDirection::ToStdout));
        assert_eq!(direction(""), None);
    }
}
