//! Extracts the query from a plan of auto_explain in any of its formats.

use std::borrow::Cow;

use serde::Deserialize;

/// Returns the query in `plan`, the text after `plan:`. Returns `None` if the plan has no query.
pub fn query_text(plan: &[u8]) -> Option<Cow<'_, [u8]>> {
    let plan = plan.trim_ascii();
    if let Some(text) = plan.strip_prefix(b"Query Text: ") {
        return if text.starts_with(b"\"") { yaml(text) } else { Some(Cow::Borrowed(text_format(text))) };
    }
    match plan.first()? {
        b'{' => json(plan),
        b'<' => xml(plan),
        _ => None,
    }
}

/// Returns the query in a plan of the text format. The query may have several lines. It ends before the plan's first
/// node or the parameters.
fn text_format(text: &[u8]) -> &[u8] {
    let mut at = 0;
    while let Some(newline) = memchr::memchr(b'\n', &text[at..]) {
        let line = &text[at + newline + 1..];
        let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
        let is_node = !line.starts_with(b" ") && memchr::memmem::find(line, b"  (cost=").is_some();
        if is_node || line.starts_with(b"Query Parameters: $") {
            return &text[..at + newline];
        }
        at += newline + 1;
    }
    text
}

#[derive(Deserialize)]
struct JsonPlan {
    #[serde(rename = "Query Text")]
    query_text: String,
}

fn json(plan: &[u8]) -> Option<Cow<'_, [u8]>> {
    let plan: JsonPlan = serde_json::from_slice(plan).ok()?;
    Some(Cow::Owned(plan.query_text.into_bytes()))
}

/// PostgreSQL escapes double-quoted YAML like JSON (explain.c: escape_yaml).
fn yaml(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<String>();
    Some(Cow::Owned(values.next()?.ok()?.into_bytes()))
}

fn xml(plan: &[u8]) -> Option<Cow<'_, [u8]>> {
    let start = memchr::memmem::find(plan, b"<Query-Text>")? + b"<Query-Text>".len();
    let end = start + memchr::memmem::find(&plan[start..], b"</Query-Text>")?;
    let text = std::str::from_utf8(&plan[start..end]).ok()?;
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x0d;", "\r"), ("&amp;", "&")];
    let text = entities.iter().fold(text.to_string(), |text, (entity, character)| text.replace(entity, character));
    Some(Cow::Owned(text.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::query_text;

    #[test]
    fn queries_are_found_in_every_format() {
        let sql = "SELECT 'a<b'\n  FROM \"t\"";
        for plan in [
            format!("\nQuery Text: {sql}\nSeq Scan on t  (cost=0.00..1.00 rows=1 width=4)\n  Filter: x"),
            format!("\nQuery Text: {sql}\nQuery Parameters: $1 = 'x'\nResult  (cost=0.00..0.01 rows=1 width=4)"),
            "\n{\n  \"Query Text\": \"SELECT 'a<b'\\n  FROM \\\"t\\\"\",\n  \"Plan\": {}\n}".to_string(),
            "\nQuery Text: \"SELECT 'a<b'\\n  FROM \\\"t\\\"\"\nPlan: \n  Node Type: \"Result\"".to_string(),
            "\n<explain xmlns=\"x\">\n  <Query-Text>SELECT 'a&lt;b'\n  FROM &quot;t&quot;</Query-Text>\n</explain>"
                .to_string(),
        ] {
            let text = query_text(plan.as_bytes()).unwrap_or_else(|| panic!("{plan}"));
            assert_eq!(std::str::from_utf8(&text).unwrap(), sql, "{plan}");
        }
        assert!(query_text(b"\nResult  (cost=0)").is_none());
    }
}
