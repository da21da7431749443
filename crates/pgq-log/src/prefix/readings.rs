//! Whether a line can be read in two ways: a name in its prefix contains what ends the name, or a label. Matches
//! nothing for records.

use foldhash::HashMap;

use super::search::host_lens;
use super::{EscapeForm, Prefix, PrefixField, PrefixItem, PrefixRanges, label_at, max_len};

/// Bytes after a prefix in which another reading may have its label.
const WINDOW: usize = 6 * 64;
/// Steps after which a line counts as ambiguous.
const MAX_STEPS: usize = 4096;
/// Maximum number of names whose readings are kept.
const MAX_KNOWN: usize = 4096;

/// How the readings of a line differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ambiguity {
    /// There is one.
    None,
    /// In where its names end: `a@b@c` under `%u@%d`.
    Names,
    /// In its message.
    Message,
}

/// The fields of any text, with the literals after them.
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
    /// Whether it has a field of any text.
    pub fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    /// What other readings a line has, which matches this prefix with `ranges` up to offset `text`.
    /// `known`: what was found for the names of other lines.
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
        let starts = self.texts.iter().map(|(field, _)| ranges.get(*field)).filter(|range| range.end > 0);
        let start = starts.map(|range| range.start).min().unwrap_or(0).min(label);
        let has_label = has_other_label(line, start, text);
        // Without another label, the names decide, which a session has in common.
        if !has_label && let Some(ambiguity) = known.get(&line[start..label]) {
            return *ambiguity;
        }
        let has_other_end = |(field, literal): &(PrefixField, Vec<u8>)| {
            let range = ranges.get(*field);
            let Some(first) = literal.first().filter(|_| range.end > 0) else { return false };
            let mut found = memchr::memchr_iter(*first, &line[range.start..label.max(range.start)]);
            found.any(|at| range.start + at != range.end && line[range.start + at..].starts_with(literal))
        };
        if !has_label && !self.texts.iter().any(has_other_end) {
            return Ambiguity::None;
        }
        if known.len() > MAX_KNOWN {
            known.clear();
        }
        let mut readings = Readings { line, first: None, have_other_names: false, steps: 0 };
        let ambiguity = match readings.differ(&self.items, 0, &mut Vec::new()) {
            true => Ambiguity::Message,
            false if readings.have_other_names => Ambiguity::Names,
            false => Ambiguity::None,
        };
        if !has_label {
            known.insert(line[start..label].to_vec(), ambiguity);
        }
        ambiguity
    }
}

/// Where the label starts whose text starts at offset `text`.
fn label_start(line: &[u8], text: usize) -> usize {
    const LONGEST: usize = 48;
    let before = &line[..text];
    if before.ends_with(b"LOG:  ") {
        return text - 6;
    }
    let mut starts = (text.saturating_sub(LONGEST)..text).rev();
    starts.find(|at| label_at(line, *at).is_some_and(|(_, end)| end <= text)).unwrap_or(text)
}

/// Whether something like a label is after offset `from` of a line, other than the one that ends at offset `text`.
fn has_other_label(line: &[u8], from: usize, text: usize) -> bool {
    let window = &line[from..line.len().min(text + WINDOW)];
    let own = line[from..text].iter().rposition(|b| *b == b':');
    let is_end = |at: usize| {
        let before = at.checked_sub(1).map_or(0, |at| window[at]);
        Some(at) != own
            && window.get(at + 1).is_none_or(|next| *next == b' ')
            && (before.is_ascii_uppercase() || before.is_ascii_digit() || before >= 0x80 || b") '".contains(&before))
    };
    memchr::memchr_iter(b':', window).any(is_end)
}

/// All readings of a line, until two differ in their message.
struct Readings<'a> {
    line: &'a [u8],
    /// The ends of the fields of the first reading.
    first: Option<Vec<usize>>,
    /// Whether one has the same message and other names.
    have_other_names: bool,
    steps: usize,
}

impl Readings<'_> {
    /// Whether two readings of `items` from offset `at` on have different messages. `ends`: the ends of the fields before it.
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
                let last = line.len().min(at + max_len(*field).max(width));
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

    /// Takes a reading whose prefix ends at an offset. Whether its message differs from that of the first.
    fn end(&mut self, at: usize, ends: &[usize]) -> bool {
        if label_at(self.line, at).is_none() {
            return false;
        }
        let reading: Vec<usize> = ends.iter().copied().chain([at]).collect();
        let first = self.first.get_or_insert_with(|| reading.clone());
        self.have_other_names |= *first != reading;
        first.last() != reading.last()
    }
}
