//! A hint for syntax errors at placeholders of drivers: `?`, `:id`, `%s`.

use super::diagnostic::SourceText;

/// Names the option that reads the placeholder at a syntax error, if there is one.
pub fn placeholder_hint(error: &pgq::Error, source: SourceText<'_>) -> Option<String> {
    if !error.message.starts_with("syntax error") {
        return None;
    }
    let at = source.offset.min(source.text.len());
    let (before, after) = source.text.split_at(at);
    let style = match after {
        [b':', next, ..] if next.is_ascii_alphabetic() || *next == b'_' => "named or psql",
        [b':', next, ..] if next.is_ascii_digit() => "numeric",
        [b':', b'\'' | b'"' | b'{', ..] => "psql",
        [b'%', b's', ..] => "format",
        [b'%', b'(', ..] => "pyformat",
        // The parser takes `?` for an operator, and misses what follows it.
        _ if before.trim_ascii_end().ends_with(b"?") || after.starts_with(b"?") => "qmark",
        _ => return None,
    };
    Some(format!("for a placeholder, add --placeholders {style}"))
}
