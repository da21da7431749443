//! Masks the syntax that PostgreSQL does not know: placeholders of drivers, psql's variables, and
//! templates. Each occurrence is replaced with a name, a literal or a comment of the same length,
//! so that all offsets stay the same.

use std::ops::Range;

use memchr::memmem;

use super::bodies::Bodies;
use crate::syntax::SyntaxTree;

/// Returns copies of `sql`. Each copy masks the placeholders in a different way. The caller tries the copies in order.
/// Returns `None` if `sql` has no placeholder.
pub(super) fn placeholders(sql: &str) -> Option<Vec<String>> {
    let found = find(sql);
    if found.is_empty() {
        return None;
    }
    let with = |literal: bool| {
        let mut bytes = sql.as_bytes().to_vec();
        for (range, is_literal) in &found {
            fill(&mut bytes[range.clone()], literal || *is_literal);
        }
        String::from_utf8(bytes).unwrap_or_default()
    };
    let mut texts = vec![with(false), with(true)];
    // In `:explain SELECT …`, the placeholder represents keywords. Replace it with a comment.
    if let Some((range, _)) = found.first().filter(|(range, _)| range.start == 0 && range.len() >= 4) {
        let comment = format!("/*{}*/", "_".repeat(range.len() - 4));
        texts.push(comment + &texts[0][range.end..]);
    }
    Some(texts)
}

/// Overwrites `bytes` with a name or a literal of the same length.
fn fill(bytes: &mut [u8], literal: bool) {
    let last = bytes.len() - 1;
    match (literal, last) {
        (true, 0) => bytes[0] = b'0',
        (true, _) => {
            bytes.fill(b'_');
            (bytes[0], bytes[last]) = (b'\'', b'\'');
        }
        (false, _) => bytes.fill(b'_'),
    }
}

/// Finds the placeholders outside of quotes and comments. Each has a flag, which is true if the placeholder is a
/// literal, such as `:'name'`.
fn find(sql: &str) -> Vec<(Range<usize>, bool)> {
    let bytes = sql.as_bytes();
    let mut found = Vec::new();
    let (mut braces, mut parentheses) = (Closing::new(b'}'), Closing::new(b')'));
    let mut lexer = pgq_lexer::ScriptLexer::new(bytes, 0);
    let name_end = |from: usize| from + bytes[from..].iter().take_while(|byte| pgq_lexer::is_word_byte(**byte)).count();
    loop {
        let at = match lexer.next_token() {
            pgq_lexer::ScriptToken::End => return found,
            pgq_lexer::ScriptToken::Other(_) => lexer.offset() - 1,
            _ => continue,
        };
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        // Whether a placeholder may start here. Usually it may not start after an operator character: in `<@` and `<%`,
        // the `@` and `%` belong to the operator. After one of the characters `=>+-*/|`, it may start, as in `a=@b`.
        // Except for `@-@`, PostgreSQL has no operator in which `@` or `%` follows one of these characters.
        let may_follow = at == 0 || !is_operator(bytes[at - 1]) || b"=>+-*/|".contains(&bytes[at - 1]);
        let range = match bytes[at] {
            b':' if matches!(next, b':' | b'=') => {
                lexer.seek(at + 2);
                continue;
            }
            b':' if next == b'\'' || next == b'"' => {
                let Some(len) = bytes[at + 2..].iter().position(|byte| *byte == next) else { continue };
                found.push((at..at + len + 3, next == b'\''));
                lexer.seek(at + len + 3);
                continue;
            }
            b':' | b'$' if next == b'{' => braces.closed(bytes, at),
            b'@' | b'%' | b'?' if !may_follow => None,
            b':' | b'@' | b'$' if pgq_lexer::is_word_byte(next) => Some(at..name_end(at + 1)),
            b'?' if next.is_ascii_digit() => Some(at..name_end(at + 1)),
            b'?' if !is_operator(next) || (at > 0 && bytes[at - 1] == b'=') => Some(at..at + 1),
            b'%' if next == b'(' => {
                let closed = parentheses.closed(bytes, at);
                closed.filter(|range| bytes.get(range.end) == Some(&b's')).map(|range| at..range.end + 1)
            }
            b'%' if matches!(next, b's' | b'b' | b't') && name_end(at + 1) == at + 2 => Some(at..at + 2),
            _ => None,
        };
        let Some(range) = range else { continue };
        lexer.seek(range.end);
        found.push((range, false));
    }
}

/// Finds the next closing delimiter, such as `)` or `}`. Caches its offset, because a new search for each opening
/// delimiter would take quadratic time.
struct Closing {
    byte: u8,
    /// Offset of the first occurrence of `byte` at or after the last searched offset.
    next: Option<usize>,
}

impl Closing {
    fn new(byte: u8) -> Self {
        Self { byte, next: Some(0) }
    }

    /// Returns the range from `at` to the next closing delimiter. `at` must not decrease from call to call.
    fn closed(&mut self, bytes: &[u8], at: usize) -> Option<Range<usize>> {
        if self.next? <= at {
            self.next = memchr::memchr(self.byte, &bytes[at..]).map(|len| at + len);
        }
        self.next.map(|end| at..end + 1)
    }
}

