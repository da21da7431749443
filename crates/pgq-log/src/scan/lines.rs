//! Splits bytes into lines.

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
