//! Labels before the parts of a message in a stderr log: severities, DETAIL, STATEMENT and so on. Contains the English
//! labels. language/ contains the labels of other languages.

pub use crate::message::kinds::Label;
use crate::message::language;
use crate::message::severity::Severity;

/// All labels (elog.c: send_message_to_server_log), longest first.
const LABELS: [(&[u8], Label); 20] = [
    (b"BACKTRACE", Label::Ignored),
    (b"STATEMENT", Label::Statement),
    (b"LOCATION", Label::Ignored),
    (b"CONTEXT", Label::Context),
    (b"WARNING", Label::Primary(Severity::Warning)),
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
    (b"HINT", Label::Hint),
    (b"INFO", Label::Primary(Severity::Other)),
    (b"DEBUG", Label::Primary(Severity::Other)),
    (b"LOG", Label::Primary(Severity::Log)),
];

/// Parses the label at the start of `text`. Returns the label, and its length including the colon and the blanks after
/// it.
#[inline]
pub fn parse_label(text: &[u8]) -> Option<(Label, usize)> {
    // Fast path for most lines.
    if text.first_chunk() == Some(b"LOG:  ") {
        Some((Label::Primary(Severity::Log), 6))
    } else if text.first_chunk() == Some(b"DETAIL:  ") {
        Some((Label::Detail, 9))
    } else {
        parse_any_label(text)
    }
}

fn parse_any_label(text: &[u8]) -> Option<(Label, usize)> {
    let english = english(text);
    let (label, len) = english.or_else(|| language::label(text))?;
    match &text[len..] {
        [b' ', b' ', ..] => Some((label, len + 2)),
        // In Japanese, Korean and Chinese, the message of a logged statement starts with the same word as the
        // STATEMENT label. One blank follows the word in the message, but two blanks follow the label.
        [b' ', ..] if english.is_none() && label == Label::Statement => None,
        // Two blanks follow a label, but log shippers may merge them.
        [b' ', ..] => Some((label, len + 1)),
        [] => Some((label, len)),
        // Some Turkish labels have no blank after them.
        _ if language::is_followed_at_once(&text[..len]) => Some((label, len)),
        _ => None,
    }
}

/// Parses an English label at the start of `text`. Returns the label, and its length including the colon.
fn english(text: &[u8]) -> Option<(Label, usize)> {
    if !matches!(text.first(), Some(b'A'..=b'Z')) {
        return None;
    }
    let &(name, label) = LABELS
        .iter()
        .find(|(name, _)| text[0] == name[0] && text.starts_with(name) && text.get(name.len()) == Some(&b':'))?;
    Some((label, name.len() + 1))
}

/// Finds the first label in a line. Returns the offset of the label, the label, and the offset after the label.
pub fn find_label(line: &[u8]) -> Option<(usize, Label, usize)> {
    memchr::memmem::find_iter(line, b":  ").find_map(|colon| {
        let start = line[..colon].iter().rposition(|b| !b.is_ascii_uppercase() && !b.is_ascii_digit());
        let label_at = |start: usize| {
            let (label, len) = parse_label(&line[start..])?;
            (start + len == colon + 3).then_some((start, label, colon + 3))
        };
        let start = start.map_or(0, |at| at + 1);
        let english = label_at(start).or_else(|| label_at(start + zone_before_label(line, start, colon)?));
        english.or_else(|| language::label_start(&line[..=colon]).and_then(label_at))
    })
}

/// Returns the length of a time zone in capitals that directly precedes a label: `UTCLOG`.
fn zone_before_label(line: &[u8], start: usize, colon: usize) -> Option<usize> {
    let before = &line[start.saturating_sub(2)..start];
    let capitals = &line[start..colon];
    let (name, _) = LABELS.iter().find(|(name, _)| capitals.ends_with(name))?;
    let zone = capitals.len() - name.len();
    ((2..=5).contains(&zone) && matches!(before, [b'0'..=b'9', b' '])).then_some(zone)
}
