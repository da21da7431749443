//! Detects lines that match a prefix in several ways, because a name contains a label, or the delimiter that ends the
//! name.

use std::ops::Range;

use foldhash::HashMap;

use super::search::host_lens;
use super::{EscapeForm, Prefix, PrefixField, PrefixItem, PrefixRanges, label_at, last_end};
use crate::message::label::find_label;
use crate::message::startup::contains_startup_error;

/// Number of bytes after a prefix that are searched for another label. This number suffices for two names, even if
/// syslog writes each byte of a name as four bytes.
pub const WINDOW: usize = 2 * 4 * 63 + 64;
/// Maximum number of search steps for a line. A line that needs more steps counts as ambiguous.
const MAX_STEPS: usize = 4096;
/// Maximum number of cached names.
const MAX_KNOWN: usize = 4096;

/// How the readings of a line differ. A reading is one way to match the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ambiguity {
    /// There is only one reading.
    None,
    /// The names are divided in different ways: `a@b@c` with `%u@%d`.
    Names,
    /// The messages differ.
    Message,
}

/// Returns the fields with arbitrary values, each with the literal after it.
pub(super) fn texts(items: &[PrefixItem]) -> Vec<(PrefixField, Vec<u8>)> {
    let text = |(index, item): (usize, &PrefixItem)| match item {
        PrefixItem::Escape { field: Some(field), form: EscapeForm::Text, .. } => {
            let next = items[index + 1..].iter().find(|item| **item != PrefixItem::Quit);
            let literal = if let Some(PrefixItem::Literal(text)) = next { text.clone() } else { Vec::new() };
            Some((*field, literal))
        }
        _ => None,
    };
    items.iter().enumerate().filter_map(text).collect()
}

impl Prefix {
    /// Whether the prefix has a field with arbitrary values.
    pub fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Compares the readings of a line, that is, all ways in which this prefix can match the line. Returns how they
    /// differ. `ranges` are the fields of one reading, and the message starts at offset `text`. `known` caches
    /// results, keyed by the bytes from the first name to the label.
    pub fn ambiguity(
        &self,
        line: &[u8],
        text: usize,
        ranges: &PrefixRanges,
        known: &mut HashMap<Vec<u8>, Ambiguity>,
    ) -> Ambiguity {
        if self.texts.is_empty() {
            return Ambiguity::None;
        }
        let label = label_start(line, text);
        let mut starts = self.texts.iter().map(|(field, _)| ranges.get(*field)).filter(|range| range.end > 0);
        let mut start = starts.next().map_or(label, |range| range.start.min(label));
        // Like a name, a backend type can be any text.
        let backend = ranges.get(PrefixField::BackendType);
        if backend.end > 0 {
            start = start.min(backend.start);
        }
        if line.len() > text + WINDOW && contains_startup_error(&line[text..]) {
            return Ambiguity::Message;
        }
        if has_label(&line[text..line.len().min(text + WINDOW)]) {
            let has_startup_error = contains_startup_error(&line[text..]);
            return if has_startup_error { Ambiguity::Message } else { self.ambiguity_of(line, start..label) };
        }
        // If the message contains no label such as `ERROR:`, the result depends only on the names, which are
        // constant within a session. The result can therefore be cached.
        if let Some(ambiguity) = known.get(&line[start..label]) {
            return *ambiguity;
        }
        let has_other_end = |(field, literal): &(PrefixField, Vec<u8>)| {
            let range = ranges.get(*field);
            let Some(first) = literal.first().filter(|_| range.end > 0) else { return false };
            let mut found = memchr::memchr_iter(*first, &line[range.start..label.max(range.start)]);
            found.any(|at| range.start + at != range.end && line[range.start + at..].starts_with(literal))
        };
        if !self.texts.iter().any(has_other_end) && !has_label(&line[start..label]) {
            return Ambiguity::None;
        }
        if known.len() > MAX_KNOWN {
            known.clear();
        }
        let ambiguity = self.ambiguity_of(&line[..text], start..label);
        known.insert(line[start..label].to_vec(), ambiguity);
        ambiguity
    }

    /// `names`: the range from the first name to the label.
    #[cold]
    fn ambiguity_of(&self, line: &[u8], names: Range<usize>) -> Ambiguity {
        // If a name contains a label, the line may be the end of a longer header: this label is then the real one, and
        // what looks like the label of the line belongs to the message.
        if find_label(&line[names]).is_some() {
            return Ambiguity::Message;
        }
        let mut readings = Readings { line, first: None, least: 0, have_other_names: false, steps: 0 };
        match readings.differ(&self.items, 0, &mut Vec::new()) {
            true => Ambiguity::Message,
            false if readings.have_other_names => Ambiguity::Names,
            false => Ambiguity::None,
        }
    }

