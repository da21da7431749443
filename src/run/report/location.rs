//! Locations in input files.

use pgq_log::FilePosition;

/// A location in the input, as shown to users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location<'a> {
    pub file: &'a str,
    /// Line number, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
    /// Byte offset in the file.
    pub offset: u64,
}

impl<'a> Location<'a> {
    pub fn new(file: &'a str, position: FilePosition) -> Self {
        let FilePosition { line, column, offset } = position;
        Self { file, line, column, offset }
    }
}
