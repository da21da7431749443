//! Matches typical lines against a prefix in one pass. An arbitrary value ends at the first occurrence of the literal
//! that follows it in the prefix. If the rest of the prefix does not match, a later occurrence of this literal is
//! tried, but only for the arbitrary value that was matched last. A match is always the match that search.rs would find
//! first. If there is no match, search.rs tries all ends of all values.

use super::search::{host_lens, is_host_byte};
use super::{EscapeForm, KnownTails, PrefixField, PrefixItem, PrefixRanges, label_at, max_len};
use crate::message::label::Label;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Byte(u8),
    Literal(Box<[u8]>),
    /// A value whose form determines its end.
    Form {
        field: Option<PrefixField>,
        form: EscapeForm,
        required: bool,
    },
    /// An arbitrary value, and the literal after it.
    Text {
        field: Option<PrefixField>,
        literal: Box<[u8]>,
    },
    /// A host, and the literal after it.
    Host {
        field: Option<PrefixField>,
        literal: Box<[u8]>,
    },
}

/// Matcher for a prefix without padding, in which a literal follows every arbitrary value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StraightMatcher {
    steps: Box<[Step]>,
    /// Whether an `@` follows the user in the prefix. A user name may also contain an `@`.
    user_ends_at_sign: bool,
    /// Index of the first step after the last field that varies within a session. A step matches one part of the
    /// prefix.
    tail: usize,
}

/// The last matched arbitrary value. Its end can be moved to a later occurrence of the literal that follows the value
/// in the prefix.
struct Choice<'a> {
    step: usize,
    field: Option<PrefixField>,
    literal: &'a [u8],
    start: usize,
    end: usize,
}

impl StraightMatcher {
    /// Creates a matcher. Returns `None` if only search.rs can match the prefix.
    pub fn new(items: &[PrefixItem]) -> Option<Self> {
        let literal_after = |index: usize| match items.get(index + 1) {
            Some(PrefixItem::Literal(text)) => Some(text.clone().into_boxed_slice()),
            _ => None,
        };
        let mut fields: Vec<PrefixField> = Vec::new();
        let mut steps = Vec::new();
        let mut user_ends_at_sign = false;
        let mut tail = 0;
        for (index, item) in items.iter().enumerate() {
            let follows_text = index > 0
                && matches!(&items[index - 1], PrefixItem::Escape { form: EscapeForm::Text | EscapeForm::Host, .. });
            match item {
                PrefixItem::Literal(_) if follows_text => {} // part of the previous step
                PrefixItem::Literal(text) if text.len() == 1 => steps.push(Step::Byte(text[0])),
                PrefixItem::Literal(text) => steps.push(Step::Literal(text.clone().into_boxed_slice())),
                // `%q` needs no step, because a session's line matches the whole prefix. For other lines, search.rs
                // decides.
                PrefixItem::Quit => {}
                PrefixItem::Escape { padding, .. } if *padding != 0 => return None,
                PrefixItem::Escape { field, form, required, .. } => {
                    if field.is_some_and(|field| fields.contains(&field)) {
                        return None;
                    }
                    // If the value is `[unknown]`, the one-pass match would end the value before its first byte,
                    // because the literal after the value also starts with `[`. Therefore search.rs must match this
                    // prefix.
                    if literal_after(index).is_some_and(|literal| literal[0] == b'[') && *form == EscapeForm::Text {
                        return None;
                    }
                    fields.extend(*field);
                    let field = *field;
                    steps.push(match form {
                        EscapeForm::Backend => return None,
                        EscapeForm::Text => Step::Text { field, literal: literal_after(index)? },
                        EscapeForm::Host => Step::Host { field, literal: literal_after(index)? },
                        form => Step::Form { field, form: *form, required: *required },
                    });
                    if field.is_some_and(PrefixField::varies) || *form == EscapeForm::Timestamp {
                        tail = steps.len();
                    }
                    user_ends_at_sign |=
                        field == Some(PrefixField::User) && items.get(index + 1).is_some_and(PrefixItem::is_at_sign);
                }
            }
        }
        Some(Self { steps: steps.into_boxed_slice(), user_ends_at_sign, tail })
    }

