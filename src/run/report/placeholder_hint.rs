//! Hints for placeholders of database drivers in SQL: `?`, `:id`, `%s`.

use super::diagnostic::SourceText;

/// If a syntax error is at a placeholder, returns a hint about the option for such placeholders.
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
        // Without the option, PostgreSQL reads `%(id)s` as an operator, an expression and a word. The error is at the
        // word.
        [b's', ..] if ends_with_named_parentheses(before) => "pyformat",
        // PostgreSQL reads `?` as an operator, so the error is at the next token.
        _ if before.trim_ascii_end().ends_with(b"?") || after.starts_with(b"?") => "qmark",
        _ => return None,
    };
    Some(format!("for a placeholder, add --placeholders {style}"))
}

fn ends_with_named_parentheses(text: &[u8]) -> bool {
    let Some(inside) = text.strip_suffix(b")") else { return false };
    let name = inside.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && inside[..inside.len() - name].ends_with(b"%(")
}

/// In valid SQL, finds an operator that a database driver would read as a placeholder. Returns the byte offset of the
/// operator, and the placeholder style. For example, `id =%s` consists of `id`, the operator `=%` and the column `s`.
pub fn placeholder_in_operator(bytes: &[u8]) -> Option<(usize, &'static str)> {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let candidates = memchr::memchr2_iter(b'%', b'@', bytes).filter_map(|at| {
        let next = bytes.get(at + 1);
        let style = match bytes[at] {
            b'%' if next == Some(&b's') && !is_word(bytes.get(at + 2)) => "format",
            b'@' if is_word(next) => "at",
            _ => return None,
        };
        (at > 0 && bytes[at - 1] == b'=').then_some((at, style))
    });
    let mut candidates = candidates.peekable();
    candidates.peek()?;
    // Only operator tokens count. The same characters in literals and comments are ignored.
    let sql = std::str::from_utf8(bytes).ok()?;
    let operators: Vec<_> = pgq::scan(sql).ok()?.into_iter().filter(|token| token.name() == "Op").collect();
    candidates.find(|(at, _)| operators.iter().any(|token| token.start < *at && *at < token.end))
}
