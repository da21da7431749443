//! The secrets in a string, and their replacement with masks.

use std::borrow::Cow;
use std::ops::Range;

use super::MASK;

/// The secrets of a string.
#[derive(Debug, Default)]
pub struct Found {
    /// Byte ranges of secrets, with their masks.
    pub(super) edits: Vec<(Range<usize>, &'static str)>,
    /// Numbers of the parameters whose values are secret.
    pub parameters: Vec<u32>,
}

impl Found {
    pub fn push(&mut self, range: Range<usize>, mask: &'static str) {
        if !range.is_empty() {
            self.edits.push((range, mask));
        }
    }

    /// Returns the byte ranges of the secrets.
    pub fn ranges(self) -> Vec<Range<usize>> {
        self.edits.into_iter().map(|(range, _)| range).collect()
    }

    /// Returns the secret values, except those that are already masked.
    pub fn texts<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.edits.iter().map(|(range, _)| &text[range.clone()]).filter(|secret| *secret != MASK).collect()
    }
}

/// Replaces the secrets of `text` with masks.
pub fn masked<'t>(text: &'t str, found: &Found) -> Cow<'t, str> {
    if found.edits.is_empty() {
        return text.into();
    }
    let mut edits: Vec<_> = found.edits.iter().collect();
    edits.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for (range, mask) in edits.into_iter().filter(|(range, _)| !range.is_empty()) {
        // Ranges may be nested.
        if range.start >= end {
            out.push_str(&text[end..range.start]);
            out.push_str(mask);
            end = range.end;
        }
    }
    out.push_str(&text[end..]);
    out.into()
}
