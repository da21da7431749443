//! What a byte can begin (scan.l). Tables only.

/// What kind of token, or of nothing, a byte begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    /// A token of its own wherever it stands, and bytes that the grammar will refuse.
    Single,
    Space,
    Word,
    Digit,
    Quote,
    DoubleQuote,
    Dollar,
    Dot,
    Colon,
    Operator,
    Nul,
}

pub(crate) static CLASS: [Class; 256] = {
    let mut table = [Class::Single; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0 => Class::Nul,
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..=0xff => Class::Word,
            b'0'..=b'9' => Class::Digit,
            b'\'' => Class::Quote,
            b'"' => Class::DoubleQuote,
            b'$' => Class::Dollar,
            b'.' => Class::Dot,
            b':' => Class::Colon,
            b'~' | b'!' | b'@' | b'#' | b'&' | b'|' | b'`' | b'?' => Class::Operator,
            b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'<' | b'>' | b'=' => Class::Operator,
            _ => Class::Single,
        };
        byte += 1;
    }
    table
};

/// Whether a byte can be part of an operator.
#[inline(always)]
pub(crate) fn is_operator(byte: u8) -> bool {
    CLASS[byte as usize] == Class::Operator
}

/// Whether an operator of this one character is a token of its own (scan.l: self).
#[inline(always)]
pub(crate) fn is_self(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'<' | b'>' | b'=')
}

/// Whether a byte can begin a word (scan.l: ident_start).
#[inline(always)]
pub(crate) fn is_word_start(byte: u8) -> bool {
    CLASS[byte as usize] == Class::Word
}

/// Whether a byte can go on in a word (scan.l: ident_cont).
#[inline(always)]
pub(crate) fn is_word_byte(byte: u8) -> bool {
    matches!(CLASS[byte as usize], Class::Word | Class::Digit | Class::Dollar)
}

#[inline(always)]
pub(crate) fn is_space(byte: u8) -> bool {
    CLASS[byte as usize] == Class::Space
}

#[inline(always)]
pub(crate) fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
