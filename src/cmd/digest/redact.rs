//! Redacts a digest before it is written. Depending on the options, removes nothing, only secrets, or all names,
//! literals and messages.

use std::borrow::Cow;

use pgq::secrets::{
    MASK, anonymize_message, anonymize_sql, is_masked, mask_message, mask_name, mask_parameters, mask_sql, mask_text,
    mask_values, names_secret, pseudonym,
};
use pgq_digest::{Facet, Rewrite, TextKind, mask};

/// How much of the log's text a report shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disclosure {
    /// All text.
    Everything,
    /// All text except secrets.
    NoSecrets,
    /// No literals, parameters or messages. Names are replaced by pseudonyms.
    Anonymous,
}

impl Disclosure {
    pub fn new(show_secrets: bool, anonymize: bool) -> Self {
        match (anonymize, show_secrets) {
            (true, _) => Self::Anonymous,
            (_, true) => Self::Everything,
            _ => Self::NoSecrets,
        }
    }

    /// Returns the note about redaction in a report.
    pub fn note(self) -> Option<&'static str> {
        match self {
            Self::Everything => Some("passwords and other secrets of the log are shown (--show-secrets)"),
            Self::NoSecrets => None,
            Self::Anonymous => {
                Some("names are pseudonyms, and literals, parameters and messages are left out (--anonymize)")
            }
        }
    }
}

impl Rewrite for Disclosure {
    fn rewrite(&self, kind: TextKind<'_>, text: &str, is_cut: bool) -> Option<String> {
        match self {
            Self::Everything => None,
            Self::NoSecrets => without_secrets(kind, text, is_cut),
            // Secrets are masked first. Otherwise, anyone who guesses a secret could compute the pseudonym of the text.
            Self::Anonymous => Some(anonymous(kind, without_secrets(kind, text, is_cut).as_deref().unwrap_or(text))),
        }
    }
}

/// Masks secrets. Returns `None` if the text stays unchanged. If `is_cut`, the end of the text or of its statement is
/// missing. In this case, also masks values that look harmless, because the missing part may show that they are
/// secrets.
fn without_secrets(kind: TextKind<'_>, text: &str, is_cut: bool) -> Option<String> {
    let masked = match kind {
        TextKind::Statement if is_cut => mask_values(text),
        TextKind::Statement => mask_sql(text),
        // Mask the whole plan, because it contains SQL in other formats, such as JSON.
        TextKind::Plan if is_cut || is_secret(text) => MASK.into(),
        TextKind::Parameters(_) if is_cut => mask_parameters("PASSWORD", text),
        TextKind::Parameters(sql) => mask_parameters(sql, text),
        // A message may quote any part of its statement. Therefore it is masked if the statement contains a secret.
        TextKind::Message(sql) if is_cut || is_secret(sql) || quotes_literal(text) => masked_message(text).into(),
        TextKind::Reason if quotes_literal(text) => masked_message(text).into(),
        TextKind::Detail(sql) if is_cut || is_secret(sql) || text.len() > MAX_DETAIL => MASK.into(),
        TextKind::Message(_) | TextKind::Detail(_) | TextKind::Reason | TextKind::Plan => mask_text(text),
        TextKind::Name(Facet::Tag) => masked_tag(text),
        TextKind::Name(_) => mask_name(text),
    };
    (masked != text).then(|| masked.into_owned())
}

/// Maximum length of a shown DETAIL, HINT or CONTEXT in bytes. A longer one may contain a statement that the server has
/// cut at `track_activity_query_size` (by default 1024 bytes), for example in the DETAIL of a deadlock.
const MAX_DETAIL: usize = 1000;

/// The digest never cuts a message of at most this length in bytes. It keeps 512 bytes of an escaped message. Escaping
/// replaces one byte with at most four bytes, so 128 bytes always fit.
const LONG_MESSAGE: usize = 128;

/// Masks a message that may contain a secret of its statement; otherwise, returns it unchanged. Called before the
/// message is added to a digest, because the decision depends on the whole message and its statement. The digest later
/// has only the start of a long message, and only one statement for all messages of a kind.
pub fn masked_secret_message<'m>(sql: &[u8], message: &'m [u8], is_cut: bool) -> Cow<'m, [u8]> {
    let names = |text: &[u8]| names_secret(&String::from_utf8_lossy(text));
    let is_secret = is_cut || names(sql) || message.len() > LONG_MESSAGE && names(message);
    if is_secret { masked_message(&String::from_utf8_lossy(message)).into_bytes().into() } else { message.into() }
}

/// Masks every part of a message that PostgreSQL may have copied from the statement, and every value after the name of
/// a secret.
pub fn masked_message(text: &str) -> String {
    mask(&mask_message("PASSWORD", text))
}

/// Whether a statement contains the name of a secret, such as `password`, or is already masked.
fn is_secret(sql: &str) -> bool {
    names_secret(sql) || is_masked(sql)
}

/// Masks the value of a tag `key=value` if the key is the name of a secret, or if the value contains a secret.
fn masked_tag(tag: &str) -> Cow<'_, str> {
    match (tag.split_once('='), mask_name(tag)) {
        (Some((key, _)), Cow::Owned(_)) => format!("{key}={MASK}").into(),
        (_, masked) => masked,
    }
}

/// Whether a syntax error quotes a literal, a number or a comment: `syntax error at or near "'x'"`.
fn quotes_literal(message: &str) -> bool {
    message.split_once(" at or near \"").is_some_and(|(_, quoted)| {
        quoted.starts_with(|c: char| c.is_ascii_digit())
            || quoted.contains(['\'', '$', '.'])
            || quoted.starts_with("/*")
    })
}

fn anonymous(kind: TextKind<'_>, text: &str) -> String {
    match kind {
        TextKind::Statement => anonymize_sql(text),
        TextKind::Parameters(_) | TextKind::Detail(_) | TextKind::Plan => String::new(),
        TextKind::Message(_) => pseudonym("message", &mask(text)),
        TextKind::Reason => anonymize_message(text),
        TextKind::Name(facet) => pseudonym(
            match facet {
                Facet::User => "user",
                Facet::Database => "database",
                Facet::Application => "application",
                Facet::Host => "host",
                Facet::Tag => "tag",
            },
            text,
        ),
    }
}
