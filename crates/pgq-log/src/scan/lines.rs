//! Splits bytes into lines.

/// Whether all lines end in CRLF. A single such line is not sufficient, because a statement may contain a CRLF.
pub(crate) fn lines_end_in_cr(text: &[u8]) -> bool {
    let complete = &text[..memchr::memrchr(b'\n', text).unwrap_or(0)];
    !complete.is_empty() && split_lines(complete).all(|line| line.ends_with(b"\r"))
}

/// Returns the parts between line feeds, like `split`, but searches with SIMD.
pub(crate) fn split_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = memchr::memchr(b'\n', text);
        rest = end.map(|end| &text[end + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}
