//! The keyword that says what kind of statement a text is, found without parsing.

use crate::script::{ScriptLexer, ScriptToken};

/// What kind of statement a text is: its first keyword, or the one behind WITH's queries.
#[must_use]
pub fn statement_keyword(sql: &[u8]) -> String {
    let first = first_word(sql).to_ascii_lowercase();
    if first != b"with" {
        return String::from_utf8_lossy(&first).into_owned();
    }
    let main = behind_with(sql).unwrap_or(b"with").to_ascii_lowercase();
    String::from_utf8_lossy(&main).into_owned()
}

/// The first word, behind comments and brackets.
fn first_word(sql: &[u8]) -> &[u8] {
    let mut rest = sql;
    loop {
        rest = rest.trim_ascii_start();
        if rest.starts_with(b"--") {
            rest = memchr::memchr(b'\n', rest).map_or(&[], |end| &rest[end..]);
        } else if rest.starts_with(b"/*") {
            // Nested comments are rare enough to end at the first end.
            rest = memchr::memmem::find(rest, b"*/").map_or(&[], |end| &rest[end + 2..]);
        } else if let [b'(' | b';', after @ ..] = rest {
            rest = after;
        } else {
            let len = rest.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'_').count();
            return &rest[..len];
        }
    }
}

/// The keyword of the statement that WITH belongs to: the first word outside parentheses that
/// begins a statement.
fn behind_with(sql: &[u8]) -> Option<&[u8]> {
    const MAIN: [&[u8]; 7] = [b"select", b"insert", b"update", b"delete", b"merge", b"values", b"table"];
    let mut lexer = ScriptLexer::new(sql, 0);
    let mut depth = 0usize;
    loop {
        match lexer.next() {
            ScriptToken::End => return None,
            ScriptToken::Other(b'(') => depth += 1,
            ScriptToken::Other(b')') => depth = depth.saturating_sub(1),
            ScriptToken::Word(word) if depth == 0 => {
                let word = &sql[word];
                if MAIN.iter().any(|main| word.eq_ignore_ascii_case(main)) {
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
    fn kinds() {
        for (sql, expected) in [
            ("SELECT 1", "select"),
            (" -- c\n/* d */ ((VALUES (1)))", "values"),
            ("WITH a AS (SELECT 1), b AS (DELETE FROM x) INSERT INTO t SELECT * FROM a", "insert"),
            ("with recursive x(n) as (values (1)) select n from x", "select"),
            ("WITH", "with"),
            ("CREATE TABLE t ()", "create"),
            ("", ""),
            ("\"quoted\"", ""),
        ] {
            assert_eq!(statement_keyword(sql.as_bytes()), expected, "{sql}");
        }
    }
}
