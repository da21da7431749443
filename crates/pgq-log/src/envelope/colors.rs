//! Lines with terminal colors, and messages that are joined by tabs on one line.

use super::layer::{Emit, Layer, line_of};
use crate::format::frame::Frame;
use crate::message::label::find_label;
use crate::time::timestamp::timestamp_len;

/// Returns the length of the terminal escape sequence at the start of `text`, such as a color. Returns 0 if there is no
/// sequence.
fn color_len(text: &[u8]) -> usize {
    match text {
        [0x1b, b'[', rest @ ..] => {
            let codes = rest.iter().take_while(|b| (0x20..0x40).contains(*b)).count();
            if rest.get(codes).is_some_and(|b| (0x40..0x7f).contains(b)) { codes + 3 } else { 0 }
        }
        // Such a sequence ends with `ESC \` or BEL.
        [0x1b, b']' | b'_' | b'P', rest @ ..] => {
            let end = memchr::memchr2(0x07, 0x1b, &rest[..rest.len().min(256)]);
            end.map_or(0, |end| end + if rest[end] == 0x07 { 3 } else { 4 })
        }
        _ => 0,
    }
}

pub fn has_color(line: &[u8]) -> bool {
    memchr::memchr_iter(0x1b, line).any(|at| color_len(&line[at..]) > 0)
}

/// Returns the offsets at which a message follows a tab. Ignores the tab at the start of a continuation line.
pub fn starts_behind_tabs(line: &[u8]) -> impl Iterator<Item = usize> {
    /// Maximum length of a prefix, in bytes. A longer text before a severity is not a prefix.
    const MAX_PREFIX_LEN: usize = 256;
    let is_message = |at: &usize| {
        let text = &line[*at..];
        timestamp_len(text) > 0
            && find_label(&text[..text.len().min(2 * MAX_PREFIX_LEN)]).is_some_and(|(start, ..)| start < MAX_PREFIX_LEN)
    };
    memchr::memchr_iter(b'\t', line).filter(|at| *at > 0).map(|at| at + 1).filter(is_message)
}

impl Layer {
    pub(super) fn colored_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        if !has_color(line) {
            return emit(outer, line);
        }
        let (mut text, mut rest) = (Vec::with_capacity(line.len()), line);
        while let Some(at) = memchr::memchr(0x1b, rest) {
            let len = color_len(&rest[at..]).max(1);
            text.extend_from_slice(if len > 1 { &rest[..at] } else { &rest[..=at] });
            rest = &rest[at + len..];
        }
        text.extend_from_slice(rest);
        emit(&Frame { position: line_of(outer), altered: true, ..*outer }, &text);
    }

    pub(super) fn tabs_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        let frame = Frame { position: line_of(outer), altered: true, ..*outer };
        let mut start = 0;
        for next in starts_behind_tabs(line) {
            emit(&frame, &line[start..next - 1]);
            start = next;
        }
        emit(&frame, &line[start..]);
    }
}
