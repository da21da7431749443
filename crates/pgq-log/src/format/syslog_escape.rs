//! Syslog's escapes of control characters.

/// Decodes syslog's octal escapes of white space (`#011`). Stores the result in `decoded`. Other sequences stay
/// unchanged, because they may be part of the SQL.
pub fn decode_escapes(text: &[u8], decoded: &mut Vec<u8>) {
    decoded.clear();
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'#', rest) {
        decoded.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let byte = match rest.get(..4) {
            Some(b"#011") => b'\t',
            Some(b"#012") => b'\n',
            Some(b"#015") => b'\r',
            _ => {
                decoded.push(b'#');
                rest = &rest[1..];
                continue;
            }
        };
        decoded.push(byte);
        rest = &rest[4..];
    }
    decoded.extend_from_slice(rest);
}
