//! The last lines of a stderr log. A name in a header may contain line breaks, so the header of a message may begin on
//! an earlier line than the message.

use crate::prefix::readings::WINDOW;
use crate::scan::lines::split_lines;

/// Maximum length of the stored text. When it is reached, the older lines are removed.
const MAX_TEXT: usize = 16 * WINDOW;

/// The last lines. A header has less than [`WINDOW`] bytes.
#[derive(Default)]
pub struct RecentLines {
    /// Whole lines, each with a line break.
    text: Vec<u8>,
    /// Start of the last line in `text`.
    last: usize,
}

impl RecentLines {
    /// Replaces the lines. `text` are the lines before a batch.
    pub fn begin(&mut self, text: &[u8]) {
        self.text.clear();
        self.last = 0;
        if !text.is_empty() {
            split_lines(text).for_each(|line| self.push(line));
        }
    }

    /// Adds a line. Stores at most twice [`WINDOW`] bytes of it.
    #[inline]
    pub fn push(&mut self, line: &[u8]) {
        let end = self.text.len();
        // No header contains a line that is longer than a header.
        if end - self.last > WINDOW {
            self.text.clear();
        } else if end > MAX_TEXT {
            let cut = memchr::memchr(b'\n', &self.text[end - WINDOW..]).map_or(end, |at| end - WINDOW + at + 1);
            self.text.drain(..cut);
        }
        self.last = self.text.len();
        self.text.extend_from_slice(&line[..line.len().min(2 * WINDOW)]);
        self.text.push(b'\n');
    }

    /// Returns the texts in which a header may begin on an earlier line and end on the last one. Each text consists of
    /// the last line and of lines before it. Also returns the offset of the last line in the text.
    ///
    /// No text begins with a tab, because the server writes a tab at the start of each continuation line.
    pub fn spans(&self) -> impl Iterator<Item = (&[u8], usize)> {
        let from = self.last.saturating_sub(WINDOW);
        let first = (from == 0).then_some(0);
        let breaks = memchr::memchr_iter(b'\n', &self.text[from..self.last]).map(move |at| from + at + 1);
        let starts = first.into_iter().chain(breaks).filter(|start| *start < self.last && self.text[*start] != b'\t');
        starts.map(|start| (&self.text[start..self.text.len() - 1], self.last - start))
    }
}
