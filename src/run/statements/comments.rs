//! Finds the comments between the statements of a script. Only commands whose output contains the comments need this
//! module.

use pgq::script::comments;

/// Text of the comments around a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SurroundingComments {
    /// Comments before the statement. Each comment ends with a space or a line break.
    pub before: String,
    /// Comments that follow the statement on its last line. A space precedes each comment.
    pub after: String,
}

/// The part of the input that precedes a gap. A gap is the bytes between two statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// The previous statement.
    Statement,
    /// The previous chunk, with the number of line breaks at its end. At the start of the script, there is no previous
    /// chunk, and the value is `None`.
    Chunk(Option<usize>),
}

/// The comments between two statements.
pub struct CommentsBetween {
    /// Comments on the last line of the previous statement.
    pub same_line: String,
    /// All other comments.
    pub others: String,
    /// Byte offset of the first comment in `others`. The offset is relative to the start of the gap.
    pub others_at: usize,
}

impl CommentsBetween {
    /// Finds the comments in `gap`, which contains the bytes between two statements. `precedes` is true if a statement
    /// follows the gap.
    pub fn new(gap: &[u8], before: Before, precedes: bool) -> Self {
        let (mut same_line, mut others) = (String::new(), String::new());
        let found = comments(gap);
        let (mut end, mut others_at) = (0, 0);
        for (index, range) in found.iter().enumerate() {
            let newlines = count_newlines(&gap[end..range.start]);
            let newlines_before = match before {
                Before::Chunk(count) if index == 0 => count.map(|count| count + newlines),
                _ => Some(newlines),
            };
            let text = String::from_utf8_lossy(&gap[range.clone()]);
            end = range.end;
            let next = found.get(index + 1).map_or(gap.len(), |next| next.start);
            if before == Before::Statement && newlines == 0 && others.is_empty() {
                same_line.push(' ');
                same_line.push_str(&text);
                continue;
            }
            if others.is_empty() {
                others_at = range.start;
            }
            // Several empty lines become one.
            if newlines_before.is_some_and(|count| count > 1) {
                others.push('\n');
            }
            others.push_str(&text);
            let ends_line = text.starts_with("--")
                || count_newlines(&gap[end..next]) > 0
                || (!precedes && index + 1 == found.len());
            others.push(if ends_line { '\n' } else { ' ' });
        }
        Self { same_line, others, others_at }
    }
}

fn count_newlines(blank: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', blank).count()
}
