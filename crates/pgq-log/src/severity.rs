//! The words that PostgreSQL writes before a text: severities, and labels of what belongs to
//! the message before. Known in English only, as lc_messages = C writes them.

use crate::entry::Severity;

/// A word and what it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// A message of its own.
    Primary(Severity),
    Detail,
    Context,
    Statement,
    /// HINT, QUERY, LOCATION, BACKTRACE: more of the message before.
    Ignored,
}

/// Every word, by length descending so that none hides a longer one.
const WORDS: [(&[u8], Label); 18] = [
    (b"BACKTRACE", Label::Ignored),
    (b"STATEMENT", Label::Statement),
    (b"LOCATION", Label::Ignored),
    (b"CONTEXT", Label::Context),
    (b"WARNING", Label::Primary(Severity::Other)),
    (b"DEBUG1", Label::Primary(Severity::Other)),
    (b"DEBUG2", Label::Primary(Severity::Other)),
    (b"DEBUG3", Label::Primary(Severity::Other)),
    (b"DEBUG4", Label::Primary(Severity::Other)),
    (b"DEBUG5", Label::Primary(Severity::Other)),
    (b"DETAIL", Label::Detail),
    (b"NOTICE", Label::Primary(Severity::Other)),
    (b"ERROR", Label::Primary(Severity::Error)),
    (b"FATAL", Label::Primary(Severity::Fatal)),
    (b"PANIC", Label::Primary(Severity::Panic)),
    (b"QUERY", Label::Ignored),
    (b"HINT", Label::Ignored),
    (b"INFO", Label::Primary(Severity::Other)),
];

/// The word that `text` begins with, and its length with the colon and the spaces behind it.
pub fn label(text: &[u8]) -> Option<(Label, usize)> {
    let (word, len) = if text.starts_with(b"LOG:") {
        (Label::Primary(Severity::Log), 3)
    } else if !matches!(text.first(), Some(b'A'..=b'Z')) {
        return None;
    } else {
        let &(name, word) = WORDS.iter().find(|(name, _)| text[0] == name[0] && text.starts_with(name))?;
        (word, name.len())
    };
    match &text[len..] {
        [b':', b' ', b' ', ..] => Some((word, len + 3)),
        // Where something between PostgreSQL and us trims lines or squeezes spaces.
        [b':', b' ', ..] => Some((word, len + 2)),
        [b':'] => Some((word, len + 1)),
        _ => None,
    }
}

/// The first word in a line, wherever it stands.
pub fn anywhere(line: &[u8]) -> Option<(usize, Label, usize)> {
    memchr::memchr_iter(b':', line).find_map(|colon| {
        let start = line[..colon].iter().rposition(|b| !b.is_ascii_uppercase() && !b.is_ascii_digit());
        let start = start.map_or(0, |at| at + 1);
        let (label, len) = label(&line[start..])?;
        line[colon..].starts_with(b":  ").then_some((start, label, start + len))
    })
}

#[cfg(test)]
mod tests {
    use super::{Label, Severity, anywhere, label};

    #[test]
    fn words_and_their_spaces() {
        assert_eq!(label(b"LOG:  x"), Some((Label::Primary(Severity::Log), 6)));
        assert_eq!(label(b"DETAIL:  x"), Some((Label::Detail, 9)));
        assert_eq!(label(b"ERROR: x"), Some((Label::Primary(Severity::Error), 7)));
        assert_eq!(label(b"LOGX:  x"), None);
        assert_eq!(anywhere(b"12:00 [1]LOG:  x"), Some((9, Label::Primary(Severity::Log), 15)));
        assert_eq!(anywhere(b"nothing: here"), None);
    }
}
