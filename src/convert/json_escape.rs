//! JSON strings as libpg_query escapes them.

use std::io::Write;

/// Appends a JSON string as libpg_query escapes it: like PostgreSQL's own JSON, and `<`, `>`.
pub(super) fn escape(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
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
