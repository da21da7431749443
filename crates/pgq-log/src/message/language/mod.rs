//! Logs in the languages that PostgreSQL ships (lc_messages). Looks up words and forms of messages in all languages but
//! English. label.rs, severity.rs and text.rs match English first and call this module only as a fallback, so an
//! English log has no overhead.
//!
//! A test checks that no word has different meanings in two languages. The language of a log therefore need not be
//! known, and may change within the log.

mod edges;
mod events;
mod table;
mod transliterated;

pub use events::{EVENTS, EventForm, EventWords};
pub use table::LANGUAGES;

use std::ops::Range;

use crate::message::kinds::{Label, MessageText, Severity};
use edges::{ENDS, STARTS};
use transliterated::{TRANSLITERATED, severity_of_marks};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Execution,
    Fetch,
    ParseBind,
    Fastpath,
    Duration,
}

pub struct Language {
    /// Language code of `lc_messages`. Used only by the test that compares the words with the message catalogs.
    pub code: &'static str,
    /// Translations of DEBUG, LOG, INFO, NOTICE, WARNING, ERROR, FATAL, PANIC.
    pub severities: [&'static str; 8],
    /// Translations of DETAIL, HINT, QUERY, CONTEXT, STATEMENT, BACKTRACE, LOCATION, with their colons.
    pub labels: [&'static str; 7],
    /// Text before the PREPARE statement in the detail of an EXECUTE.
    prepare: &'static str,
    /// Patterns of messages with placeholders, longest first. `{d}` is a duration, `{n}` a name, `{q}` the SQL.
    pub forms: &'static [(&'static str, Form)],
}

pub const SEVERITIES: [Severity; 8] = [
    Severity::Other,
    Severity::Log,
    Severity::Other,
    Severity::Other,
    Severity::Warning,
    Severity::Error,
    Severity::Fatal,
    Severity::Panic,
];
pub const LABELS: [Label; 7] =
    [Label::Detail, Label::Hint, Label::Ignored, Label::Context, Label::Statement, Label::Ignored, Label::Ignored];

/// Returns the severity with this name in any language but English. The name may be transliterated to ASCII
/// (transliterated.rs). Georgian has one word for NOTICE and WARNING. That word is read as WARNING, because servers log
/// warnings by default, but not notices.
pub fn severity(name: &[u8]) -> Option<Severity> {
    let at = LANGUAGES.iter().find_map(|language| language.severities.iter().rposition(|word| word.as_bytes() == name));
    let in_ascii = || TRANSLITERATED.iter().find(|(word, _)| word.as_bytes() == name).map(|(_, severity)| *severity);
    let of_marks = || question_marks(name).filter(|marks| *marks == name.len()).map(severity_of_marks);
    at.map(|at| SEVERITIES[at]).or_else(in_ascii).or_else(of_marks)
}

/// If `text` starts with question marks that may be a translated severity, returns their number. In the conversion to
/// ASCII, the letters of a severity may become question marks.
fn question_marks<'a>(text: impl IntoIterator<Item = &'a u8>) -> Option<usize> {
    let marks = text.into_iter().take_while(|byte| **byte == b'?').count();
    (marks > 1).then_some(marks)
}

/// Whether a text ends with a severity that was transliterated to ASCII. A colon and blanks may follow the severity.
pub fn ends_transliterated(text: &[u8]) -> bool {
    let label = text.trim_ascii_end();
    let name = label.strip_suffix(b":").unwrap_or(label);
    let ends_with_word = || TRANSLITERATED.iter().any(|(word, _)| name.ends_with(word.as_bytes()));
    !name.ends_with(b"ERROR") && (name.ends_with(b"??") || ends_with_word())
}

/// Parses the label at the start of `text` in any language but English. Returns the label, and its length including the
/// colon.
pub fn label(text: &[u8]) -> Option<(Label, usize)> {
    if !STARTS[usize::from(*text.first()?)] {
        return None;
    }
    let primary = |word: &str, severity| {
        let rest = text.strip_prefix(word.as_bytes())?;
        rest.starts_with(b":").then_some((Label::Primary(severity), word.len() + 1))
    };
    let known = LANGUAGES.iter().find_map(|language| {
        let mut words = language.severities.iter().zip(SEVERITIES).rev();
        let severities = words.find_map(|(word, severity)| primary(word, severity));
        let labels = || language.labels.iter().zip(LABELS).find(|(word, _)| text.starts_with(word.as_bytes()));
        severities.or_else(|| labels().map(|(word, label)| (label, word.len())))
    });
    let in_ascii = || TRANSLITERATED.iter().find_map(|(word, severity)| primary(word, *severity));
    let of_marks = || {
        let marks = question_marks(text).filter(|marks| text.get(*marks) == Some(&b':'))?;
        Some((Label::Primary(severity_of_marks(marks)), marks + 1))
    };
    known.or_else(in_ascii).or_else(of_marks)
}

/// Whether a name is the server's placeholder `[unknown]`, in any language.
#[inline]
pub fn is_unknown(name: &[u8]) -> bool {
    name.first() == Some(&b'[') && (name == b"[unknown]" || UNKNOWN.iter().any(|word| word.as_bytes() == name))
}

