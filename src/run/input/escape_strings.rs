//! Rewrites plain literals as `E'…'` for SQL in which a backslash is an escape (standard_conforming_strings = off).

use std::ops::Range;

use pgq::script::{ScriptLexer, ScriptToken, is_word_byte};

/// Rewrites plain literals that contain a backslash as `E'…'`, so that the SQL has the same meaning with any setting of
/// standard_conforming_strings. Also returns the statements' `ranges`, converted to offsets in the new text. Returns
/// `None` if no literal changes.
pub fn escape_strings(sql: &[u8], ranges: &[Range<usize>]) -> Option<(Vec<u8>, Vec<Range<usize>>)> {
    let inserted = insertions(sql);
    if inserted.is_empty() {
        return None;
    }
    let (mut out, mut end) = (Vec::with_capacity(sql.len() + 2 * inserted.len()), 0);
    for (at, prefix) in &inserted {
        out.extend_from_slice(&sql[end..*at]);
        out.extend_from_slice(prefix.as_bytes());
        end = *at;
    }
    out.extend_from_slice(&sql[end..]);
    let (mut passed, mut shift) = (0, 0);
    let mut moved = |offset: usize| {
        while let Some((_, prefix)) = inserted.get(passed).filter(|(at, _)| *at < offset) {
            shift += prefix.len();
            passed += 1;
        }
        offset + shift
    };
    let ranges = ranges.iter().map(|range| moved(range.start)..moved(range.end)).collect();
    Some((out, ranges))
}

/// Returns the offsets of the quotes that start the literals to rewrite, and the text to insert at each offset.
fn insertions(sql: &[u8]) -> Vec<(usize, &'static str)> {
    let mut inserted = Vec::new();
    if memchr::memchr(b'\\', sql).is_none() {
        return inserted;
    }
    let mut lexer = ScriptLexer::new(sql, 0).with_backslash_escapes(true);
    // Byte range of a whole literal, which may have several parts: `'a'`, a newline and `'b'` are one literal. Only the
    // first part has a prefix.
    let mut literal = 0..0;
    loop {
        lexer.skip_space();
        let start = lexer.offset();
        let token = lexer.next_token();
        if token == ScriptToken::Other(b'\'') {
            let continues = !literal.is_empty()
                && (start == literal.end || sql[literal.end..start].iter().any(|byte| matches!(byte, b'\n' | b'\r')));
            literal.end = lexer.offset();
            if continues {
                continue;
            }
        }
        let is_literal = token == ScriptToken::Other(b'\'');
        let whole = std::mem::replace(&mut literal, if is_literal { start..lexer.offset() } else { 0..0 });
        if sql[whole.clone()].starts_with(b"'")
            && sql[whole.clone()].contains(&b'\\')
            && let Some(prefix) = prefix(&sql[..whole.start])
        {
            inserted.push((whole.start, prefix));
        }
        if token == ScriptToken::End {
            return inserted;
        }
    }
}

/// Returns the text to insert between `before` and a plain literal, so that the literal becomes `E'…'`. Returns `None`
/// for `B'…'`, `X'…'` and `U&'…'`, in which a backslash has a different meaning or is an error.
fn prefix(before: &[u8]) -> Option<&'static str> {
    let word = before.iter().rev().take_while(|byte| is_word_byte(**byte)).count();
    match &before[before.len() - word..] {
        [] if before.ends_with(b"U&") || before.ends_with(b"u&") => None,
        [] => Some("E"),
        [b'b' | b'B' | b'x' | b'X'] => None,
        // PostgreSQL reads `N'…'` as `NCHAR '…'`, so `N'…'` becomes `NCHAR E'…'`.
        [b'n' | b'N'] => Some("CHAR E"),
        _ => Some(" E"),
    }
}

#[cfg(test)]
mod tests {
    use super::escape_strings;

    #[test]
    fn only_plain_literals_with_backslashes_change() {
        for (sql, expected) in [
            (r"select 'it\'s -- a' , 'b', /* '\' */ 'q\' y'", r"select E'it\'s -- a' , 'b', /* '\' */ E'q\' y'"),
            (r"select'a\b',n'c\d',N 'e\f'", r"select E'a\b',nCHAR E'c\d',N E'e\f'"),
            ("select 'a'\n'b\\'c' -- d\n'e\\'f', E'g\\'h'", "select E'a'\n'b\\'c' -- d\n'e\\'f', E'g\\'h'"),
            ("select 'a' -- b\n'c\\'d', '\\'", "select E'a' -- b\n'c\\'d', E'\\'"),
            (
                r#"select b'\', x'\', U&'\0061', $$'\'$$, "\" 'a''\''b'"#,
                r#"select b'\', x'\', U&'\0061', $$'\'$$, "\" E'a''\''b'"#,
            ),
        ] {
            let escaped = escape_strings(sql.as_bytes(), &[0..sql.len()]).map(|(text, ranges)| {
                assert_eq!(ranges, [0..text.len()]);
                String::from_utf8(text).unwrap()
            });
            assert_eq!(escaped.as_deref(), Some(expected), "{sql}");
        }
        assert_eq!(escape_strings(br"select b'\', $$\$$, 'a'", &[]), None);
        let (_, ranges) = escape_strings(br"a '\\'; b '\\', '\\'; c;", &[0..7, 8..21, 22..24]).unwrap();
        assert_eq!(ranges, [0..8, 9..24, 25..27]);
    }
}
