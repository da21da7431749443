//! Computes the widths of the elements of a document, in one pass.

use super::document::Element;

/// Widths and positions of elements. Widths are computed as if the whole document were on one line.
pub(crate) struct Measures {
    /// For each element, the total width of the elements before it.
    before: Vec<u32>,
    /// For each element, the index of the first element at which a line may end: this element or a following one.
    next_break: Vec<u32>,
    /// For each element, the index of the first text with several lines: this element or a following one.
    next_lines: Vec<u32>,
    /// For a group, the index of its end. For a break, the index of the next break in the same group; if there is no
    /// next break, the index of the group's end.
    pub(crate) partner: Vec<u32>,
}

impl Measures {
    pub(crate) fn of(elements: &[Element<'_>]) -> Self {
        let count = elements.len();
        let mut before = Vec::with_capacity(count + 1);
        let mut width = 0u32;
        for element in elements {
            before.push(width);
            width = width.saturating_add(flat_width(element));
        }
        before.push(width);
        let mut next_break = vec![count as u32; count + 1];
        let mut next_lines = next_break.clone();
        let mut partner = next_break.clone();
        // The groups around the current element, outermost first. Each entry has the index of the group's end, and the
        // index of the next break in the group. If there is no next break, the second index is also the index of the
        // group's end. Both indices are known, because the loop runs from the last element to the first.
        let mut groups = vec![(count as u32, count as u32)];
        for (at, element) in elements.iter().enumerate().rev() {
            let place = at as u32;
            next_break[at] = next_break[at + 1];
            next_lines[at] = next_lines[at + 1];
            match element {
                Element::End => groups.push((place, place)),
                Element::Group { .. } => partner[at] = groups.pop().map_or(count as u32, |(end, _)| end),
                Element::Break { .. } => {
                    next_break[at] = place;
                    if let Some((_, next)) = groups.last_mut() {
                        partner[at] = std::mem::replace(next, place);
                    }
                }
                Element::Newline => next_break[at] = place,
                Element::Text(text) if text.contains('\n') => {
                    (next_break[at], next_lines[at]) = (place, place);
                }
                _ => {}
            }
        }
        Self { before, next_break, next_lines, partner }
    }

    /// Returns the width that a line needs for the elements `from..to` and for the elements after them up to the next
    /// possible break. If one of these elements is a text with several lines, the width ends after the first line of
    /// this text.
    pub(crate) fn width_until(&self, from: usize, to: usize) -> usize {
        let lines = self.next_lines[from] as usize;
        let end = if lines < to { lines } else { self.next_break[to] as usize };
        // If the element at `end` is a text with several lines, include its first line.
        let end = if self.next_lines[end.min(self.next_lines.len() - 1)] as usize == end { end + 1 } else { end };
        self.width(from, end.min(self.before.len() - 1))
    }

    /// Returns the width from one element to another.
    fn width(&self, from: usize, to: usize) -> usize {
        (self.before[to] - self.before[from]) as usize
    }
}

fn flat_width(element: &Element<'_>) -> u32 {
    match element {
        Element::Text(text) => chars(text),
        _ => 0,
    }
}

/// Returns the number of characters in the first line of a text.
pub(crate) fn chars(text: &str) -> u32 {
    let line = text.split(['\n', '\r']).next().unwrap_or_default();
    if line.is_ascii() { line.len() as u32 } else { line.chars().count() as u32 }
}
