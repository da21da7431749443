//! Redacts a digest before it is written. Depending on the options, removes nothing, only secrets, or all names,
//! literals and messages.

use pgq::secrets::{
    MASK, anonymize_message, anonymize_sql, mask_parameters, mask_sql, mask_text, names_secret, pseudonym,
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
    fn rewrite(&self, kind: TextKind<'_>, text: &str) -> Option<String> {
        match self {
            Self::Everything => None,
            Self::NoSecrets => without_secrets(kind, text),
            Self::Anonymous => Some(anonymous(kind, text)),
        }
    }
}

fn without_secrets(kind: TextKind<'_>, text: &str) -> Option<String> {
    let masked = match kind {
        TextKind::Statement => mask_sql(text),
        TextKind::Plan => mask_text(&mask_sql(text)).into_owned().into(),
        TextKind::Parameters(sql) => mask_parameters(sql, text),
        // A message may repeat any part of the statement.
        TextKind::Message(sql) if names_secret(sql) || quotes_literal(text) => mask(text).into(),
        TextKind::Reason if quotes_literal(text) => mask(text).into(),
        TextKind::Detail(sql) if names_secret(sql) => MASK.into(),
        TextKind::Message(_) | TextKind::Detail(_) | TextKind::Reason | TextKind::Name(_) => mask_text(text),
    };
    (masked != text).then(|| masked.into_owned())
}

/// Whether a syntax error quotes a literal or a comment: `syntax error at or near "'x'"`.
fn quotes_literal(message: &str) -> bool {
    message.contains(" at or near \"") && (message.contains(['\'', '$']) || message.contains("\"/*"))
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
