//! Base64 payloads of platforms' streams and functions, with or without gzip.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Maximum size of one payload after decompression.
const MAX_DECODED: u64 = 64 << 20;
/// Minimum length. A short word may look like base64.
const LEAST: usize = 24;

/// Whether a string is base64 that contains text or gzip.
pub fn is_encoded(text: &str) -> bool {
    const LOOKED_AT: usize = 1024;
    let text = text.trim_end();
    let is_plausible = text.len() >= LEAST
        && text.len().is_multiple_of(4)
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='));
    if !is_plausible {
        return false;
    }
    let start = &text[..text.len().min(LOOKED_AT)];
    STANDARD.decode(start).is_ok_and(|bytes| bytes.starts_with(GZIP) || is_text(&bytes))
}

/// Decodes base64 and decompresses gzip.
pub fn decoded(text: &str) -> Option<Vec<u8>> {
    let bytes = STANDARD.decode(text.trim_end()).ok()?;
    if !bytes.starts_with(GZIP) {
        return Some(bytes);
    }
    let (mut plain, mut decoder) = (Vec::new(), flate2::read::MultiGzDecoder::new(bytes.as_slice()).take(MAX_DECODED));
    decoder.read_to_end(&mut plain).ok()?;
    ((plain.len() as u64) < MAX_DECODED).then_some(plain)
}

const GZIP: &[u8] = &[0x1f, 0x8b];

/// Whether bytes are UTF-8 text without control characters. The last character may be incomplete.
fn is_text(bytes: &[u8]) -> bool {
    let is_control = |b: &u8| *b < b' ' && !matches!(b, b'\n' | b'\r' | b'\t' | 0x1b);
    let is_utf8 = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    is_utf8 && !bytes.iter().any(is_control)
}

#[cfg(test)]
mod tests {
    use super::{STANDARD, decoded, is_encoded};
    use base64::Engine;

    #[test]
    fn texts_are_told_from_other_base64() {
        let text = STANDARD.encode("2026-01-31 12:00:00 UTC LOG:  x\n");
        assert!(is_encoded(&text));
        assert_eq!(decoded(&text).unwrap(), b"2026-01-31 12:00:00 UTC LOG:  x\n");
        for other in ["c2hvcnQ=", "not base64, but a text of its own", &STANDARD.encode([0xffu8; 40])] {
            assert!(!is_encoded(other), "{other}");
        }
    }
}