    /// Whether the header of a message may continue on a later line of `lines`, because a name contains a line break.
    /// The header may continue if the prefix can match a text that ends at offset `least` or later. `least` must be on
    /// a line after the first.
    pub fn may_break_a_name(&self, lines: &[u8], least: usize) -> bool {
        self.has_texts() && has_label(&lines[least..]) && {
            // A sentinel in place of the first match. Every match differs from the sentinel, so `differ` returns true
            // as soon as it finds one match.
            let first = Some(vec![0]);
            let mut readings = Readings { line: lines, first, least, have_other_names: false, steps: 0 };
            readings.differ(&self.items, 0, &mut Vec::new())
        }
    }
}

/// Returns the start of the label that ends at offset `text`.
fn label_start(line: &[u8], text: usize) -> usize {
    const LONGEST: usize = 48;
    let before = &line[..text];
    if before.ends_with(b"LOG:  ") {
        return text - 6;
    }
    let mut starts = (text.saturating_sub(LONGEST)..text).rev();
    starts.find(|at| label_at(line, *at).is_some_and(|(_, end)| end <= text)).unwrap_or(text)
}

/// Whether the start of a message may contain a label.
fn has_label(message: &[u8]) -> bool {
    let is_end = |at: usize| {
        let before = at.checked_sub(1).map_or(0, |at| message[at]);
        message.get(at + 1).is_none_or(|next| *next == b' ')
            && (before.is_ascii_uppercase() || before.is_ascii_digit() || before >= 0x80 || b") '?".contains(&before))
    };
    memchr::memchr_iter(b':', message).any(is_end)
}

/// Enumerates the readings of a line (the ways in which the prefix can match it) until two readings have different
/// messages.
struct Readings<'a> {
    line: &'a [u8],
    /// Ends of the fields in the first reading.
    first: Option<Vec<usize>>,
    /// Matches of the prefix that end before this offset are ignored.
    least: usize,
    /// Whether another match of the prefix has the same message but different names.
    have_other_names: bool,
    steps: usize,
}

impl Readings<'_> {
    /// Matches `items` at offset `at` in all possible ways. Returns whether two of these matches have different
    /// messages. `ends`: the ends of the preceding fields.
    fn differ(&mut self, items: &[PrefixItem], at: usize, ends: &mut Vec<usize>) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return true;
        }
        let line = self.line;
        let Some((item, rest)) = items.split_first() else { return self.end(at, ends) };
        match item {
            PrefixItem::Literal(text) => line[at..].starts_with(text) && self.differ(rest, at + text.len(), ends),
            PrefixItem::Quit => self.differ(rest, at, ends) || self.end(at, ends),
            PrefixItem::Escape { form: EscapeForm::Host, padding: 0, .. } => {
                let mut lens: Vec<usize> = host_lens(&line[at..]).collect();
                lens.sort_unstable();
                lens.dedup();
                lens.into_iter().any(|len| self.with(rest, at + len, ends))
            }
            PrefixItem::Escape {
                field,
                form: EscapeForm::Text | EscapeForm::Host | EscapeForm::Backend,
                padding,
                ..
            } => {
                let width = padding.unsigned_abs() as usize;
                let mut last = last_end(line, at, *field).max(line.len().min(at + width));
                if !matches!(field, Some(PrefixField::User | PrefixField::Database)) {
                    // Only these names contain line breaks. In an application's name, the server replaces control
                    // characters (pg_clean_ascii).
                    last = memchr::memchr(b'\n', &line[at..last]).map_or(last, |len| at + len);
                }
                let literal = if let Some(PrefixItem::Literal(text)) = rest.first() { text.first() } else { None };
                let may_end = |end: &usize| literal.is_none_or(|byte| line.get(*end) == Some(byte));
                (at + width.min(last - at)..=last).filter(may_end).any(|end| self.with(rest, end, ends))
            }
            PrefixItem::Escape { form, required, padding, .. } => {
                let blank = |at: usize| line.get(at) == Some(&b' ');
                let start = at + if *padding > 0 { line[at..].iter().take_while(|b| **b == b' ').count() } else { 0 };
                let mut end = start + form.len(&line[start..]);
                if form.has_letters() && matches!(rest.first(), None | Some(PrefixItem::Quit)) {
                    end = (start..=end).rev().find(|end| label_at(line, *end).is_some()).unwrap_or(end);
                }
                if end == start && *required {
                    return false;
                }
                while *padding < 0 && end - start < padding.unsigned_abs() as usize && blank(end) {
                    end += 1;
                }
                self.differ(rest, end, ends)
            }
        }
    }

    fn with(&mut self, rest: &[PrefixItem], end: usize, ends: &mut Vec<usize>) -> bool {
        ends.push(end);
        let differ = self.differ(rest, end, ends);
        ends.pop();
        differ
    }

    /// Records a match of the whole prefix. The match ends at offset `at`. Returns whether its message differs from the
    /// message of the first match.
    fn end(&mut self, at: usize, ends: &[usize]) -> bool {
        if at < self.least || label_at(self.line, at).is_none() {
            return false;
        }
        let reading: Vec<usize> = ends.iter().copied().chain([at]).collect();
        let first = self.first.get_or_insert_with(|| reading.clone());
        self.have_other_names |= *first != reading;
        first.last() != reading.last()
    }
}
