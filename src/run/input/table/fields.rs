//! Fields of CSV and TSV, as PostgreSQL's COPY writes and reads them.

use super::TableFormat;

/// Splits a row into its encoded fields.
pub fn fields(format: TableFormat, line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_csv = format == TableFormat::Csv;
    let delimiter = if is_csv { b',' } else { b'\t' };
    let (mut is_quoted, mut is_escaped) = (false, false);
    line.split(move |byte| {
        is_quoted ^= is_csv && *byte == b'"';
        let ends_field = *byte == delimiter && !is_quoted && !is_escaped;
        is_escaped = !is_csv && *byte == b'\\' && !is_escaped;
        ends_field
    })
}

/// Whether `text` ends with an odd number of backslashes, so that the next byte is escaped.
pub fn escapes_next(text: &[u8]) -> bool {
    text.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Decodes a field. Returns `None` for NULL.
pub fn decode(format: TableFormat, field: &[u8]) -> Option<Vec<u8>> {
    match format {
        TableFormat::Csv if field.is_empty() => None,
        TableFormat::Csv => match field.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) {
            Some(inner) => Some(without_doubled_quotes(inner)),
            None => Some(field.to_vec()),
        },
        _ if field == b"\\N" => None,
        _ => Some(without_backslashes(field)),
    }
}

/// Whether text follows the closing quote of a CSV field. Such a field is refused, because programs read it in
/// different ways.
pub fn is_malformed(format: TableFormat, field: &[u8]) -> bool {
    let Some(mut rest) = field.strip_prefix(b"\"").filter(|_| format == TableFormat::Csv) else { return false };
    while let Some(quote) = memchr::memchr(b'"', rest) {
        match rest[quote + 1..].split_first() {
            Some((b'"', after)) => rest = after,
            after => return after.is_some(),
        }
    }
    true
}

/// Appends a value as a CSV field. An empty value becomes `""`, because an empty field is NULL.
pub fn encode_csv(value: &[u8], out: &mut Vec<u8>) {
    if !value.is_empty() && !value.iter().any(|byte| b",\"\r\n".contains(byte)) {
        return out.extend_from_slice(value);
    }
    out.push(b'"');
    for byte in value {
        out.extend(std::iter::repeat_n(*byte, if *byte == b'"' { 2 } else { 1 }));
    }
    out.push(b'"');
}

/// Appends a value as a TSV field. The caller writes NULL, which is `\N`.
pub fn encode_tsv(value: &[u8], out: &mut Vec<u8>) {
    for byte in value {
        match ESCAPES.iter().find(|(_, escaped)| escaped == byte) {
            Some((letter, _)) => out.extend_from_slice(&[b'\\', *letter]),
            None => out.push(*byte),
        }
    }
}

/// Letters after a backslash, with the bytes that they represent.
const ESCAPES: [(u8, u8); 7] =
    [(b'\\', b'\\'), (b't', b'\t'), (b'n', b'\n'), (b'r', b'\r'), (b'b', 0x08), (b'f', 0x0C), (b'v', 0x0B)];

fn without_doubled_quotes(text: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(quote) = memchr::memchr(b'"', rest) {
        value.extend_from_slice(&rest[..=quote]);
        rest = rest.get(quote + 2..).unwrap_or_default();
    }
    value.extend_from_slice(rest);
    value
}

/// Replaces escapes in the same way as the server's CopyReadAttributesText (copyfromparse.c). Drops a backslash at the
/// end, as the server does.
fn without_backslashes(text: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(backslash) = memchr::memchr(b'\\', rest) {
        value.extend_from_slice(&rest[..backslash]);
        rest = &rest[backslash + 1..];
        let Some((&letter, after)) = rest.split_first() else { break };
        let (byte, len) = match (number(rest, 8, 3), number(after, 16, 2)) {
            (Some((byte, len)), _) => (byte, len),
            (None, Some((byte, len))) if letter == b'x' => (byte, len + 1),
            _ => (ESCAPES.iter().find(|(of, _)| *of == letter).map_or(letter, |(_, escaped)| *escaped), 1),
        };
        value.push(byte);
        rest = &rest[len..];
    }
    value.extend_from_slice(rest);
    value
}

/// Returns the number at the start of `text`, and its length. Reads at most `max_len` digits. Keeps only the lowest
/// eight bits of the number, as COPY does.
fn number(text: &[u8], radix: u32, max_len: usize) -> Option<(u8, usize)> {
    let digits = text.iter().take(max_len).map_while(|byte| char::from(*byte).to_digit(radix));
    let (value, len) = digits.fold((0, 0), |(value, len), digit| (value * radix + digit, len + 1));
    (len > 0).then_some((value as u8, len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_copy() {
        for (field, value) in [
            (r"a\bc\fd\ve", &b"a\x08c\x0Cd\x0Be"[..]),
            (r"\t\n\r\\\q\.", b"\t\n\r\\q."),
            (r"\x41\x4g\xg\x", b"A\x04gxgx"),
            (r"\101\18\7777\8", b"A\x018\xFF78"),
            (r"\xc3\251", "é".as_bytes()),
            ("\\\t\\\n\\", b"\t\n"),
        ] {
            assert_eq!(decode(TableFormat::Tsv, field.as_bytes()).as_deref(), Some(value), "{field}");
        }
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        for value in ["", "a", "a,b", "\"", "a\nb\tc\\", "\r\n", "\u{8}\u{b}\u{c}", "\\N", "\\101"] {
            let (mut csv, mut tsv) = (Vec::new(), Vec::new());
            encode_csv(value.as_bytes(), &mut csv);
            encode_tsv(value.as_bytes(), &mut tsv);
            let decoded = [decode(TableFormat::Csv, &csv), decode(TableFormat::Tsv, &tsv)];
            assert_eq!(decoded.map(Option::unwrap), [value.as_bytes(), value.as_bytes()], "{value:?}");
        }
    }
}
