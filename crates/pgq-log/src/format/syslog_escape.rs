//! Syslog's escapes of control characters.

/// Decodes syslog's octal escapes of white space. Appends the result to `decoded`. Other sequences stay unchanged,
/// because they may be part of the SQL.
///
/// - `#011` (tab) and `#015` (carriage return) are decoded if the daemon escapes tabs (`has_tabs_escaped`). In the log
///   of another daemon, they are part of the text. Exception: `#011` at the start of a line is always decoded.
/// - `#012` (line break) is decoded if `starts_line` returns true for the text after it.
pub fn decode_escapes(
    text: &[u8],
    has_tabs_escaped: bool,
    mut starts_line: impl FnMut(&[u8]) -> bool,
    decoded: &mut Vec<u8>,
) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'#', rest) {
        decoded.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let is_start = || decoded.is_empty() || decoded.ends_with(b"\n");
        let byte = match rest.first_chunk() {
            Some(b"#011") if has_tabs_escaped || is_start() => b'\t',
            Some(b"#015") if has_tabs_escaped => b'\r',
            Some(b"#012") if starts_line(&rest[4..]) => b'\n',
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
