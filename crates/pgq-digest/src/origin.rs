//! The origin of a statement: user, database, application and host. A log has few origins with many statements each, so
//! groups share pointers to them.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::execution::Execution;

/// Names of a session. A name that the log lacks is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Name of the user.
    pub user: Box<[u8]>,
    /// Name of the database.
    pub database: Box<[u8]>,
    /// The client's application_name.
    pub application: Box<[u8]>,
    /// Name or address of the client. Not serialized, because only examples contain a serialized origin, and they do
    /// not use the host.
    #[serde(skip)]
    pub host: Box<[u8]>,
}

impl Origin {
    pub(crate) fn new(execution: &Execution<'_>) -> Self {
        Self {
            user: execution.user.into(),
            database: execution.database.into(),
            application: execution.application.into(),
            host: execution.host.into(),
        }
    }

    /// Returns the names in the order of [`crate::Facet::ALL`].
    pub(crate) fn names(&self) -> [&[u8]; 4] {
        [&self.user, &self.database, &self.application, &self.host]
    }

    /// Returns the names that are part of the sort key of examples.
    pub(crate) fn names_of_examples(&self) -> [&[u8]; 3] {
        [&self.user, &self.database, &self.application]
    }

    /// Returns the memory of an origin (the combination of user, database, application and host), in bytes, divided by
    /// the number of pointers to it.
    pub(crate) fn memory_share(self: &Arc<Self>) -> usize {
        let names = self.names().iter().map(|name| name.len()).sum::<usize>();
        (size_of::<Self>() + names) / Arc::strong_count(self)
    }

    pub(crate) fn is_of(&self, execution: &Execution<'_>) -> bool {
        // Compares hosts first, because they differ most often.
        is_same_name(&self.host, execution.host)
            && is_same_name(&self.application, execution.application)
            && is_same_name(&self.database, execution.database)
            && is_same_name(&self.user, execution.user)
    }
}

/// Escape character. In the result of [`name_text`], it precedes the two hexadecimal digits of a byte that is not
/// UTF-8.
const ESCAPE: char = char::REPLACEMENT_CHARACTER;

/// Returns a name as text. Each byte that is not UTF-8 becomes U+FFFD and two hexadecimal digits. The bytes of the
/// character U+FFFD itself are replaced in the same way, because different names must stay different.
///
/// ```
/// use pgq_digest::{name_bytes, name_text};
///
/// assert_eq!([name_text(b"caf\xe9"), name_text("caf\u{fffd}".as_bytes())], ["caf\u{fffd}e9", "caf\u{fffd}ef\u{fffd}bf\u{fffd}bd"]);
/// assert_eq!([name_bytes("caf\u{fffd}e9"), name_bytes(r"caf\xe9")], [b"caf\xe9".to_vec(), br"caf\xe9".to_vec()]);
/// ```
#[must_use]
pub fn name_text(name: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(name) {
        Ok(text) if !text.contains(ESCAPE) => return text.into(),
        _ => {}
    }
    let escaped = |bytes: &[u8]| bytes.iter().map(|byte| format!("{ESCAPE}{byte:02x}")).collect::<String>();
    let chunks = name.utf8_chunks().map(|chunk| {
        let valid = chunk.valid().replace(ESCAPE, &escaped(ESCAPE.to_string().as_bytes()));
        valid + &escaped(chunk.invalid())
    });
    chunks.collect::<String>().into()
}

/// Returns the bytes of the name that [`name_text`] has converted to `text`.
#[must_use]
pub fn name_bytes(text: &str) -> Vec<u8> {
    let mut parts = text.split(ESCAPE);
    let mut name = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                name.push(byte);
                name.extend_from_slice(&part.as_bytes()[2..]);
            }
            None => {
                name.extend_from_slice(ESCAPE.to_string().as_bytes());
                name.extend_from_slice(part.as_bytes());
            }
        }
    }
    name
}

/// Whether two names are equal. Compares 8 bytes at a time without a function call, because names are short.
fn is_same_name(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (words, other_words) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
    match (a.last_chunk::<8>(), b.last_chunk(), a.first_chunk::<4>(), b.first_chunk()) {
        (Some(end), Some(other_end), ..) => end == other_end && words.iter().zip(other_words).all(|(a, b)| a == b),
        (_, _, Some(start), Some(other_start)) => start == other_start && a.last_chunk::<4>() == b.last_chunk(),
        _ => a.iter().zip(b).all(|(a, b)| a == b),
    }
}

pub(crate) fn names_of<'a>(execution: &Execution<'a>) -> [&'a [u8]; 4] {
    [execution.user, execution.database, execution.application, execution.host]
}
