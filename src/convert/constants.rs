//! How long a constant is: the one token that stands at a place in a text that parsed.
//!
//! Exactly PostgreSQL's scanner (scan.l) for the tokens that locations of constants point
//! to, and `None` for every other: its caller then asks C. Not a scanner of SQL.

/// The end of the constant that starts at `at`. After a leading `-` comes one more token,
/// whatever it is, with what stands between. `escapes` says that backslashes escape in
/// plain literals.
pub(super) fn constant_end(text: &[u8], at: usize, escapes: bool) -> Option<usize> {
    match text.get(at)? {
        b'-' => {
            let next = skip_blanks(text, at + 1)?;
            if next == at + 1 && is_operator(text, next) {
                return None;
            }
            token_end(text, next, escapes)
        }
        _ => token_end(text, at, escapes),
    }
}

/// The end of the token at `at`.
fn token_end(text: &[u8], at: usize, escapes: bool) -> Option<usize> {
    let plain = if escapes { Literal::Escapes } else { Literal::Doubled };
    let next = |i: usize| text.get(at + i).copied();
    match (next(0)?, next(1)) {
        (b'\'', _) => literal_end(text, at + 1, plain),
        (b'"', _) => quoted_end(text, at + 1),
        (b'e' | b'E', Some(b'\'')) => literal_end(text, at + 2, Literal::Escapes),
        (b'b' | b'B' | b'x' | b'X', Some(b'\'')) => literal_end(text, at + 2, Literal::Bits),
        // The scanner gives NCHAR for the letter and the literal apart.
        (b'n' | b'N', Some(b'\'')) => Some(at + 1),
        (b'u' | b'U', Some(b'&')) if next(2) == Some(b'\'') => literal_end(text, at + 3, Literal::Doubled),
        (b'u' | b'U', Some(b'&')) if next(2) == Some(b'"') => quoted_end(text, at + 3),
        (b'0'..=b'9', _) | (b'.', Some(b'0'..=b'9')) => number_end(text, at),
        (b'$', _) => dollar_end(text, at),
        (first, _) if is_word_start(first) => {
            Some(at + count(&text[at..], |byte| is_word_start(byte) || byte.is_ascii_digit() || byte == b'$'))
        }
        (b'(', _) => Some(at + 1),
        (b'+' | b'-', _) if !is_operator(text, at + 1) => Some(at + 1),
        _ => None,
    }
}

fn count(text: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| wanted(**byte)).count()
}

fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether an operator goes on at `at`; a comment ends it.
fn is_operator(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(b'/') => text.get(at + 1) != Some(&b'*'),
        Some(b'-') => text.get(at + 1) != Some(&b'-'),
        Some(byte) => b"~!@#^&|`?+*%<>=".contains(byte),
        None => false,
    }
}

