//! Line ends of a script. A lone carriage return also counts as a line end, because PostgreSQL ends
//! a `--` comment there.

use memchr::{memchr2_iter, memmem};

/// Returns the number of line ends. CR LF is one line end.
pub(super) fn count(text: &str) -> usize {
    let bytes = text.as_bytes();
    memchr2_iter(b'\n', b'\r', bytes).filter(|at| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n')).count()
}

/// Returns the line end to write in a script: CR LF if most lines end in it, otherwise LF. Never
/// returns a lone carriage return, because psql does not end a line there.
pub(super) fn of(text: &str) -> &'static str {
    let crlf = memmem::find_iter(text.as_bytes(), "\r\n").count();
    if 2 * crlf > memchr::memchr_iter(b'\n', text.as_bytes()).count() { "\r\n" } else { "\n" }
}

/// Replaces each LF without a preceding CR with `line_end`, except inside tokens and comments.
pub(super) fn replace(text: String, line_end: &str) -> String {
    if line_end == "\n" {
        return text;
    }
    // Keep each LF if the lexer cannot read the text, for example because of a template.
    let Ok(tokens) = crate::scan(&text) else { return text };
    let mut replaced = String::with_capacity(text.len() + text.len() / 16);
    let mut last = 0;
    let ends = tokens.iter().map(|token| (token.start, token.end)).chain(std::iter::once((text.len(), text.len())));
    for (start, end) in ends {
        for line in text[last..start].split_inclusive('\n') {
            replaced.push_str(line.trim_end_matches(['\r', '\n']));
            replaced.push_str(if line.ends_with('\n') { line_end } else { "" });
        }
        replaced.push_str(&text[start..end]);
        last = end;
    }
    replaced
}
