//! Removes terminal colors from lines.

use crate::format::frame::{Emit, Frame};

/// Returns the length of the color or other control sequence at the start of `text`, or 0.
fn color_len(text: &[u8]) -> usize {
    let Some(rest) = text.strip_prefix(b"\x1b[") else { return 0 };
    let codes = rest.iter().take_while(|b| (0x20..0x40).contains(*b)).count();
    if rest.get(codes).is_some_and(|b| (0x40..0x7f).contains(b)) { codes + 3 } else { 0 }
}

pub fn has_color(line: &[u8]) -> bool {
    memchr::memchr_iter(0x1b, line).any(|at| color_len(&line[at..]) > 0)
}

pub fn colored_line(outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
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
    emit(&outer.with_altered_text(), &text);
}