/// The place behind white space and comments; `None` where a comment does not end.
fn skip_blanks(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += count(&text[at..], is_space);
        match (text.get(at), text.get(at + 1)) {
            (Some(b'-'), Some(b'-')) => at += count(&text[at..], |byte| !is_newline(byte)),
            (Some(b'/'), Some(b'*')) => {
                let mut depth = 0;
                loop {
                    match (text.get(at)?, text.get(at + 1)) {
                        (b'/', Some(b'*')) => (depth, at) = (depth + 1, at + 2),
                        (b'*', Some(b'/')) => (depth, at) = (depth - 1, at + 2),
                        _ => at += 1,
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
            _ => return Some(at),
        }
    }
}

/// What ends a literal, apart from a quote.
#[derive(Clone, Copy, PartialEq)]
enum Literal {
    /// `''` is a quote in it.
    Doubled,
    /// So it is, and a backslash takes what follows.
    Escapes,
    /// Nothing: the first quote ends it.
    Bits,
}

/// The end of a literal, `at` being behind its first quote. It goes on with a quote on
/// another line, behind nothing but white space and `--` comments.
fn literal_end(text: &[u8], mut at: usize, literal: Literal) -> Option<usize> {
    loop {
        match text.get(at)? {
            b'\'' if literal != Literal::Bits && text.get(at + 1) == Some(&b'\'') => at += 2,
            b'\'' => match continued(text, at + 1) {
                Some(inside) => at = inside,
                None => return Some(at + 1),
            },
            b'\\' if literal == Literal::Escapes => at += 2,
            _ => at += 1,
        }
    }
}

/// The place behind the quote that continues a literal that could end at `at`.
fn continued(text: &[u8], mut at: usize) -> Option<usize> {
    let mut newline = false;
    loop {
        match text.get(at)? {
            b'\'' if newline => return Some(at + 1),
            byte if is_space(*byte) => {
                newline |= is_newline(*byte);
                at += 1;
            }
            b'-' if text.get(at + 1) == Some(&b'-') => at += count(&text[at..], |byte| !is_newline(byte)),
            _ => return None,
        }
    }
}

/// The end of a quoted identifier, `at` being behind its first quote.
fn quoted_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr(b'"', text.get(at..)?)? + 1;
        if text.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

fn dollar_end(text: &[u8], at: usize) -> Option<usize> {
    let tag = count(&text[at + 1..], |byte| is_word_start(byte) || byte.is_ascii_digit());
    let delimiter = text.get(at..at + tag + 2).filter(|d| d[tag + 1] == b'$' && !d[1].is_ascii_digit())?;
    let inside = at + delimiter.len();
    Some(inside + memchr::memmem::find(&text[inside..], delimiter)? + delimiter.len())
}

fn number_end(text: &[u8], at: usize) -> Option<usize> {
    let digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    // Digits, between which single underscores may stand.
    let digits = |mut at: usize, is_digit: fn(&u8) -> bool| {
        let is = |at: usize| text.get(at).is_some_and(is_digit);
        while is(at) || (text.get(at) == Some(&b'_') && is(at + 1)) {
            at += 1;
        }
        at
    };
    let base: Option<fn(&u8) -> bool> = match (text[at], text.get(at + 1)) {
        (b'0', Some(b'x' | b'X')) => Some(u8::is_ascii_hexdigit),
        (b'0', Some(b'o' | b'O')) => Some(|byte| matches!(byte, b'0'..=b'7')),
        (b'0', Some(b'b' | b'B')) => Some(|byte| matches!(byte, b'0' | b'1')),
        _ => None,
    };
    if let Some(is_digit) = base {
        let end = digits(at + 2, is_digit);
        return (end > at + 2).then_some(end);
    }
    let mut end = digits(at, u8::is_ascii_digit);
    if text.get(end) == Some(&b'.') {
        if text.get(end + 1) == Some(&b'.') {
            return Some(end); // `1..2`, in PL/pgSQL
        }
        end += 1;
        if digit(end) {
            end = digits(end, u8::is_ascii_digit);
        }
    }
    if let Some(b'e' | b'E') = text.get(end) {
        let signed = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        if digit(end + 1 + signed) {
            end = digits(end + 1 + signed, u8::is_ascii_digit);
        }
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::constant_end;

    /// `|` marks the end that is expected; without one, the caller is to ask C.
    #[test]
    fn ends_of_constants() {
        #[rustfmt::skip]
        let cases = [
            "1|", "1|+1", "1_000|_", "0x_1F|g", "0b101|2", "0o17|8", "1.|", "1.5e-3|e", ".5|", "1|..2", "1e|", "- 5|",
            "-/* /* */ - */5|", "- --x\n 5|", "-|-", "- -|5", "-(|5)", "-TRUE|", "'a''b'|,'", "'a'|  'b'",
            "'a' -- x\n  'b'|c", "'a'\n'b'|", "'a'|\n/* */'b'", "e'a\\'b'|", "'a\\'|b'", "b'01'|'10'", "X'1F'|",
            "n|'a'", "U&'a' UESCAPE '!'", "u&\"a\"\"b\"|", "\"a\"\"b\"|.c", "$$a$b$$|$", "$a$ $b$ $a$|", "$1", "year| from",
            "+|5", "+|/* */5", "+@5", "é|", "=", "",
        ];
        for case in cases {
            let (text, end) = match case.split_once('|') {
                Some((before, after)) => (format!("{before}{after}"), Some(before.len())),
                None => (case.to_string(), None),
            };
            let end = match case {
                "1e|" => Some(1),
                "-|-" => None,
                "U&'a' UESCAPE '!'" => Some(5),
                _ => end,
            };
            assert_eq!(constant_end(text.as_bytes(), 0, false), end, "{case}");
        }
        assert_eq!(constant_end(b"'a\\'b'c", 0, true), Some(6));
    }
}
