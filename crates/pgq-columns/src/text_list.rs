//! Lists of strings, encoded as bytes, so that a row can borrow a list from a cache.

/// Sentinel that replaces the length of a NULL item.
const NULL: u32 = u32::MAX;

/// A list of strings and NULLs.
///
/// ```
/// use pgq_columns::TextListBuilder;
///
/// let mut list = TextListBuilder::default();
/// list.push(Some("a"));
/// list.push(None);
/// assert!(list.list().iter().eq([Some("a"), None]));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextList<'a>(&'a [u8]);

impl<'a> TextList<'a> {
    /// Returns the list encoded in `bytes`, which must come from [`TextListBuilder::bytes`].
    #[must_use]
    pub fn from_bytes(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns the items in order, `None` for NULL.
    pub fn iter(self) -> impl Iterator<Item = Option<&'a str>> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let (len, after) = rest.split_first_chunk::<4>()?;
            let len = u32::from_le_bytes(*len);
            if len == NULL {
                rest = after;
                return Some(None);
            }
            let text;
            (text, rest) = after.split_at_checked(len as usize)?;
            Some(Some(std::str::from_utf8(text).unwrap_or_default()))
        })
    }

    /// Returns the memory usage in bytes.
    pub(crate) fn size(self) -> usize {
        self.0.len()
    }
}

/// Builds a [`TextList`].
#[derive(Debug, Clone, Default)]
pub struct TextListBuilder {
    bytes: Vec<u8>,
}

impl TextListBuilder {
    /// Empties the list and keeps its memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Appends an item, `None` for NULL.
    pub fn push(&mut self, item: Option<&str>) {
        let len = item.map_or(NULL, |text| text.len() as u32);
        self.bytes.extend_from_slice(&len.to_le_bytes());
        self.bytes.extend_from_slice(item.unwrap_or_default().as_bytes());
    }

    /// Returns the list.
    #[must_use]
    pub fn list(&self) -> TextList<'_> {
        TextList(&self.bytes)
    }

    /// Returns the list as bytes, for [`TextList::from_bytes`].
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
