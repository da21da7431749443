//! The words that PostgreSQL writes before a text: severities, and labels of what belongs to
//! the message before. Known in English only, as lc_messages = C writes them.

use super::entry::Severity;

/// A word and what it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// A message of its own.
    Primary(Severity),
    Detail,
    Context,
    Statement,
    /// HINT, QUERY, LOCATION, BACKTRACE: more of the message before.
    Aside,
}

/// Every word, by length descending so that none hides a longer one.
const WORDS: [(&[u8], Word); 18] = [
    (b"BACKTRACE", Word::Aside),
    (b"STATEMENT", Word::Statement),
    (b"LOCATION", Word::Aside),
    (b"CONTEXT", Word::Context),
    (b"WARNING", Word::Primary(Severity::Other)),
    (b"DEBUG1", Word::Primary(Severity::Other)),
    (b"DEBUG2", Word::Primary(Severity::Other)),
    (b"DEBUG3", Word::Primary(Severity::Other)),
    (b"DEBUG4", Word::Primary(Severity::Other)),
    (b"DEBUG5", Word::Primary(Severity::Other)),
    (b"DETAIL", Word::Detail),
    (b"NOTICE", Word::Primary(Severity::Other)),
    (b"ERROR", Word::Primary(Severity::Error)),
    (b"FATAL", Word::Primary(Severity::Fatal)),
    (b"PANIC", Word::Primary(Severity::Panic)),
    (b"QUERY", Word::Aside),
    (b"HINT", Word::Aside),
    (b"INFO", Word::Primary(Severity::Other)),
];

/// The word that `text` begins with, and its length with the colon and the spaces behind it.
pub fn word(text: &[u8]) -> Option<(Word, usize)> {
    let (word, len) = if text.starts_with(b"LOG:") {
        (Word::Primary(Severity::Log), 3)
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
pub fn anywhere(line: &[u8]) -> Option<(usize, Word, usize)> {
    memchr::memchr_iter(b':', line).find_map(|colon| {
        let start = line[..colon].iter().rposition(|b| !b.is_ascii_uppercase() && !b.is_ascii_digit());
        let start = start.map_or(0, |at| at + 1);
        let (word, len) = word(&line[start..])?;
        line[colon..].starts_with(b":  ").then_some((start, word, start + len))
    })
}

#[cfg(test)]
mod tests {
    use super::{Severity, Word, anywhere, word};

    #[test]
    fn words_and_their_spaces() {
        assert_eq!(word(b"LOG:  x"), Some((Word::Primary(Severity::Log), 6)));
        assert_eq!(word(b"DETAIL:  x"), Some((Word::Detail, 9)));
        assert_eq!(word(b"ERROR: x"), Some((Word::Primary(Severity::Error), 7)));
        assert_eq!(word(b"LOGX:  x"), None);
        assert_eq!(anywhere(b"12:00 [1]LOG:  x"), Some((9, Word::Primary(Severity::Log), 15)));
        assert_eq!(anywhere(b"nothing: here"), None);
    }
}
