//! Classifies a message of severity LOG as a statement, a duration or a plan. Tries English messages first, and
//! language/ as the fallback. Does not inspect the SQL.

use std::ops::Range;

pub use crate::message::kinds::MessageText;
use crate::message::kinds::Severity;
use crate::message::language;
use crate::scan::lines::split_lines;

/// Classifies a message (postgres.c: check_log_statement, check_log_duration).
pub fn classify(text: &[u8]) -> MessageText {
    match classify_english(text) {
        MessageText::Other => language::classify(text).unwrap_or(MessageText::Other),
        known => known,
    }
}

/// Returns the severity that pgq uses for a message. This is LOG for a plan of auto_explain, regardless of
/// `auto_explain.log_level`, and otherwise the message's own severity. `text` is the message or its first line, which
/// may still contain escapes.
#[inline]
pub fn effective_severity(severity: Severity, text: &[u8]) -> Severity {
    let is_plan = || text.starts_with(b"duration: ") && matches!(classify_english(text), MessageText::Plan { .. });
    match severity {
        Severity::Warning | Severity::Other if is_plan() => Severity::Log,
        severity => severity,
    }
}

/// For a message that pgq does not recognize: whether it may still be about a statement, in an unknown encoding or
/// language. This is assumed if the message is not UTF-8, if it has a duration, or if a `?` or a backtick replaces a
/// letter before its first colon (`Ausf?hren s1: SELECT 1`).
pub fn is_in_unknown_language(text: &[u8]) -> bool {
    let line = split_lines(text).next().unwrap_or_default();
    let start = &line[..line.len().min(100)];
    let is_duration = |at: usize| {
        matches!(start[..at], [.., b'.', a, b, c] if [a, b, c].iter().all(u8::is_ascii_digit))
            && !start.starts_with(b"connection ready: ")
    };
    let words = &start[..memchr::memchr(b':', start).unwrap_or(0)];
    let is_replaced = |around: &[u8]| match around {
        [before, b'`', _] => before.is_ascii_alphabetic(),
        [before, b'?', after] => *after == b'?' || (before.is_ascii_alphabetic() && after.is_ascii_alphabetic()),
        _ => false,
    };
    memchr::memmem::find_iter(start, b" ms").any(is_duration)
        || words.windows(3).any(is_replaced)
        || std::str::from_utf8(text).is_err()
}

/// Returns the length of the SQLSTATE with its colon (`00000: `) that log_error_verbosity = verbose inserts before a
/// message. Returns 0 if there is no SQLSTATE.
#[inline]
pub fn sqlstate_len(text: &[u8]) -> usize {
    if !matches!(text.first(), Some(b'0'..=b'9' | b'A'..=b'Z')) {
        return 0;
    }
    let Some((state, rest)) = text.split_first_chunk::<5>() else { return 0 };
    let is_state = state.iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
    let class = &state[..2];
    let known = class[0].is_ascii_digit() || matches!(class, b"XX" | b"P0" | b"HV" | b"F0");
    if is_state && known && rest.starts_with(b": ") { 7 } else { 0 }
}

fn classify_english(text: &[u8]) -> MessageText {
    let Some(rest) = text.strip_prefix(b"duration: ") else {
        return classify_statement(text, 0, None);
    };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let duration = 10..10 + digits;
    let Some(rest) = rest[digits..].strip_prefix(b" ms") else {
        return MessageText::Other;
    };
    let blank = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
    if blank == rest.len() {
        return MessageText::Duration(duration);
    }
    let at = text.len() - rest.len() + blank;
    if rest[blank..].starts_with(b"plan:") {
        return MessageText::Plan { duration, plan: at + 5 };
    }
    classify_statement(text, at, Some(duration))
}

/// Classifies the part of a message that starts at offset `at`, after the duration.
fn classify_statement(text: &[u8], at: usize, duration: Option<Range<usize>>) -> MessageText {
    let rest = &text[at..];
    let sql_after_name = |verb: &[u8]| -> Option<usize> {
        // Possible forms: `execute name: `, `execute name/portal: `, `execute fetch from name: `.
        let name = rest.strip_prefix(verb)?;
        let end = memchr::memchr_iter(b':', name).find(|end| name.get(end + 1) == Some(&b' '))?;
        Some(at + verb.len() + end + 2)
    };
    let execution = |sql, duration| MessageText::Execution { sql, duration };
    let parse_bind = |sql, duration| MessageText::ParseBind { sql, duration };
    match rest.first() {
        Some(b's') if rest.starts_with(b"statement: ") => execution(at + 11, duration),
        Some(b'e') if rest.starts_with(b"execute fetch from ") => sql_after_name(b"execute fetch from ")
            .map_or(MessageText::Other, |sql| MessageText::Fetch { sql, duration }),
        Some(b'e') => sql_after_name(b"execute ").map_or(MessageText::Other, |sql| execution(sql, duration)),
        Some(b'p') => sql_after_name(b"parse ").map_or(MessageText::Other, |sql| parse_bind(sql, duration)),
        Some(b'b') => sql_after_name(b"bind ").map_or(MessageText::Other, |sql| parse_bind(sql, duration)),
        Some(b'f') if rest.starts_with(b"fastpath function call: ") => MessageText::Fastpath,
        _ => MessageText::Other,
    }
}
