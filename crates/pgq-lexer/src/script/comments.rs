//! Finds the comments of SQL. The SQL may have syntax errors.

use std::ops::Range;

use super::lexer::{ScriptLexer, ScriptToken};

/// Returns the comments of `text`, in order. A comment includes its delimiters but not the newline at its end. An
/// unclosed comment extends to the end of `text`. Ignores comment delimiters in meta-commands and quoted strings.
///
/// ```
/// # use pgq_lexer as pgq;
/// use pgq::script::comments;
///
/// assert_eq!(comments(b"SELECT '--', /* a */ ) -- b\n"), [13..20, 23..27]);
/// ```
#[must_use]
pub fn comments(text: &[u8]) -> Vec<Range<usize>> {
    let (mut lexer, mut found) = (ScriptLexer::new(text, 0), Vec::new());
    loop {
        lexer.skip_blanks();
        let start = lexer.offset();
        if lexer.skip_comment() {
            found.push(start..lexer.offset());
            continue;
        }
        match lexer.next_token() {
            ScriptToken::End => return found,
            ScriptToken::Backslash(slash) => _ = lexer.skip_meta_command(slash),
            _ => {}
        }
    }
}