    /// Like [`Prefix::match_line`](super::Prefix::match_line), but tries only the one-pass match. If the result is
    /// `None`, the caller must try the backtracking search in search.rs.
    #[inline]
    pub fn match_line(&self, known: &mut KnownTails, line: &[u8], ranges: &mut PrefixRanges) -> Option<(Label, usize)> {
        let (mut at, mut index) = (0, 0);
        while let Some(step @ (Step::Byte(_) | Step::Literal(_) | Step::Form { .. })) =
            self.steps[..self.tail].get(index)
        {
            at = step.pass(line, at, ranges)?;
            index += 1;
        }
        if index == self.tail && known.is_worthwhile() {
            let set = |field, start, end| ranges.set(field, at + start as usize..at + end as usize);
            let found = known.find(&line[at..], set).and_then(|(len, ())| label_at(line, at + len));
            return found.or_else(|| self.match_steps(line, (at, index), ranges, Some(known)));
        }
        self.match_steps(line, (at, index), ranges, None)
    }

    /// Matches the steps that remain. `start` has the offset in the line where the match begins, and the index of the
    /// first step. If all steps match, may store the tail of the match in `known`. A tail is constant within a session.
    fn match_steps(
        &self,
        line: &[u8],
        start: (usize, usize),
        ranges: &mut PrefixRanges,
        mut known: Option<&mut KnownTails>,
    ) -> Option<(Label, usize)> {
        let (mut at, mut index) = start;
        let mut last_text: Option<Choice<'_>> = None;
        // End of the last host, and length of the literal after it.
        let mut last_host = None;
        loop {
            let Some(step) = self.steps.get(index) else {
                match label_at(line, at) {
                    Some(found) if self.user_ends_at_sign && has_at_sign(line, ranges, found.1) => return None,
                    Some(found) => {
                        if let Some(known) = known
                            && self.ends_before_label(&line[..at], last_host)
                        {
                            keep_tail(known, &line[..at], start.0, ranges);
                        }
                        return Some(found);
                    }
                    None => (at, index) = last_text.as_mut()?.try_again(line, ranges)?,
                }
                known = None; // the end depended on the bytes after the prefix
                continue;
            };
            let end = match step {
                Step::Byte(_) | Step::Literal(_) | Step::Form { .. } => step.pass(line, at, ranges),
                Step::Text { field, literal } => {
                    let end = find_end(line, *field, at, at, literal);
                    if let Some(end) = end {
                        if literal[0] != b' ' && has_blank(*field, &line[at..end]) {
                            return None;
                        }
                        set(ranges, *field, at, end);
                        last_text = Some(Choice { step: index, field: *field, literal, start: at, end });
                    }
                    end.map(|end| end + literal.len())
                }
                Step::Host { field, literal } => {
                    let len = host_lens(&line[at..]).find(|len| line[at + len..].starts_with(literal));
                    if let Some(len) = len {
                        set(ranges, *field, at, at + len);
                    }
                    last_text = None; // after a mismatch, `search` would first try other ends of the host
                    last_host = len.map(|len| (at + len, literal.len()));
                    len.map(|len| at + len + literal.len())
                }
            };
            (at, index) = match end {
                Some(end) => (end, index + 1),
                None => {
                    known = None;
                    last_text.as_mut()?.try_again(line, ranges)?
                }
            };
        }
    }

    /// Whether the prefix would match in the same way if another label followed it. `last_host`: the end of the last
    /// host, and the length of the literal after that host.
    fn ends_before_label(&self, prefix: &[u8], last_host: Option<(usize, usize)>) -> bool {
        // If a byte between the host and the label cannot be part of a host, a longer host cannot match.
        let ends_host = |(end, literal): (usize, usize)| {
            prefix[end..]
                .iter()
                .position(|byte| !is_host_byte(*byte))
                .is_some_and(|len| end + len + literal <= prefix.len())
        };
        !matches!(self.steps.last(), Some(Step::Form { .. })) && last_host.is_none_or(ends_host)
    }
}

