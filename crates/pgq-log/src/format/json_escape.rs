//! Decodes the escapes of a JSON string in place.

/// Decodes the escapes in `text` in place. A character is never longer than its escape. Returns the new length. If an
/// escape is invalid, returns `None`, and `text` may already be changed.
pub fn decode_escapes(text: &mut [u8]) -> Option<usize> {
    let (mut from, mut to) = (0, 0);
    while let Some(len) = memchr::memchr(b'\\', &text[from..]) {
        text.copy_within(from..from + len, to);
        (from, to) = (from + len + 2, to + len);
        let decoded = match text.get(from - 1)? {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            byte @ (b'"' | b'\\' | b'/') => *byte,
            b'u' => {
                let (c, len) = decode_unicode(&text[from..])?;
                to += c.encode_utf8(&mut text[to..]).len();
                from += len;
                continue;
            }
            _ => return None,
        };
        text[to] = decoded;
        to += 1;
    }
    text.copy_within(from.., to);
    Some(to + text.len() - from)
}

/// Decodes `XXXX` or a surrogate pair `XXXX\uXXXX`. Returns the character and the number of bytes read.
fn decode_unicode(text: &[u8]) -> Option<(char, usize)> {
    let unit = |at: usize| -> Option<u32> {
        let digits = text.get(at..at + 4)?;
        digits.iter().try_fold(0, |value, digit| Some(value * 16 + char::from(*digit).to_digit(16)?))
    };
    let first = unit(0)?;
    if !(0xD800..0xDC00).contains(&first) {
        return Some((char::from_u32(first)?, 4));
    }
    let second = text[4..].starts_with(b"\\u").then(|| unit(6)).flatten().filter(|u| (0xDC00..0xE000).contains(u))?;
    Some((char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))?, 10))
}
