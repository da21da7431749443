//! Escapes for terminals: SQL from a log must not move the cursor or reorder a line.

use std::io::IsTerminal;
use std::sync::LazyLock;

/// `text` with control and bidirectional characters as escapes if stderr is a terminal; unchanged
/// otherwise.
pub fn escaped_on_terminal(text: &str) -> String {
    static IS_TERMINAL: LazyLock<bool> = LazyLock::new(|| std::io::stderr().is_terminal());
    if *IS_TERMINAL { escaped(text) } else { text.to_string() }
}

/// `text` with control and bidirectional characters as escapes, except for newlines and tabs.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let bidi = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if (c.is_control() && c != '\n' && c != '\t') || bidi {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn control_and_bidi_characters_become_escapes() {
        assert_eq!(super::escaped("a\x1b[2J\u{202e}é\n"), "a\\u{1b}[2J\\u{202e}é\n");
    }
}
