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
        [b'@', b'e', b'x', b't', ..] => "extension",
        // Without `--placeholders`, PostgreSQL reads `%(id)s` as an operator, an expression and a word. The error is at
        // the word.
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

fn begins_with_named_parentheses(text: &[u8]) -> bool {
    let Some(inside) = text.strip_prefix(b"(") else { return false };
    let name = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && inside[name..].starts_with(b")s")
}

/// Operators of PostgreSQL or of an extension that are not reported as placeholders. Each of them ends in a character
/// with which placeholders begin. For example, `a <@b` looks like `<` and the placeholder `@b`.
const KNOWN_OPERATORS: [&str; 8] = ["<@", "^<@", "@@", "@@@", "^@", "@?", "<%", "<<%"];

/// Whether SQL may contain an operator that [`placeholder_in_operator`] finds. This check is faster, because it reads
/// no tokens.
pub fn may_have_placeholder(bytes: &[u8]) -> bool {
    candidates(bytes).next().is_some()
}

/// Returns the offset and the style of each string that looks like a placeholder, even in literals and comments.
fn candidates(bytes: &[u8]) -> impl Iterator<Item = (usize, &'static str)> {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    memchr::memchr3_iter(b'%', b'@', b'?', bytes).filter_map(move |at| {
        let next = bytes.get(at + 1);
        match bytes[at] {
            // A character directly after a word does not begin a placeholder. It may be part of an
            // e-mail address.
            _ if at > 0 && is_word(bytes.get(at - 1)) => None,
            b'%' if matches!(next, Some(b's' | b'b' | b't')) && !is_word(bytes.get(at + 2)) => Some((at, "format")),
            b'%' if begins_with_named_parentheses(&bytes[at + 1..]) => Some((at, "pyformat")),
            b'@' if is_word(next) && !next.is_some_and(u8::is_ascii_digit) => Some((at, "at")),
            b'?' => Some((at, "qmark")),
            _ => None,
        }
    })
}

/// In valid SQL, finds an operator that a database driver would read as a placeholder. Returns the byte offset of the
/// operator, and the placeholder style. For example, PostgreSQL reads `id =%s` as `id`, the operator `=%` and the
/// column `s`, but psycopg reads `%s`.
pub fn placeholder_in_operator(bytes: &[u8]) -> Option<(usize, &'static str)> {
    let mut candidates = candidates(bytes).peekable();
    candidates.peek()?;
    // Only operator tokens count. The same characters in literals and comments are ignored.
    let sql = std::str::from_utf8(bytes).ok()?;
    let tokens: Vec<_> = pgq::scan(sql).ok()?.into_iter().filter(|token| !token.is_comment()).collect();
    candidates.find_map(|(at, style)| {
        let index = tokens.partition_point(|token| token.end <= at);
        let token = tokens.get(index).filter(|token| token.start <= at && token.name() == "Op")?;
        let operator = &sql[token.start..token.end];
        let is_placeholder = match (operator, style) {
            ("@", _) => is_prefix(sql, &tokens[..index]),
            ("?", _) => is_prefix(sql, &tokens[..index]) || bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
            // A `?` counts as a placeholder only after `=`. It need not be the operator's last character: in `a =?+1`,
            // PostgreSQL reads `=?+` as one operator.
            (_, "qmark") => at > token.start && bytes[at - 1] == b'=',
            _ => at + 1 == token.end && !KNOWN_OPERATORS.contains(&operator),
        };
        is_placeholder.then_some((token.start, style))
    })
}

/// Returns whether an operator after `tokens` has no left operand.
fn is_prefix(sql: &str, tokens: &[pgq::Token]) -> bool {
    tokens.last().is_none_or(|last| {
        let is_symbol = sql[last.start..].starts_with(|char| "(,;[=<>!+-*/^%~@#&|`?".contains(char));
        let is_keyword = last.keyword_name() == "RESERVED_KEYWORD" && last.name() != "END_P";
        is_symbol || is_keyword || matches!(last.name(), "LIKE" | "ILIKE" | "BETWEEN" | "ESCAPE" | "ZONE" | "BY")
    })
}
