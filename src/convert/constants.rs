//! How long a constant is: the one token that stands at a place in a text that parsed.
//!
//! `None` where our lexer does not know, and where what stands there is no constant: the
//! caller then asks C.

use crate::lex::{Lexer, Token, kinds};

/// The end of the constant that starts at `at`. After a leading `-` comes one more token,
/// whatever it is, with what stands between. `escapes` says that backslashes escape in
/// plain literals.
pub(super) fn constant_end(text: &[u8], at: usize, escapes: bool) -> Option<usize> {
    const MINUS: u16 = b'-' as u16;
    let mut tokens = Lexer::at(text, at, escapes).filter(|token| !token.is_comment());
    let first = tokens.next().filter(|token| token.start as usize == at)?;
    let last =
        if first.kind == MINUS { tokens.next()? } else { Some(first).filter(|token| may_be_constant(*token))? };
    Some(last.end as usize)
}

/// Whether locations of constants point to such tokens.
fn may_be_constant(token: Token) -> bool {
    const PARENTHESIS: u16 = b'(' as u16;
    const PLUS: u16 = b'+' as u16;
    match token.kind {
        PARENTHESIS | PLUS => true,
        kinds::OP | kinds::TYPECAST..=kinds::C_COMMENT => false,
        // Literals, names and keywords.
        kind => kind >= kinds::IDENT,
    }
}

#[cfg(test)]
mod tests {
    use super::constant_end;

    /// `|` marks the end that is expected; without one, the caller is to ask C.
    #[test]
    fn ends_of_constants() {
        #[rustfmt::skip]
        let cases = [
            "1|", "1|+1", "1_000|", "0x_1F|,", "0b101|", "0o17|)", "1.|", "1.5e-3|", ".5|", "1|..2", "1e", "- 5|",
            "-/* /* */ - */5|", "- --x\n 5|", "-|-", "- -|5", "-(|5)", "-TRUE|", "'a''b'|,'", "'a'|  'b'",
            "'a' -- x\n  'b'|c", "'a'\n'b'|", "'a'|\n/* */'b'", "e'a\\'b'|", "'a\\'|b'", "b'01'|'10'", "X'1F'|",
            "n|'a'", "U&'a' UESCAPE '!'", "u&\"a\"\"b\"|", "\"a\"\"b\"|.c", "$$a$b$$|$", "$a$ $b$ $a$|", "$1|", "year| from",
            "+|5", "+|/* */5", "+@5", "é|", "=", "",
        ];
        for case in cases {
            let (text, end) = match case.split_once('|') {
                Some((before, after)) => (format!("{before}{after}"), Some(before.len())),
                None => (case.to_string(), None),
            };
            let end = match case {
                "-|-" => None,
                "U&'a' UESCAPE '!'" => Some(5),
                _ => end,
            };
            assert_eq!(constant_end(text.as_bytes(), 0, false), end, "{case}");
        }
        assert_eq!(constant_end(b"'a\\'b'c", 0, true), Some(6));
    }
}
