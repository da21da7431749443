//! Escapes text for terminals. SQL from a log must not move the cursor or reorder the characters of a line.

/// Escapes control and bidirectional characters, except newlines and tabs. The escapes are those of JSON, so a JSON
/// string keeps its value.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if acts_on_display(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// Escapes text that must stay on one line, such as a message with the name of a file.
pub fn escaped_line(text: &str) -> String {
    escaped(&text.replace('\n', "\\n"))
}

/// Returns whether a character is invisible but affects how other characters are displayed. Examples are control
/// characters (except newline and tab), characters that set the text direction, and characters without width.
fn acts_on_display(c: char) -> bool {
    match c {
        ' '..='~' | '\n' | '\t' => false,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

/// Escapes bytes for a terminal: invalid UTF-8, and characters that affect the display.
pub fn escaped_bytes(bytes: &[u8]) -> Vec<u8> {
    if bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
        return bytes.to_vec();
    }
    escaped(&String::from_utf8_lossy(bytes)).into_bytes()
}

#[cfg(test)]
mod tests {
    #[test]
    fn control_and_bidi_characters_become_escapes() {
        assert_eq!(super::escaped("a\x1b[2J\u{202e}é\n"), "a\\u001b[2J\\u202eé\n");
        for c in "\u{7f}\u{9b}\u{61c}\u{200b}\u{200e}\u{2028}\u{2029}\u{2066}\u{2069}\r".chars() {
            let json = format!("\"{}\"", super::escaped(&c.to_string()));
            assert!(json.len() == 8 && serde_json::from_str::<char>(&json).unwrap() == c, "{json}");
        }
        assert_eq!(super::escaped_line("a\n\u{1b}"), "a\\n\\u001b");
    }
}