const UNKNOWN: [&str; 14] = [
    "[bilinmeyen]",
    "[desconhecido]",
    "[desconocido]",
    "[inconnu]",
    "[nieznany]",
    "[okänd]",
    "[sconosciuto]",
    "[tidak diketahui]",
    "[unbekannt]",
    "[н/д]",
    "[უცნობი]",
    "[不明]",
    "[未知]",
    "[알수없음]",
];

/// Whether the message may follow `label` without a blank, as after some Turkish labels.
pub fn is_followed_at_once(label: &[u8]) -> bool {
    ["AYRINTI:", "İPUCU:", "SORGU:", "ORTAM:"].iter().any(|turkish| turkish.as_bytes() == label)
}

/// Returns the start of the longest label whose colon is the last byte of `text`.
pub fn label_start(text: &[u8]) -> Option<usize> {
    // Fast path: for most strings, the byte before the colon shows that no label ends there.
    if !ENDS[usize::from(*text.get(text.len().checked_sub(2)?)?)] {
        return None;
    }
    let words = LANGUAGES.iter().flat_map(|language| {
        let severities = language.severities.iter().map(|word| (*word, ":"));
        severities.chain(language.labels.iter().map(|word| (*word, "")))
    });
    let words = words.chain(TRANSLITERATED.iter().map(|(word, _)| (*word, ":")));
    let ends = words.filter_map(move |(word, colon)| {
        let rest = text.strip_suffix(colon.as_bytes())?.strip_suffix(word.as_bytes())?;
        Some(rest.len())
    });
    let name = text.strip_suffix(b":").unwrap_or(text);
    let of_marks = question_marks(name.iter().rev()).map(|marks| name.len() - marks);
    ends.chain(of_marks).min()
}

/// Distinct first four bytes of all message patterns, and their number. A message that starts with other bytes
/// matches no pattern.
const OPENINGS: ([u32; 128], usize) = {
    let (mut openings, mut count, mut language) = ([0; 128], 0, 0);
    while language < LANGUAGES.len() {
        let mut form = 0;
        while form < LANGUAGES[language].forms.len() {
            let text = LANGUAGES[language].forms[form].0.as_bytes();
            let opening = u32::from_le_bytes([text[0], text[1], text[2], text[3]]);
            let mut known = 0;
            while known < count && openings[known] != opening {
                known += 1;
            }
            if known == count {
                openings[count] = opening;
                count += 1;
            }
            form += 1;
        }
        language += 1;
    }
    (openings, count)
};

/// Classifies a message in any language but English.
pub fn classify(text: &[u8]) -> Option<MessageText> {
    let opening = u32::from_le_bytes(*text.first_chunk()?);
    if !OPENINGS.0[..OPENINGS.1].contains(&opening) {
        return None;
    }
    LANGUAGES.iter().flat_map(|language| language.forms).find_map(|(form, kind)| matches(form, *kind, text))
}

/// Whether `heading`, the text before the SQL of an execution, is in the form of the simple protocol, in any language
/// but English. In the extended protocol, the heading contains the name of a statement.
pub fn is_simple(heading: &[u8]) -> bool {
    let is_same = |(form, kind): &(&'static str, Form)| {
        *kind == Form::Execution && matches(form, *kind, heading).is_some() && !form.contains("{n}")
    };
    LANGUAGES.iter().flat_map(|language| language.forms).any(is_same)
}

/// Returns the offset of the PREPARE statement in the detail of an EXECUTE, in any language but English.
pub fn prepare(detail: &[u8]) -> Option<usize> {
    let words = LANGUAGES.iter().map(|language| language.prepare);
    words.filter(|word| detail.starts_with(word.as_bytes())).map(str::len).next()
}

/// Matches a message against a form.
fn matches(form: &'static str, kind: Form, text: &[u8]) -> Option<MessageText> {
    // Fast path: most forms differ from a message in the first byte.
    if form.as_bytes().first() != text.first() {
        return None;
    }
    let (mut rest, mut at) = (form, 0);
    let (mut duration, mut sql): (Option<Range<usize>>, Option<usize>) = (None, None);
    while !rest.is_empty() {
        let Some(open) = rest.find('{') else {
            at += text[at..].starts_with(rest.as_bytes()).then_some(rest.len())?;
            break;
        };
        at += text.get(at..)?.starts_with(&rest.as_bytes()[..open]).then_some(open)?;
        let field = rest.as_bytes()[open + 1];
        rest = &rest[open + 3..];
        match field {
            b'd' => {
                let digits = text[at..].iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
                duration = Some(at..at + (digits > 0).then_some(digits)?);
                at += digits;
            }
            b'q' => {
                sql = Some(at);
                at = text.len();
            }
            _ => {
                let literal = &rest.as_bytes()[..rest.find('{').unwrap_or(rest.len())];
                let to_end = text.len() - at;
                at += if literal.is_empty() { to_end } else { memchr::memmem::find(&text[at..], literal)? };
            }
        }
    }
    if !text[at..].trim_ascii().is_empty() {
        return None;
    }
    match kind {
        Form::Execution => Some(MessageText::Execution { sql: sql?, duration }),
        Form::Fetch => Some(MessageText::Fetch { sql: sql?, duration }),
        Form::ParseBind => Some(MessageText::ParseBind { sql: sql?, duration }),
        Form::Fastpath => Some(MessageText::Fastpath),
        Form::Duration => Some(MessageText::Duration(duration?)),
    }
}
