//! Extracts the query from a plan of auto_explain in any of its formats.

use std::borrow::Cow;

use pgq_lexer::script::{ScriptLexer, ScriptToken};
use serde::Deserialize;

/// Text between the name of a plan node and its costs.
const COST: &[u8] = b"  (cost=";

/// The query of a plan.
pub struct PlannedQuery<'a> {
    pub sql: Cow<'a, [u8]>,
    /// Whether the end of the query is ambiguous: if backslashes were escapes in its literals
    /// (standard_conforming_strings = off), the query would end at a different line.
    pub is_ambiguous: bool,
}

/// Returns the query of a plan. `plan` is the text after `plan:`. Returns `None` if the plan has no query.
pub fn planned_query(plan: &[u8]) -> Option<PlannedQuery<'_>> {
    let plan = plan.trim_ascii();
    let sql = match (plan.strip_prefix(b"Query Text: "), plan.first()?) {
        (Some(text), _) if text.starts_with(b"\"") => yaml(text)?,
        (Some(text), _) => return Some(text_format(text)),
        (None, b'{') => json(plan)?,
        (None, b'<') => xml(plan)?,
        _ => return None,
    };
    Some(PlannedQuery { sql, is_ambiguous: false })
}

/// Returns the query in a plan of the text format. The query may have several lines.
fn text_format(text: &[u8]) -> PlannedQuery<'_> {
    let plain = query_end(text, false);
    let escaped = if text.contains(&b'\\') { query_end(text, true) } else { plain };
    PlannedQuery {
        sql: Cow::Borrowed(&text[..plain.or(escaped).unwrap_or(text.len())]),
        is_ambiguous: plain.zip(escaped).is_some_and(|(plain, escaped)| plain != escaped),
    }
}

/// Returns the end of the query: the line break before the parameters or before the first plan node. Parameters and
/// nodes are not valid SQL, so a line that looks like one of them ends the query, unless the line is inside a literal,
/// a quoted name or a comment.
fn query_end(text: &[u8], backslash_escapes: bool) -> Option<usize> {
    let mut lexer = ScriptLexer::new(text, 0).with_backslash_escapes(backslash_escapes);
    loop {
        lexer.skip_space();
        let start = lexer.offset();
        let line = &text[start..];
        if text[..start].ends_with(b"\n")
            && (line.starts_with(b"Query Parameters: $") || is_node(line, backslash_escapes))
        {
            return Some(start - 1);
        }
        if matches!(lexer.next_token(), ScriptToken::End) {
            return None;
        }
    }
}

/// Whether the first line of `text` is a node, such as `Seq Scan on t  (cost=0.00..1.00 rows=1 width=4)`. Searches for
/// the cost only between tokens, because literals, quoted names and comments of the query can contain the same text.
fn is_node(text: &[u8], backslash_escapes: bool) -> bool {
    let line = memchr::memchr(b'\n', text).unwrap_or(text.len());
    if memchr::memmem::find(&text[..line], COST).is_none() {
        return false;
    }
    let mut lexer = ScriptLexer::new(text, 0).with_backslash_escapes(backslash_escapes);
    while lexer.offset() < line {
        lexer.skip_space();
        if matches!(lexer.next_token(), ScriptToken::End) {
            return false;
        }
        if let Some(costs) = text[..line].get(lexer.offset()..).and_then(|rest| rest.strip_prefix(COST)) {
            let numbers = costs.split(|byte| *byte == b' ').next().unwrap_or_default();
            return memchr::memmem::find(numbers, b"..").is_some();
        }
    }
    false
}

#[derive(Deserialize)]
struct JsonPlan {
    #[serde(rename = "Query Text")]
    query_text: String,
}

fn json(plan: &[u8]) -> Option<Cow<'_, [u8]>> {
    let plan: JsonPlan =
        serde_json::from_slice(plan).or_else(|_| serde_json::from_slice(&with_escaped_space(plan))).ok()?;
    Some(Cow::Owned(plan.query_text.into_bytes()))
}

/// Returns the query in a YAML plan. PostgreSQL escapes double-quoted YAML like JSON (explain.c:
/// escape_yaml).
fn yaml(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    let first = |text: &[u8]| serde_json::Deserializer::from_slice(text).into_iter::<String>().next()?.ok();
    Some(Cow::Owned(first(text).or_else(|| first(&with_escaped_space(text)))?.into_bytes()))
}

/// Escapes white space in JSON strings. The server always escapes it, but pgq may have added white space: if a
/// statement contains the characters `#011`, pgq may have decoded them to a tab, because syslog writes a tab as `#011`.
fn with_escaped_space(json: &[u8]) -> Vec<u8> {
    let (mut escaped, mut in_string, mut after_backslash) = (Vec::with_capacity(json.len() + 16), false, false);
    for byte in json {
        match byte {
            b'\t' if in_string => escaped.extend_from_slice(b"\\t"),
            b'\n' if in_string => escaped.extend_from_slice(b"\\n"),
            b'\r' if in_string => escaped.extend_from_slice(b"\\r"),
            _ => escaped.push(*byte),
        }
        in_string ^= *byte == b'"' && !after_backslash;
        after_backslash = *byte == b'\\' && !after_backslash;
    }
    escaped
}

fn xml(plan: &[u8]) -> Option<Cow<'_, [u8]>> {
    let start = memchr::memmem::find(plan, b"<Query-Text>")? + b"<Query-Text>".len();
    let end = start + memchr::memmem::find(&plan[start..], b"</Query-Text>")?;
    let text = std::str::from_utf8(&plan[start..end]).ok()?;
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x0d;", "\r"), ("&amp;", "&")];
    let text = entities.iter().fold(text.to_string(), |text, (entity, character)| text.replace(entity, character));
    Some(Cow::Owned(text.into_bytes()))
}
