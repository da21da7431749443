//! Finds the keyword that names the kind of a statement, without parsing.

use crate::script::{ScriptLexer, ScriptToken};
use crate::token::Keyword;

/// Returns the first keyword of a statement in lower case. For WITH, returns the keyword after the common table
/// expressions. Returns an empty string if the statement does not start with a keyword.
///
/// ```
/// # use pgq_lexer as pgq;
/// use pgq::statement_keyword;
///
/// assert_eq!(statement_keyword(b"WITH a AS (SELECT 1) DELETE FROM t"), "delete");
/// ```
#[must_use]
pub fn statement_keyword(sql: &[u8]) -> String {
    let first = first_word(sql);
    let is_with = first.len() == 4 && first.eq_ignore_ascii_case(b"with");
    let keyword = if is_with { keyword_after_with(sql).unwrap_or(first) } else { first };
    Keyword::by_name(keyword).map(|keyword| keyword.name.to_string()).unwrap_or_default()
}

/// Returns the first word after comments, opening parentheses and semicolons. Returns an empty slice if the next
/// character does not start a word.
#[must_use]
pub fn first_word(sql: &[u8]) -> &[u8] {
    let mut rest = sql;
    loop {
        rest = rest.trim_ascii_start();
        if rest.starts_with(b"--") {
            rest = memchr::memchr(b'\n', rest).map_or(&[], |end| &rest[end..]);
        } else if rest.starts_with(b"/*") {
            // Ignores nesting, because nested comments before a statement are rare.
            rest = memchr::memmem::find(rest, b"*/").map_or(&[], |end| &rest[end + 2..]);
        } else if let [b'(' | b';', after @ ..] = rest {
            rest = after;
        } else {
            let len = rest.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'_').count();
            return &rest[..len];
        }
    }
}

/// Returns the first keyword outside of parentheses that can follow the common table expressions of WITH.
fn keyword_after_with(sql: &[u8]) -> Option<&[u8]> {
    const KEYWORDS: [&[u8]; 7] = [b"select", b"insert", b"update", b"delete", b"merge", b"values", b"table"];
    let mut lexer = ScriptLexer::new(sql, 0);
    let mut depth = 0usize;
    loop {
        match lexer.next_token() {
            ScriptToken::End => return None,
            ScriptToken::Other(b'(') => depth += 1,
            ScriptToken::Other(b')') => depth = depth.saturating_sub(1),
            ScriptToken::Word(word) if depth == 0 => {
                let word = &sql[word];
                if KEYWORDS.iter().any(|keyword| word.eq_ignore_ascii_case(keyword)) {
                    return Some(word);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::statement_keyword;

    #[test]
    fn comments_parentheses_and_with_are_skipped() {
        for (sql, expected) in [
            ("SELECT 1", "select"),
            (" -- c\n/* d */ ((VALUES (1)))", "values"),
            ("WITH a AS (SELECT 1), b AS (DELETE FROM x) INSERT INTO t SELECT * FROM a", "insert"),
            ("with recursive x(n) as (values (1)) select n from x", "select"),
            ("WITH", "with"),
            ("CREATE TABLE t ()", "create"),
            ("", ""),
            ("\"quoted\"", ""),
            ("hunter2 is my password", ""),
        ] {
            assert_eq!(statement_keyword(sql.as_bytes()), expected, "{sql}");
        }
    }
}
