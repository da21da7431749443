//! Lines of a batch, and positions in a batch.

use crate::format::file_position::FilePosition;

/// A line, without its line break. Offsets are bytes from the start of the batch.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    pub start: usize,
    pub end: usize,
    /// Number of lines before this line in the batch.
    pub number: u32,
    /// Length of the header that replaces the line's envelope (frame.rs), or 0 without an envelope.
    pub header: u32,
    /// Whether the line ends in a line break. The last line of a truncated log has no line break.
    pub whole: bool,
}

/// Position of a text's first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourcePosition {
    /// A position in the batch's bytes before decoding: the number of the line, the offset of the line's start, and
    /// the offset of the text. The column is computed on demand.
    InBatch {
        line: u32,
        line_start: u32,
        offset: u32,
    },
    InFile(FilePosition),
}

impl Default for SourcePosition {
    fn default() -> Self {
        Self::InBatch { line: 0, line_start: 0, offset: 0 }
    }
}

impl SourcePosition {
    /// Returns the position of the start of a line.
    pub fn line_start(line: Line) -> Self {
        Self::InBatch { line: line.number, line_start: line.start as u32, offset: line.start as u32 }
    }

    /// Returns the position after `text`, which starts at this position and has no line break.
    pub fn after_in_line(self, text: &[u8]) -> Self {
        match self {
            Self::InBatch { line, line_start, offset } => {
                Self::InBatch { line, line_start, offset: offset + text.len() as u32 }
            }
            Self::InFile(position) => Self::InFile(position.after_in_line(text)),
        }
    }

    /// Returns the position in the file. `bytes` are the bytes of a batch, and `batch_start` is the position of the
    /// batch.
    pub fn in_file(self, batch_start: FilePosition, bytes: &[u8]) -> FilePosition {
        match self {
            Self::InFile(position) => position,
            Self::InBatch { line, line_start, offset } => {
                let start = FilePosition {
                    offset: batch_start.offset + u64::from(line_start),
                    line: batch_start.line + u64::from(line),
                    column: 1,
                };
                start.after_in_line(&bytes[line_start as usize..offset as usize])
            }
        }
    }

    /// Whether the position is the start of a line. This can be the position of a record, but not of SQL, because other
    /// text precedes the SQL on its line.
    pub fn is_line_start(self) -> bool {
        match self {
            Self::InBatch { line_start, offset, .. } => line_start == offset,
            Self::InFile(position) => position.column == 1,
        }
    }
}
