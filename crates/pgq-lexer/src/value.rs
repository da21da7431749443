//! What tokens stand for, where that is not what is written: quotes undoubled, escapes
//! undone, parts of a literal joined.

use crate::kinds;
use crate::literal::escape;
use crate::token::{RawToken, Text, detail};

/// The value of a number that is an integer (kinds ICONST and PARAM).
#[inline(always)]
pub fn integer(text: &[u8]) -> u32 {
    let mut value = 0u32;
    for &byte in text {
        match byte {
            b'0'..=b'9' => value = value.wrapping_mul(10).wrapping_add(u32::from(byte - b'0')),
            _ => return other_integer(text),
        }
    }
    value
}

/// One with underscores or in another base.
#[cold]
fn other_integer(text: &[u8]) -> u32 {
    let (base, digits) = match text {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits),
        [b'0', b'o' | b'O', digits @ ..] => (8, digits),
        [b'0', b'b' | b'B', digits @ ..] => (2, digits),
        digits => (10, digits),
    };
    let digits = digits.iter().filter_map(|byte| char::from(*byte).to_digit(base));
    digits.fold(0u32, |value, digit| value.wrapping_mul(base).wrapping_add(digit))
}

/// The delimiter that a literal between dollars begins with.
pub fn delimiter(literal: &[u8]) -> &[u8] {
    let tag = literal[1..].iter().take_while(|byte| **byte != b'$').count();
    &literal[..tag + 2]
}

/// Appends the value of a literal or a name in quotes (kinds SCONST but not between dollars,
/// BCONST, XCONST, quoted IDENT) of `text`.
pub fn value(text: &[u8], token: RawToken, out: &mut Vec<u8>) {
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
            let escape = escape(&text[at + 1..]).expect("the lexer has checked it");
            out.extend_from_slice(escape.value.encode_utf8(&mut [0; 4]).as_bytes());
            at += 1 + escape.len;
        } else if byte != quote {
            out.push(byte);
            at += 1;
        } else if text[at + 1] == quote && !matches!(token.kind, kinds::BCONST | kinds::XCONST) {
            out.push(quote);
            at += 2;
        } else {
            at = Text(text).continuation(at + 1).expect("the lexer has seen it");
        }
    }
}
