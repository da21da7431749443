//! Lines of `key=value` pairs (logfmt). One pair of a line contains a message. Many programs in Go write such lines.

use serde_json::{Map, Value};

/// Parses the pairs of a line. Returns `None` if the line has other text or fewer than two pairs.
pub fn pairs(line: &[u8]) -> Option<Map<String, Value>> {
    let (mut pairs, mut rest) = (Map::new(), line.trim_ascii());
    while !rest.is_empty() {
        let is_key = |b: &&u8| b.is_ascii_alphanumeric() || b"_.-@/".contains(b);
        let key = rest.iter().take_while(is_key).count();
        let value = rest[key..].strip_prefix(b"=").filter(|_| key > 0)?;
        let (text, after) = if value.first() == Some(&b'"') { quoted(&value[1..])? } else { bare(value)? };
        let name = String::from_utf8_lossy(&rest[..key]).into_owned();
        pairs.insert(name, Value::String(String::from_utf8_lossy(&text).into_owned()));
        rest = match after {
            [] => after,
            [b' ', after @ ..] => after.trim_ascii_start(),
            _ => return None,
        };
    }
    (pairs.len() > 1).then_some(pairs)
}

fn bare(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let len = memchr::memchr(b' ', text).unwrap_or(text.len());
    (!text[..len].contains(&b'"')).then(|| (text[..len].to_vec(), &text[len..]))
}

/// Parses the value after an opening quote. Returns the decoded value and the rest of the line.
fn quoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut end = 0;
    loop {
        end += memchr::memchr2(b'"', b'\\', &text[end..])?;
        if text[end] == b'"' {
            break;
        }
        end += 2;
        text.get(end..)?;
    }
    // Go's escapes are JSON's escapes, plus `\x` and escapes of control characters.
    let json = [b"\"", &text[..end], b"\""].concat();
    let value = serde_json::from_slice::<String>(&json).ok()?;
    Some((value.into_bytes(), &text[end + 1..]))
}

/// Keys with a message.
pub const TEXTS: [&str; 9] = ["msg", "message", "log", "line", "body", "entry", "text", "content", "event"];

/// Whether a line consists of pairs and has a message.
pub fn is_line(line: &[u8]) -> bool {
    memchr::memchr(b'=', line).is_some()
        && pairs(line).is_some_and(|pairs| TEXTS.iter().any(|key| pairs.contains_key(*key)))
}

#[cfg(test)]
mod tests {
    use super::{is_line, pairs};

    #[test]
    fn pairs_have_their_escapes_decoded() {
        let found = pairs(br#"ts=2026-01-31T12:00:00Z level=info msg="LOG:  x \"y\"\n\tz" empty="#).unwrap();
        let texts: Vec<&str> = ["ts", "level", "msg", "empty"].map(|key| found[key].as_str().unwrap()).into();
        assert_eq!(texts, ["2026-01-31T12:00:00Z", "info", "LOG:  x \"y\"\n\tz", ""]);
    }

    #[test]
    fn a_prefix_with_keys_is_no_logfmt() {
        for line in ["ts=2026-01-31 12:00:00 UTC pid=7 LOG:  msg=x", "msg=\"LOG:  x", "msg=x", "pid=7 user=ann", ""] {
            assert!(!is_line(line.as_bytes()), "{line}");
        }
    }
}
