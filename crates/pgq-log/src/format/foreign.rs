//! Detects stderr logs that another program has changed. pgq refuses such a log, because it would misread the lines.

use crate::message::label::find_label;

/// Returns the reason to refuse a log with these lines, or `None` if there is no reason.
pub fn foreign_form<'a>(lines: impl Iterator<Item = &'a [u8]> + Clone) -> Option<&'static str> {
    let first = lines.clone().next()?;
    if is_csv_header(first) {
        return Some("looks like a CSV export of another program: export JSON or plain lines instead");
    }
    let begins_in_statement = first.starts_with(b"\t");
    if !begins_in_statement
        && matches!(first.trim_ascii(), [b'{'] | [b'['] | [b'{', b'"', ..] | [b'[', b'{' | b'"', ..])
    {
        return Some("is JSON in a form that --from does not name: extract its messages (jq -r .KEY)");
    }
    if lines.clone().any(|line| line.starts_with(b"\t")) {
        return None; // continuation lines as the server writes them
    }
    if lines.clone().any(has_escaped_break) {
        return Some("has line breaks as \\n: replace them by line breaks");
    }
    has_foreign_starts(lines)
        .then_some("has text of another program before its lines, in a form that --from does not name: remove it, or include it in --log-line-prefix")
}

/// Whether a line is a list of column names, including a column for messages.
fn is_csv_header(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line.trim_ascii_end()).to_ascii_lowercase();
    let names: Vec<&str> = line.trim_start_matches('\u{feff}').split(',').map(|name| name.trim_matches('"')).collect();
    let is_name =
        |name: &&str| name.len() < 64 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_@. /-".contains(&b));
    let messages = ["message", "@message", "line", "_raw", "textpayload", "log", "msg", "body", "event"];
    names.len() > 1 && names.iter().all(is_name) && names.iter().any(|name| messages.contains(name))
}

/// Whether a line contains an escaped line break and tab (`\n\t`) outside of quotes. SQL has no backslash there, so
/// another program wrote this escape.
fn has_escaped_break(line: &[u8]) -> bool {
    let is_outside = |at: usize| {
        [b'\'', b'"'].iter().all(|quote| memchr::memchr_iter(*quote, &line[..at]).count().is_multiple_of(2))
    };
    memchr::memmem::find_iter(line, b"\\n\\t").any(is_outside) && find_label(line).is_some()
}

/// Whether the continuation lines of a message repeat the start of its first line, perhaps with other numbers. The
/// server never writes such lines, because it writes its prefix only before the first line of a message.
fn has_foreign_starts<'a>(mut lines: impl Iterator<Item = &'a [u8]>) -> bool {
    const MAX_LEN: usize = 200;
    let Some(first) = lines.find(|line| find_label(line).is_some()) else { return false };
    // Replaces each number with `0`, including its padding.
    let shape = |text: &[u8]| {
        let is_number = |b: &u8| b.is_ascii_digit() || *b == b' ';
        let mut shape: Vec<u8> = text.iter().map(|b| if is_number(b) { b'0' } else { *b }).collect();
        shape.dedup_by(|a, b| *a == b'0' && *b == b'0');
        shape
    };
    let first_shape = shape(&first[..first.len().min(MAX_LEN)]);
    let has_start = |line: &&[u8]| {
        let Some(end) = memchr::memchr(b'\t', line) else { return false };
        let start = &line[..end];
        let ends = |rest: &[u8]| rest.starts_with(b"\t") || start.last().is_some_and(|b| !b.is_ascii_alphanumeric());
        first_shape.strip_prefix(&*shape(start)).is_some_and(ends) && find_label(line).is_none()
    };
    lines.filter(has_start).nth(1).is_some()
}