/// Stores the tail of a prefix, which is the part that is constant within a session. It starts at offset `at`.
#[cold]
fn keep_tail(known: &mut KnownTails, prefix: &[u8], at: usize, ranges: &PrefixRanges) {
    let fields = PrefixField::ALL.into_iter().map(|field| (field, ranges.get(field)));
    let inside = fields.filter(|(_, range)| range.start >= at && !range.is_empty());
    let fields = inside.map(|(field, range)| (field, (range.start - at) as u32, (range.end - at) as u32));
    known.keep(&prefix[at..], fields, ());
}

impl Step {
    /// Matches a step other than `Text` and `Host`. Returns the offset after the match.
    #[inline]
    fn pass(&self, line: &[u8], at: usize, ranges: &mut PrefixRanges) -> Option<usize> {
        match self {
            Self::Byte(byte) => (line.get(at) == Some(byte)).then_some(at + 1),
            Self::Literal(text) => line[at..].starts_with(text).then_some(at + text.len()),
            Self::Form { field, form, required } => {
                let len = form.len(&line[at..]);
                if let Some(field) = field {
                    ranges.set(*field, at..at + len);
                }
                (len > 0 || !required).then_some(at + len)
            }
            Self::Text { .. } | Self::Host { .. } => None,
        }
    }
}

impl Choice<'_> {
    /// Moves the end of this arbitrary value to the next occurrence of the literal after it. Returns the offset and
    /// the step at which matching continues.
    #[cold]
    fn try_again(&mut self, line: &[u8], ranges: &mut PrefixRanges) -> Option<(usize, usize)> {
        self.end = find_end(line, self.field, self.start, self.end + 1, self.literal)?;
        if has_blank(self.field, &line[self.start..self.end]) {
            return None;
        }
        set(ranges, self.field, self.start, self.end);
        Some((self.end + self.literal.len(), self.step + 1))
    }
}

#[inline]
fn set(ranges: &mut PrefixRanges, field: Option<PrefixField>, start: usize, end: usize) {
    if let Some(field) = field {
        ranges.set(field, start..end);
    }
}

/// Whether `text` is the name of a user or a database, and contains a blank. If so, search.rs must match the line,
/// because it first tries names without blanks. The loop is fast, because names are short.
#[inline]
fn has_blank(field: Option<PrefixField>, text: &[u8]) -> bool {
    matches!(field, Some(PrefixField::User | PrefixField::Database))
        && text.iter().fold(false, |any, byte| any | (*byte == b' '))
}

/// Returns the first possible end of the value that starts at `start`. The end is at offset `from` or later.
#[inline(always)]
fn find_end(line: &[u8], field: Option<PrefixField>, start: usize, mut from: usize, literal: &[u8]) -> Option<usize> {
    /// Number of bytes that a loop scans before the vectorized search. Most names are shorter.
    const SHORT: usize = 16;
    let max_end = line.len().min(start + max_len(field) + 1);
    let &first = literal.first()?;
    loop {
        let rest = line.get(from..max_end)?;
        let short = &rest[..rest.len().min(SHORT)];
        from += match short.iter().position(|byte| *byte == first) {
            Some(len) => len,
            None => short.len() + memchr::memchr(first, &rest[short.len()..])?,
        };
        if literal.len() == 1 || line[from..].starts_with(literal) {
            return Some(from);
        }
        from += 1;
    }
}

/// Whether the user name may be longer, because there is another `@` after it and before `end`.
#[inline]
fn has_at_sign(line: &[u8], ranges: &PrefixRanges, end: usize) -> bool {
    let start = ranges.get(PrefixField::User).end + 1;
    // Compiles to a few vector instructions. The 32 bytes may extend beyond `end`, but an `@` there only causes an
    // unnecessary search.
    let none = |bytes: &[u8; 32]| !bytes.iter().fold(false, |any, byte| any | (*byte == b'@'));
    if end <= start + 32 && line[start..].first_chunk::<32>().is_some_and(none) {
        return false;
    }
    memchr::memchr(b'@', &line[start..end]).is_some()
}
