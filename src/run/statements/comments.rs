//! The comments of a script outside of its statements, for a handler that keeps them.

use pgq::script::comments;

/// The comments around a statement, as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SurroundingComments {
    /// Comments before it. The statement may follow immediately.
    pub before: String,
    /// Comments after it, on its last line, each with the blank before it.
    pub after: String,
}

/// What precedes the first comment of a gap between statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// The statement before.
    Statement,
    /// A chunk, with the number of line breaks at its end; `None` at the start.
    Chunk(Option<usize>),
}

/// The comments between two statements.
pub struct CommentsBetween {
    /// Those on the last line of the statement before.
    pub same_line: String,
    /// All others.
    pub others: String,
    /// Byte offset of the first of the others in the gap.
    pub others_at: usize,
}

impl CommentsBetween {
    /// Sorts the comments of `gap`, the bytes between two statements. `precedes` is whether a statement follows.
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
