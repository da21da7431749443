//! Byte classes of PostgreSQL's scanner (scan.l). The class is the kind of token that a byte starts.

/// The kind of token or white space that a byte starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ByteClass {
    /// The byte is always a token by itself. This class includes bytes that the grammar rejects.
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

/// The class of each byte value.
pub(crate) static BYTE_CLASSES: [ByteClass; 256] = {
    let mut table = [ByteClass::Single; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0 => ByteClass::Nul,
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => ByteClass::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..=0xff => ByteClass::Word,
            b'0'..=b'9' => ByteClass::Digit,
            b'\'' => ByteClass::Quote,
            b'"' => ByteClass::DoubleQuote,
            b'$' => ByteClass::Dollar,
            b'.' => ByteClass::Dot,
            b':' => ByteClass::Colon,
            b'~' | b'!' | b'@' | b'#' | b'&' | b'|' | b'`' | b'?' => ByteClass::Operator,
            b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'<' | b'>' | b'=' => ByteClass::Operator,
            _ => ByteClass::Single,
        };
        byte += 1;
    }
    table
};

/// Returns whether a byte can be part of an operator (scan.l: op_chars).
#[inline(always)]
pub(crate) fn is_operator_byte(byte: u8) -> bool {
    BYTE_CLASSES[byte as usize] == ByteClass::Operator
}

/// Returns whether a one-character operator has its own token kind instead of `Op` (scan.l: self).
#[inline(always)]
pub(crate) fn is_self(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'<' | b'>' | b'=')
}

/// Returns whether a byte can start a word (scan.l: ident_start).
#[inline(always)]
pub(crate) fn is_word_start(byte: u8) -> bool {
    BYTE_CLASSES[byte as usize] == ByteClass::Word
}

/// Returns whether a byte can continue a word (scan.l: ident_cont).
#[inline(always)]
pub(crate) fn is_word_byte(byte: u8) -> bool {
    matches!(BYTE_CLASSES[byte as usize], ByteClass::Word | ByteClass::Digit | ByteClass::Dollar)
}

#[inline(always)]
pub(crate) fn is_space(byte: u8) -> bool {
    BYTE_CLASSES[byte as usize] == ByteClass::Space
}

#[inline(always)]
pub(crate) fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