fn is_operator(byte: u8) -> bool {
    b"~!@#^&|`?+-*/%<>=".contains(&byte)
}

/// Masks Jinja-style templates. A `{{ … }}` becomes a name, and `{% … %}` and `{# … #}` become comments. There is one
/// exception: a `{{ … }}` that is alone on its lines before a statement becomes a comment, such as dbt's
/// `{{ config(…) }}`. The name for a `{{ … }}` is one word, even if the `{{ … }}` spans several lines. Returns `None`
/// if `text` has no template.
pub(super) fn templates(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let ranges = template_ranges(text);
    for Range { start, end } in ranges.iter().cloned() {
        let before = bytes[..start].trim_ascii_end();
        let is_first = before.is_empty() || before.ends_with(b";") || before.ends_with(b"*/");
        let next = bytes[end..].iter().copied().find(|byte| !matches!(byte, b' ' | b'\t'));
        let range = &mut bytes[start..end];
        if range.starts_with(b"{{") && !(is_first && matches!(next, Some(b'\n' | b'\r'))) {
            range.fill(b'_');
        } else {
            let inner = 2..range.len() - 2;
            range[inner].iter_mut().filter(|byte| !byte.is_ascii_whitespace()).for_each(|byte| *byte = b'_');
            range[..2].copy_from_slice(b"/*");
            let last = range.len() - 2;
            range[last..].copy_from_slice(b"*/");
        }
    }
    (!ranges.is_empty()).then(|| String::from_utf8(bytes).unwrap_or_default())
}

/// Whether two texts have the same templates.
pub(super) fn have_same_templates(one: &str, other: &str) -> bool {
    let texts = |text| template_ranges(text).into_iter().map(move |range| &text[range]);
    texts(one).eq(texts(other))
}

/// Returns the byte ranges of the templates in a text.
fn template_ranges(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut at, mut ranges) = (0, Vec::new());
    let mut missing: Vec<&[u8; 2]> = Vec::new();
    while let Some(start) = memchr::memchr(b'{', &bytes[at..]).map(|offset| at + offset) {
        let close: &[u8; 2] = match bytes.get(start + 1) {
            Some(b'{') => b"}}",
            Some(b'%') => b"%}",
            Some(b'#') => b"#}",
            _ => {
                at = start + 1;
                continue;
            }
        };
        // If a search for this closing delimiter has failed at a lower offset, it would fail here, too. Do not search
        // again.
        let len = if missing.contains(&close) { None } else { memmem::find(&bytes[start + 2..], close) };
        let Some(len) = len else {
            missing.push(close);
            at = start + 2;
            continue;
        };
        at = start + 2 + len + 2;
        ranges.push(start..at);
    }
    ranges
}

/// Whether white space beside a `{% … %}` or `{# … #}` may separate what a template engine would join: `a` and `_b` in
/// `a{% if x %}_b{% endif %}`. This needs a tag with text directly before it, and a tag with text directly after it. A
/// tag such as `{%- … -%}` removes the white space beside it. `sql`: `text` with masked templates.
pub(super) fn has_joining_tags(text: &str, sql: &str) -> bool {
    let ranges = template_ranges(text);
    let [text, masked] = [text.as_bytes(), sql.as_bytes()];
    let is_text = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii_whitespace() && !b",;()[]".contains(byte));
    let (mut joins_before, mut joins_after) = (false, false);
    let is_tag = |range: &Range<usize>| masked[range.start..].starts_with(b"/*") && text[range.start + 1] != b'{';
    for Range { start, end } in ranges.into_iter().filter(is_tag) {
        joins_before |= is_text(masked[..start].last()) && text[start + 2] != b'-';
        joins_after |= is_text(masked.get(end)) && text[end - 3] != b'-';
    }
    joins_before && joins_after
}

/// Masks the placeholders in `formatted` again, so that it can be parsed. `display` is the tree's SQL without masks.
/// Each token of `formatted` must equal the corresponding token of `display`, and is replaced with the corresponding
/// token of the tree, which has masks. Returns `None` if a token differs.
///
/// A function body is one token. If `bodies` contains the formatted body, the token in `formatted` must equal this body
/// instead of the original body in `display`, and is not replaced.
pub(super) fn again(tree: &SyntaxTree<'_>, display: &str, bodies: &Bodies, formatted: &str) -> Option<String> {
    let mut result = String::with_capacity(formatted.len());
    let mut rest = formatted;
    for (index, leaf) in tree.leaves().enumerate() {
        let body = bodies.formatted.get(&index);
        let token = rest.trim_ascii_start();
        result.push_str(&rest[..rest.len() - token.len()]);
        rest = token.strip_prefix(body.map_or(&display[leaf.range()], String::as_str))?;
        result.push_str(body.map_or(leaf.text(), String::as_str));
    }
    Some(result + rest)
}
