//! Writes JSON strings, and indents JSON.

/// Appends `text` as a JSON string.
pub fn quote(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("a string is JSON and a Vec takes it");
}

/// Appends `compact` JSON, indented by two spaces per level. Works on the text and not on a parsed document, so even
/// very deep JSON needs no recursion.
pub fn indent(compact: &[u8], out: &mut Vec<u8>) {
    // Deeper levels are not indented, because 100,000 indented levels would need gigabytes of spaces.
    const MAX_DEPTH: usize = 200;
    fn break_line(depth: usize, out: &mut Vec<u8>) {
        if depth <= MAX_DEPTH {
            out.push(b'\n');
            out.resize(out.len() + 2 * depth, b' ');
        }
    }
    let (mut depth, mut at) = (0usize, 0);
    while let Some(&byte) = compact.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let start = at - 1;
                while let Some(&byte) = compact.get(at) {
                    at += if byte == b'\\' { 2 } else { 1 };
                    if byte == b'"' {
                        break;
                    }
                }
                out.extend_from_slice(&compact[start..at.min(compact.len())]);
            }
            b'{' | b'[' => {
                out.push(byte);
                if let Some(&close @ (b'}' | b']')) = compact.get(at) {
                    out.push(close);
                    at += 1;
                } else {
                    depth += 1;
                    break_line(depth, out);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                break_line(depth, out);
                out.push(byte);
            }
            b',' => {
                out.push(byte);
                break_line(depth, out);
            }
            b':' => out.extend_from_slice(b": "),
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn indenting_leaves_strings_and_empty_brackets_alone() {
        let mut out = Vec::new();
        super::indent(br#"{"a":[{},[]],"b":"{\"x\",:\\","c":-1}"#, &mut out);
        let expected = "{\n  \"a\": [\n    {},\n    []\n  ],\n  \"b\": \"{\\\"x\\\",:\\\\\",\n  \"c\": -1\n}";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn very_deep_levels_stay_on_their_line() {
        let mut out = Vec::new();
        super::indent(format!("{}1,2{}", "[".repeat(1000), "]".repeat(1000)).as_bytes(), &mut out);
        assert_eq!(out.iter().filter(|byte| **byte == b'\n').count(), 401);
        assert!(out.len() < 100_000);
    }
}
