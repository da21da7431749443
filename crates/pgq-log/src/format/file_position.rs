//! A position in a file.

/// A position in a file: byte offset, line and column.
///
/// ```
/// use pgq_log::FilePosition;
///
/// let position = FilePosition::default().after("a\nüb".as_bytes());
/// assert_eq!(position, FilePosition { offset: 5, line: 2, column: 3 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilePosition {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Line, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
}

impl Default for FilePosition {
    fn default() -> Self {
        Self { offset: 0, line: 1, column: 1 }
    }
}

impl FilePosition {
    /// Returns the position after `bytes`, which start at `self` and contain no line break.
    #[must_use]
    pub fn after_in_line(self, bytes: &[u8]) -> Self {
        let offset = self.offset + bytes.len() as u64;
        Self { offset, line: self.line, column: self.column + count_characters(bytes) }
    }

    /// Returns the position of the end of `bytes`, which start at `self`.
    #[must_use]
    pub fn after(self, bytes: &[u8]) -> Self {
        match memchr::memrchr(b'\n', bytes) {
            None => self.after_in_line(bytes),
            Some(last) => Self {
                offset: self.offset + bytes.len() as u64,
                line: self.line + memchr::memchr_iter(b'\n', bytes).count() as u64,
                column: 1 + count_characters(&bytes[last + 1..]),
            },
        }
    }
}

/// Counts UTF-8 characters. An invalid byte counts as a character.
fn count_characters(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count() as u64
}
