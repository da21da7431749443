//! Parts of a line that the server split for syslog (elog.c: write_syslog). The server ends a part at the last white
//! space within the limit, and the next part begins with this white space. Without white space, a part ends inside a
//! word. A line break of the message also ends a part, and the next part begins with the tab of a continuation line.

/// PG_SYSLOG_LIMIT in elog.c.
const LIMIT: usize = 900;
/// A part may be shorter than the limit by up to this number of bytes, because it ends at a character boundary.
const CHARACTER: usize = 3;

/// A numbered part.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Lower bound of the length, in bytes, that the part had before a daemon escaped its control characters. The exact
    /// length is unknown, because each `#` may be part of the text or the start of an escape (`#033`).
    min_len: usize,
    /// Upper bound of the length, in bytes, that the part had before a daemon escaped its control characters.
    max_len: usize,
    has_tabs: bool,
}

/// Whether a line break precedes a part that starts with a tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// There is a line break.
    Line,
    /// There is probably a line break.
    LikelyLine,
    /// There is probably no line break. The text has other tabs, so the server probably split a line at this tab.
    LikelyTab,
}

impl Part {
    pub fn new(text: &[u8]) -> Self {
        let escapes = memchr::memchr_iter(b'#', text).count();
        Self { min_len: text.len().saturating_sub(3 * escapes), max_len: text.len(), has_tabs: has_tabs(text) }
    }

    /// Whether a line break of the message precedes `next`, the next part, which does not start with a tab. Returns
    /// false if the server may instead have split the line here because of the limit.
    ///
    /// If `next` starts with a blank, journald may have removed further blanks at the end of this part, so this part
    /// was longer by an unknown number of bytes. In this case, returns true only if this part has at most half of the
    /// limit.
    pub fn ends_before(self, next: &[u8]) -> bool {
        self.has_room_for(next) && !(next.first().is_some_and(u8::is_ascii_whitespace) && self.max_len > LIMIT / 2)
    }

    /// Whether the first word of `next`, the next part of the message, would fit in this part. If so, the server did
    /// not split a line at the start of `next`.
    fn has_room_for(self, next: &[u8]) -> bool {
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
        let word_end = next.iter().skip(1).position(is_space).map_or(next.len(), |at| at + 1);
        let limit = if next[..word_end].is_ascii() { LIMIT } else { LIMIT - CHARACTER };
        self.max_len + word_end <= limit
    }

    /// Returns whether a line break precedes `next`, the next part of the message, which starts with a tab. The server
    /// splits a line at a tab only if the part before the tab has no room for the word after the tab.
    pub fn break_before(self, next: &[u8]) -> Break {
        if self.min_len > LIMIT || self.has_room_for(next) {
            Break::Line
        } else if self.has_tabs || has_tabs(next) {
            Break::LikelyTab
        } else {
            Break::LikelyLine
        }
    }
}

/// Whether a text has tabs after its indentation.
fn has_tabs(text: &[u8]) -> bool {
    text.trim_ascii_start().contains(&b'\t')
}
