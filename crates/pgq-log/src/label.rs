//! The labels before the parts of a message in a log on stderr: severities, and DETAIL, STATEMENT
//! and so on. Knows only PostgreSQL's English labels, as with lc_messages = C.

use crate::field::Field;
use crate::severity::Severity;

/// A label, by what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// A severity, which starts a message.
    Primary(Severity),
    Detail,
    Context,
    Statement,
    /// Another part of the message before: HINT, QUERY, LOCATION or BACKTRACE.
    Ignored,
}

impl Label {
    /// The field that follows the label, if it starts a part of a message that is kept.
    pub fn field(self) -> Option<Field> {
        match self {
            Self::Detail => Some(Field::Detail),
            Self::Context => Some(Field::Context),
            Self::Statement => Some(Field::Statement),
            Self::Ignored | Self::Primary(_) => None,
        }
    }
}

/// All labels but LOG (elog.c: send_message_to_server_log), longest first.
const LABELS: [(&[u8], Label); 18] = [
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

/// The label at the start of `text`, and its length with the colon and the spaces after it.
pub fn parse_label(text: &[u8]) -> Option<(Label, usize)> {
    let (label, len) = if text.starts_with(b"LOG:") {
        (Label::Primary(Severity::Log), 3)
    } else if !matches!(text.first(), Some(b'A'..=b'Z')) {
        return None;
    } else {
        let &(name, label) = LABELS.iter().find(|(name, _)| text[0] == name[0] && text.starts_with(name))?;
        (label, name.len())
    };
    match &text[len..] {
        [b':', b' ', b' ', ..] => Some((label, len + 3)),
        // Log shippers may trim lines or squeeze spaces.
        [b':', b' ', ..] => Some((label, len + 2)),
        [b':'] => Some((label, len + 1)),
        _ => None,
    }
}

/// The first label in a line: the offset where it starts, the label, and the offset after it.
pub fn find_label(line: &[u8]) -> Option<(usize, Label, usize)> {
    memchr::memchr_iter(b':', line).find_map(|colon| {
        let start = line[..colon].iter().rposition(|b| !b.is_ascii_uppercase() && !b.is_ascii_digit());
        let start = start.map_or(0, |at| at + 1);
        let (label, len) = parse_label(&line[start..])?;
        line[colon..].starts_with(b":  ").then_some((start, label, start + len))
    })
}

#[cfg(test)]
mod tests {
    use super::{Label, Severity, find_label, parse_label};

    #[test]
    fn labels_are_parsed_with_their_spaces() {
        assert_eq!(parse_label(b"LOG:  x"), Some((Label::Primary(Severity::Log), 6)));
        assert_eq!(parse_label(b"DETAIL:  x"), Some((Label::Detail, 9)));
        assert_eq!(parse_label(b"ERROR: x"), Some((Label::Primary(Severity::Error), 7)));
        assert_eq!(parse_label(b"LOGX:  x"), None);
        assert_eq!(find_label(b"12:00 [1]LOG:  x"), Some((9, Label::Primary(Severity::Log), 15)));
        assert_eq!(find_label(b"nothing: here"), None);
    }
}
