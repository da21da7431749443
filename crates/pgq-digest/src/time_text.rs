//! The text of a time. Short texts are stored inline to save memory, because each group stores several of these texts.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// Maximum length of an inline text, in bytes. With this maximum, a [`TimeText`] takes 32 bytes. In a `String`, a usual
/// time such as `2026-01-31 12:00:00.123 UTC` would take 51 bytes: 24 bytes for the struct and 27 bytes on the heap.
const MAX_SHORT: usize = 30;

/// The text of a time, such as `2026-01-31 12:00:00.123 UTC`.
///
/// ```
/// use pgq_digest::TimeText;
///
/// let text = TimeText::from("2026-01-31 12:00:00.123 UTC");
/// assert_eq!(&text[11..19], "12:00:00");
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct TimeText(Text);

#[derive(Clone)]
enum Text {
    Short { len: u8, bytes: [u8; MAX_SHORT] },
    Long(Box<str>),
}

impl TimeText {
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Text::Short { len, bytes } => &bytes[..usize::from(*len).min(MAX_SHORT)],
            Text::Long(text) => text.as_bytes(),
        }
    }

    /// Creates a text from UTF-8 bytes.
    pub(crate) fn new(text: &[u8]) -> Self {
        debug_assert!(std::str::from_utf8(text).is_ok(), "the caller has checked it");
        if text.len() > MAX_SHORT {
            return Self(Text::Long(String::from_utf8_lossy(text).into()));
        }
        let mut bytes = [0; MAX_SHORT];
        bytes[..text.len()].copy_from_slice(text);
        Self(Text::Short { len: text.len() as u8, bytes })
    }
}

impl From<&str> for TimeText {
    fn from(text: &str) -> Self {
        Self::new(text.as_bytes())
    }
}

impl From<String> for TimeText {
    fn from(text: String) -> Self {
        Self::new(text.as_bytes())
    }
}

impl From<TimeText> for String {
    fn from(text: TimeText) -> Self {
        text.to_string()
    }
}

impl Deref for TimeText {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.0 {
            // The bytes are a copy of a valid `str`, so the conversion cannot fail.
            Text::Short { .. } => std::str::from_utf8(self.as_bytes()).unwrap_or_default(),
            Text::Long(text) => text,
        }
    }
}

impl PartialEq for TimeText {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for TimeText {}

impl Ord for TimeText {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl PartialOrd for TimeText {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for TimeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
