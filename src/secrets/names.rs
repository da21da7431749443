//! Names of secrets.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::percent::decoded;

/// Parts of names of secrets, in lower case.
const PARTS: [&str; 18] = [
    "passw",
    "passphrase",
    "passcode",
    "_pass",
    "pwd",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "accesskey",
    "private_key",
    "encryption_key",
    "credential",
    "authorization",
    "bearer",
    "client_key",
];

/// Names of secrets that must match completely, because they also occur in other words
/// (`passenger`).
const WHOLE: [&str; 2] = ["pass", "pw"];

/// Names that contain one of [`PARTS`], but whose values are public.
const PUBLIC: [&str; 4] = ["password_encryption", "passwordcheck", "tokens", "token_count"];

/// Parts of the names of functions whose arguments are secrets (pgcrypto, dblink).
const FUNCTIONS: [&str; 9] =
    ["crypt", "hmac", "digest", "armor", "gen_salt", "gen_random_bytes", "fips_mode", "pgp_", "dblink"];

/// Further words that may precede a secret. A text that contains no word of WORDS, PARTS or FUNCTIONS has no secrets.
const WORDS: [&str; 9] =
    ["pass", "pw", "://", "connection", "program", "options", "identified", UNICODE_ESCAPES[0], UNICODE_ESCAPES[1]];

/// Prefixes of names and strings that may contain Unicode escapes. With such escapes, the text of a name can differ
/// from the name itself (`U&"pass\0077ord"` is `password`).
const UNICODE_ESCAPES: [&str; 2] = ["u&\"", "u&'"];

/// Returns whether a text contains a word, possibly percent-encoded, that may precede a secret. This fast check
/// excludes most texts.
pub fn may_have_secrets(text: &str) -> bool {
    has_word(text) || decoded(text).is_some_and(|decoded| has_word(&decoded.text))
}

fn has_word(text: &str) -> bool {
    static SEARCHER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
        let words = PARTS.iter().chain(&WORDS).chain(&FUNCTIONS);
        AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(words).ok()
    });
    SEARCHER.as_ref().is_none_or(|searcher| searcher.is_match(text))
}

/// Returns whether a text contains the name of a secret, or a word that announces a secret. The text may be SQL, or
/// contain SQL: a message, a literal, the body of a function. Therefore strings and comments are searched too, and
/// percent-encoded text is also searched after decoding.
pub fn names_secret(text: &str) -> bool {
    names_unencoded(text) || decoded(text).is_some_and(|decoded| names_unencoded(&decoded.text))
}

fn names_unencoded(text: &str) -> bool {
    if !has_word(text) {
        return false;
    }
    let is_in_address = text.find("://").is_some_and(|at| text[at..].contains(['@', '?']));
    let is_escaped = || {
        let starts = memchr::memchr_iter(b'&', text.as_bytes()).filter_map(|at| text.get(at.checked_sub(1)?..at + 2));
        starts.into_iter().any(|start| UNICODE_ESCAPES.iter().any(|escape| start.eq_ignore_ascii_case(escape)))
    };
    let is_named = |word: Range<usize>| is_secret(&text[word.clone()]) || announces(text, word);
    is_in_address || is_escaped() || words(text).any(|word| has_word(&text[word.clone()]) && is_named(word))
}

/// Returns the byte ranges of words, which consist of letters, digits, `_`, `-` and `.`. A word ends before `--`, which
/// starts a comment.
pub fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(|c| is_name(c) && c != '-')?;
        let mut after = text[start..].char_indices().map(|(len, c)| (start + len, c));
        let end = after.find(|(at, c)| !is_name(*c) || text[*at..].starts_with("--"));
        rest = end.map_or(text.len(), |(at, _)| at);
        Some(start..rest)
    })
}

/// Returns whether a word and the following token announce a secret, as in `OPTIONS (`. If a comment follows the word,
/// returns true, because the token may follow the comment.
fn announces(text: &str, word: Range<usize>) -> bool {
    let name = text[word.clone()].to_ascii_lowercase();
    let next = text[word.end..].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\\'));
    let is_comment = next.starts_with("--") || next.starts_with("/*");
    let last = name.rsplit(['.', '-']).next().unwrap_or(&name);
    match last {
        "options" => is_comment || next.starts_with('('),
        "identified" => is_comment || next.get(..2).is_some_and(|by| by.eq_ignore_ascii_case("by")),
        "connection" | "program" => {
            // A letter may precede the quote, as in `E'x'`.
            let quote = next.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(next);
            is_comment || quote.starts_with(['\'', '$', '\\'])
        }
        _ => (is_comment || next.starts_with('(')) && FUNCTIONS.iter().any(|function| last.contains(function)),
    }
}

/// Returns whether a name, optionally with a schema, is the name of a secret.
pub fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_part = |name: &str| WHOLE.contains(&name) || PARTS.iter().any(|part| name.contains(part));
    name.contains("api-key") || name.split(['.', '-']).any(|name| !PUBLIC.contains(&name) && is_part(name))
}
