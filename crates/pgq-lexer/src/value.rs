//! Decodes the values of integers, literals and quoted names. Does not validate them: the tokens must be from
//! [`Lexer`](crate::Lexer).

use crate::Lexer;
use crate::kinds;
use crate::literal::parse_escape;
use crate::scan::SqlText;
use crate::token::{RawToken, detail};

/// Returns the value of an integer, given the text of an `ICONST`, or of a `PARAM` without its dollar. The integer may
/// have underscores and a prefix `0x`, `0o` or `0b`, as in PostgreSQL.
///
/// ```
/// assert_eq!(pgq_lexer::integer_value(b"1_000"), 1000);
/// assert_eq!(pgq_lexer::integer_value(b"0xff"), 255);
/// ```
#[inline(always)]
pub fn integer_value(text: &[u8]) -> u32 {
    let mut value = 0u32;
    for &byte in text {
        match byte {
            b'0'..=b'9' => value = value.wrapping_mul(10).wrapping_add(u32::from(byte - b'0')),
            _ => return decorated_integer_value(text),
        }
    }
    value
}

/// Returns the highest number of a parameter in SQL, such as 2 for `$1 + $2`. Returns 0 if there are no parameters.
///
/// ```
/// assert_eq!(pgq_lexer::highest_parameter(b"SELECT $2, '$9', $1 -- $7"), 2);
/// assert_eq!(pgq_lexer::highest_parameter(b"SELECT '$1'"), 0);
/// ```
#[must_use]
pub fn highest_parameter(sql: &[u8]) -> u32 {
    if !sql.contains(&b'$') {
        return 0;
    }
    let parameters = Lexer::new(sql).filter(|token| token.kind == kinds::PARAM);
    parameters.map(|token| integer_value(&sql[token.start as usize + 1..token.end as usize])).max().unwrap_or(0)
}

/// Returns the value of an integer with underscores or a prefix.
#[cold]
fn decorated_integer_value(text: &[u8]) -> u32 {
    let (base, digits) = match text {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits),
        [b'0', b'o' | b'O', digits @ ..] => (8, digits),
        [b'0', b'b' | b'B', digits @ ..] => (2, digits),
        digits => (10, digits),
    };
    let digits = digits.iter().filter_map(|byte| char::from(*byte).to_digit(base));
    digits.fold(0u32, |value, digit| value.wrapping_mul(base).wrapping_add(digit))
}

/// Returns the opening delimiter of a dollar-quoted literal, such as `$tag$`.
///
/// # Panics
/// Panics if `literal` is not dollar-quoted.
pub fn dollar_delimiter(literal: &[u8]) -> &[u8] {
    let tag = literal[1..].iter().take_while(|byte| **byte != b'$').count();
    &literal[..tag + 2]
}

/// Appends the value of a quoted token of `text` to `out`. The token is a quoted `IDENT`, an `SCONST` without dollar
/// quotes, a `BCONST` or an `XCONST`. As in PostgreSQL's scanner, the value of a `BCONST` starts with `b`, and the
/// value of an `XCONST` starts with `x`.
///
/// ```
/// use pgq_lexer::{Lexer, append_value};
///
/// let sql = b"E'it''s\\n'";
/// let token = Lexer::new(sql).next().unwrap();
/// let mut value = Vec::new();
/// append_value(sql, token, &mut value);
/// assert_eq!(value, b"it's\n");
/// ```
///
/// # Panics
/// Panics if `token` is not a token of `text`.
pub fn append_value(text: &[u8], token: RawToken, out: &mut Vec<u8>) {
    let token_text = &text[token.start as usize..token.end as usize];
    let quote = if token.kind == kinds::IDENT { b'"' } else { b'\'' };
    let mut at = token.start as usize + 1 + usize::from(token_text[0] != quote);
    let last = token.end as usize - 1;
    match token.kind {
        kinds::BCONST => out.push(b'b'),
        kinds::XCONST => out.push(b'x'),
        _ => {}
    }
    while at < last {
        let byte = text[at];
        if byte == b'\\' && token.detail & detail::ESCAPES != 0 {
            let escape = parse_escape(&text[at + 1..]).expect("the lexer has checked the escape");
            out.extend_from_slice(escape.value.encode_utf8(&mut [0; 4]).as_bytes());
            at += 1 + escape.len;
        } else if byte != quote {
            out.push(byte);
            at += 1;
        } else if text[at + 1] == quote && !matches!(token.kind, kinds::BCONST | kinds::XCONST) {
            out.push(quote);
            at += 2;
        } else {
            at = SqlText(text).continuation(at + 1).expect("the lexer has found the continuation");
        }
    }
}
