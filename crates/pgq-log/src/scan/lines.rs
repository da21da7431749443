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

/// If `is_row` is true for the first line, returns the lines that begin outside of quotes. Otherwise returns all lines:
/// it is unknown which of them are inside quotes. `text` returns the text of a line.
pub(crate) fn outside_quotes<L>(
    lines: impl Iterator<Item = L>,
    text: impl Fn(&L) -> &[u8],
    is_row: impl Fn(&[u8]) -> bool,
) -> impl Iterator<Item = L> {
    let (mut begins_with_row, mut is_quoted) = (None, false);
    lines.filter(move |line| {
        let (text, was_quoted) = (text(line), is_quoted);
        let begins_with_row = *begins_with_row.get_or_insert_with(|| is_row(text));
        is_quoted ^= begins_with_row && memchr::memchr_iter(b'"', text).count() % 2 == 1;
        !was_quoted
    })
}
