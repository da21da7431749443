//! The secrets found in a string, and their replacement with masks.

use std::borrow::Cow;
use std::ops::Range;

/// The secrets of a string.
#[derive(Debug, Default)]
pub struct Found {
    /// Byte ranges of secrets, and their replacements.
    pub(super) edits: Vec<(Range<usize>, &'static str)>,
}

impl Found {
    pub fn push(&mut self, range: Range<usize>, mask: &'static str) {
        if !range.is_empty() {
            self.edits.push((range, mask));
        }
    }

    /// Returns the start of the first secret.
    pub fn start(&self) -> Option<usize> {
        self.edits.iter().map(|(range, _)| range.start).min()
    }

    /// Returns the byte ranges of the secrets.
    pub fn ranges(self) -> Vec<Range<usize>> {
        self.edits.into_iter().map(|(range, _)| range).collect()
    }
}

/// Replaces the secrets that were found in `text` with masks.
pub fn masked<'t>(text: &'t str, found: &Found) -> Cow<'t, str> {
    if found.edits.is_empty() {
        return text.into();
    }
    let mut edits: Vec<_> = found.edits.iter().collect();
    edits.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for (range, mask) in edits.into_iter().filter(|(range, _)| !range.is_empty()) {
        // Ranges may overlap.
        if range.start >= end {
            out.push_str(&text[end..range.start]);
            out.push_str(mask);
        }
        end = end.max(range.end);
    }
    out.push_str(&text[end..]);
    out.into()
}
