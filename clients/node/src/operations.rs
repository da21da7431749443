//! The operations by name. An error is JSON with the fields of `SqlErrorDetails` in index.d.ts.

use std::cell::RefCell;
use std::fmt::Write;

use pgq::cache::{AnswerCacheOptions, FingerprintCache, NormalizeCache};
use pgq::{DeparseOptions, FormatOptions, JsonTree, KeptReason, PlaceholderStyle, Position, SplitMethod};

thread_local! {
    /// The caches that this thread keeps, because programs often repeat statements.
    static FINGERPRINTS: RefCell<FingerprintCache> = RefCell::new(FingerprintCache::new(&cache_options()));
    static NORMALIZED: RefCell<NormalizeCache> = RefCell::new(NormalizeCache::new(&cache_options()));
}

fn cache_options() -> AnswerCacheOptions {
    let mut options = AnswerCacheOptions::default();
    (options.text_bytes, options.shape_bytes) = (256 << 10, 512 << 10);
    options
}

/// Runs an operation on a text.
pub fn run(operation: &str, text: &str) -> Result<String, String> {
    let answer = match operation {
        "format" => return formatted(text),
        "formatKeep" => Ok(pgq::format_script(text, &FormatOptions::default()).text),
        "parse" => pgq::parse_to_json(text),
        "parsePlPgSQL" => pgq::parse_plpgsql(text),
        "fingerprint" => {
            FINGERPRINTS.with_borrow_mut(|cache| cache.fingerprint(text)).map(|fingerprint| fingerprint.to_string())
        }
        "normalize" => NORMALIZED.with_borrow_mut(|cache| cache.normalize(text)),
        "tables" => pgq::tables(text).map(|names| list(names.iter().map(|name| quoted(name)))),
        "split" => pgq::split(text, SplitMethod::Parser)
            .map(|ranges| list(ranges.into_iter().map(|range| quoted(text[range].trim())))),
        "scan" => pgq::scan(text).map(|tokens| list(tokens.iter().map(token))),
        "deparse" => deparse(text, false),
        "deparsePretty" => deparse(text, true),
        "reformat" => pgq::reformat(text, &options(false)),
        "reformatPretty" => pgq::reformat(text, &options(true)),
        _ => match operation.strip_prefix("placeholders:").and_then(PlaceholderStyle::from_name) {
            Some(style) => Ok(pgq::placeholders(text, style).sql.into_owned()),
            None => return Err(format!("{{\"message\":{}}}", quoted(&format!("no operation {operation}")))),
        },
    };
    answer.map_err(|error| details(&error))
}

fn options(pretty: bool) -> DeparseOptions {
    let mut options = DeparseOptions::default();
    (options.pretty, options.verify) = (pretty, true);
    options
}

/// Formats a script in the default layout. A statement that cannot be formatted is an error.
fn formatted(text: &str) -> Result<String, String> {
    let formatted = pgq::format_script(text, &FormatOptions::default());
    let Some(kept) = formatted.kept.first() else { return Ok(formatted.text) };
    if let KeptReason::Invalid(error) = &kept.reason {
        return Err(details(error));
    }
    let message = quoted(&format!("the statement cannot be formatted: {}", kept.reason));
    Err(format!("{{\"message\":{message}{}}}", place(kept.position)))
}

/// Returns the JSON fields of a position. As in libpg-query, the cursor counts characters from 0.
fn place(at: Position) -> String {
    format!(
        ",\"cursorPosition\":{},\"offset\":{},\"line\":{},\"column\":{}",
        at.character, at.offset, at.line, at.column
    )
}

fn deparse(json: &str, pretty: bool) -> Result<String, pgq::Error> {
    JsonTree::read(json)?.deparse(&options(pretty))
}

fn token(token: &pgq::Token) -> String {
    format!(
        "{{\"start\":{},\"end\":{},\"tokenType\":{},\"tokenName\":{},\"keywordKind\":{},\"keywordName\":{}}}",
        token.start,
        token.end,
        token.token,
        quoted(token.name()),
        token.keyword,
        quoted(token.keyword_name())
    )
}

fn details(error: &pgq::Error) -> String {
    let mut out = format!("{{\"message\":{}", quoted(&error.message));
    if let Some(at) = error.position {
        out.push_str(&place(at));
    }
    let texts = [
        ("sqlState", error.sqlstate.as_ref().map(ToString::to_string)),
        ("detail", error.detail.clone()),
        ("hint", error.hint.clone()),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            let _ = write!(out, ",\"{key}\":{}", quoted(&text));
        }
    }
    out.push('}');
    out
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if control < ' ' => {
                let _ = write!(out, "\\u{:04x}", control as u32);
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
