//! A position in a file: bytes, line and column, advanced over text as it is read.

/// A position in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilePosition {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// 1-based.
    pub line: u64,
    /// 1-based, in characters.
    pub column: u64,
}

impl Default for FilePosition {
    fn default() -> Self {
        Self { offset: 0, line: 1, column: 1 }
    }
}

impl FilePosition {
    /// The place behind `bytes` that start here and hold no line break.
    #[must_use]
    pub fn along(self, bytes: &[u8]) -> Self {
        let characters = bytes.iter().filter(|b| (**b & 0xC0) != 0x80).count() as u64;
        Self { offset: self.offset + bytes.len() as u64, line: self.line, column: self.column + characters }
    }

    /// The place behind `bytes` that start here. In bytes that are not UTF-8, each that
    /// does not continue a character counts as one.
    #[must_use]
    pub fn after(self, bytes: &[u8]) -> Self {
        let characters = |bytes: &[u8]| bytes.iter().filter(|b| (**b & 0xC0) != 0x80).count() as u64;
        let offset = self.offset + bytes.len() as u64;
        match memchr::memrchr(b'\n', bytes) {
            None => Self { offset, line: self.line, column: self.column + characters(bytes) },
            Some(last) => Self {
                offset,
                line: self.line + memchr::memchr_iter(b'\n', bytes).count() as u64,
                column: 1 + characters(&bytes[last + 1..]),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FilePosition;

    #[test]
    fn columns_are_characters_and_steps_add_up() {
        let text = "a\nüb\n\nçd".as_bytes();
        let whole = FilePosition::default().after(text);
        assert_eq!(whole, FilePosition { offset: 10, line: 4, column: 3 });
        for cut in 0..text.len() {
            assert_eq!(FilePosition::default().after(&text[..cut]).after(&text[cut..]), whole);
        }
    }
}
