//! Escapes JSON strings as libpg_query does.

use std::io::Write;

/// Appends a JSON string. Escapes `<`, `>` and the characters that PostgreSQL escapes in JSON.
pub fn escape(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    if is_clean(bytes) {
        out.extend_from_slice(bytes);
        out.push(b'"');
        return;
    }
    let mut clean = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        if !NEEDS_ESCAPE[byte as usize] {
            continue;
        }
        out.extend_from_slice(&bytes[clean..i]);
        clean = i + 1;
        match byte {
            b'\x08' => out.extend_from_slice(b"\\b"),
            b'\x0c' => out.extend_from_slice(b"\\f"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            _ => {
                let _ = write!(out, "\\u{byte:04x}");
            }
        }
    }
    out.extend_from_slice(&bytes[clean..]);
    out.push(b'"');
}

/// Returns whether all bytes can be written without an escape. Tests eight bytes at a time. The last eight bytes may
/// overlap the previous eight.
#[inline]
pub fn is_clean(bytes: &[u8]) -> bool {
    if let Some(last) = bytes.last_chunk::<8>() {
        let (chunks, _) = bytes.as_chunks::<8>();
        return chunks.iter().chain([last]).all(|chunk| is_clean_word(u64::from_le_bytes(*chunk)));
    }
    bytes.iter().all(|byte| !NEEDS_ESCAPE[*byte as usize])
}

/// Returns whether all eight bytes of `word` can be written without an escape. May return false for non-ASCII bytes,
/// although they need no escape.
#[inline]
pub(crate) fn is_clean_word(word: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Returns a word in which the high bit of the first zero byte is set. If `word` has no zero byte, no high bit is
    // set.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    // `<` and `>` differ in one bit.
    let angles = zeros((word | (ONES * 2)) ^ (ONES * b'>' as u64));
    let quotes = zeros(word ^ (ONES * b'"' as u64));
    let backslashes = zeros(word ^ (ONES * b'\\' as u64));
    (control | angles | quotes | backslashes) & (ONES << 7) == 0
}

static NEEDS_ESCAPE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte < 0x20 || byte == b'"' as usize || byte == b'\\' as usize;
        byte += 1;
    }
    table[b'<' as usize] = true;
    table[b'>' as usize] = true;
    table
};
