//! Finds encodings by their names in PostgreSQL or on the web. Decodes the statements of a script.

use std::io;
use std::ops::Range;

use encoding_rs::Encoding;

/// Client encodings of PostgreSQL in which a byte of a longer character may look like a quote or a backslash
/// (encnames.c). Text in these encodings must be decoded before statements can be separated.
const UNSAFE: [&str; 12] = [
    "sjis",
    "shiftjis",
    "shift_jis",
    "mskanji",
    "win932",
    "windows932",
    "shift_jis_2004",
    "big5",
    "gbk",
    "uhc",
    "gb18030",
    "johab",
];

/// PostgreSQL's names for UTF-8, and for text without an encoding.
const PLAIN: [&str; 4] = ["utf8", "utf-8", "unicode", "sql_ascii"];

/// Returns an encoding by its name on the web or in PostgreSQL, such as `windows-1252`, `WIN1252` or `EUC_JP`.
pub fn encoding(name: &str) -> Option<&'static Encoding> {
    let lower = name.to_ascii_lowercase();
    let others = [lower.replace('_', "-"), lower.replacen("win", "windows-", 1), lower.replacen("koi8", "koi8-", 1)];
    std::iter::once(&lower).chain(&others).find_map(|name| Encoding::for_label(name.as_bytes()))
}

/// Converts the statements at `ranges` of `bytes` to UTF-8. `name` is the client encoding that a script has set.
/// Invalid bytes stay unchanged.
///
/// # Errors
/// The encoding is unknown, or statements in this encoding cannot be separated.
pub fn from_client_encoding(name: &str, bytes: &mut Vec<u8>, ranges: &mut [Range<usize>]) -> io::Result<()> {
    if bytes.is_ascii() || PLAIN.contains(&name) {
        return Ok(());
    }
    let known = encoding(name).filter(|_| !UNSAFE.contains(&name));
    let Some(encoding) = known else {
        let message = format!("sets client_encoding to {name}, which is read only with --encoding {name}");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    };
    let (mut decoded, mut end) = (Vec::with_capacity(bytes.len() * 2), 0);
    let mut append = |part: &[u8]| {
        match encoding.decode_without_bom_handling_and_without_replacement(part) {
            Some(text) => decoded.extend_from_slice(text.as_bytes()),
            None => decoded.extend_from_slice(part),
        }
        decoded.len()
    };
    for range in ranges {
        let start = append(&bytes[end..range.start]);
        end = range.end;
        *range = start..append(&bytes[range.clone()]);
    }
    append(&bytes[end..]);
    *bytes = decoded;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::from_client_encoding;

    #[test]
    fn statements_become_utf8() {
        let (mut bytes, mut ranges) = (b"-- \xe9\nSELECT '\xe9';".to_vec(), [5..16]);
        from_client_encoding("latin1", &mut bytes, &mut ranges).unwrap();
        assert_eq!(
            (bytes.as_slice(), &bytes[ranges[0].clone()]),
            ("-- é\nSELECT 'é';".as_bytes(), "SELECT 'é';".as_bytes())
        );
    }

    #[test]
    fn what_cannot_be_told_apart_is_an_error() {
        assert!(from_client_encoding("sjis", &mut b"\x95\x5c".to_vec(), &mut []).is_err());
        assert!(from_client_encoding("sjis", &mut b"SELECT 1".to_vec(), &mut []).is_ok());
        assert!(from_client_encoding("utf8", &mut b"\xe9".to_vec(), &mut []).is_ok());
    }
}
