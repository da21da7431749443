//! The origin of a statement: user, database, application and host. A log has few origins with many statements each, so
//! groups share pointers to them.

use std::borrow::Cow;
use std::fmt::Write;
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
    /// Name or address of the client. Not stored in states, because examples do not use the host.
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

    /// Returns the names in the sort key of examples.
    pub(crate) fn names_of_examples(&self) -> [&[u8]; 3] {
        [&self.user, &self.database, &self.application]
    }

    /// Returns the memory of an origin, in bytes, divided by the number of pointers to it.
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

/// Returns a name as text. Bytes that are not UTF-8 become escapes such as `\xe9`, and `\x` becomes `\x5cx`, because
/// different names must stay different.
///
/// ```
/// use pgq_digest::{name_bytes, name_text};
///
/// assert_eq!([name_text(b"caf\xe9"), name_text(br"caf\xe9")], [r"caf\xe9", r"caf\x5cxe9"]);
/// assert_eq!([name_bytes(r"caf\xe9"), name_bytes(r"caf\x5cxe9")], [b"caf\xe9".to_vec(), br"caf\xe9".to_vec()]);
/// ```
#[must_use]
pub fn name_text(name: &[u8]) -> Cow<'_, str> {
    if let Ok(name) = std::str::from_utf8(name) {
        return if name.contains("\\x") { name.replace("\\x", "\\x5cx").into() } else { name.into() };
    }
    let text = name.utf8_chunks().fold(String::new(), |mut text, chunk| {
        text += &chunk.valid().replace("\\x", "\\x5cx");
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
        text
    });
    text.into()
}

/// Returns the name whose text [`name_text`] returned.
#[must_use]
pub fn name_bytes(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut name = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let rest = match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                name.push(byte);
                &part[2..]
            }
            None => {
                name.extend_from_slice(b"\\x");
                part
            }
        };
        name.extend_from_slice(rest.as_bytes());
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
