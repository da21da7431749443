//! Removes literals, names and comments from SQL, for reports that leave the organization.

use pgq_lexer::{Lexer, kinds};
use xxhash_rust::xxh3::xxh3_64;

use super::tokens::{Kind, tokens, uncertain_token};

/// The replacement of a literal or a number.
const VALUE: &str = "?";

/// PostgreSQL's own functions and types. Their names are kept, because they reveal nothing about the user.
const KNOWN: [&str; 48] = [
    "abs",
    "array_agg",
    "avg",
    "bool_and",
    "bool_or",
    "ceil",
    "concat",
    "count",
    "date_trunc",
    "dense_rank",
    "floor",
    "generate_series",
    "json_agg",
    "json_build_object",
    "jsonb_agg",
    "lag",
    "lead",
    "length",
    "lower",
    "max",
    "min",
    "now",
    "nextval",
    "percentile_cont",
    "random",
    "rank",
    "replace",
    "round",
    "row_number",
    "split_part",
    "string_agg",
    "sum",
    "to_char",
    "unnest",
    "upper",
    "pg_catalog",
    "pg_class",
    "pg_sleep",
    "information_schema",
    "int4",
    "int8",
    "text",
    "bytea",
    "uuid",
    "json",
    "jsonb",
    "timestamptz",
    "bool",
];

/// Returns a stable pseudonym. Equal names have equal pseudonyms in every run.
///
/// ```
/// assert_eq!(pgq::secrets::pseudonym("user", "ann"), pgq::secrets::pseudonym("user", "ann"));
/// assert_ne!(pgq::secrets::pseudonym("user", "ann"), pgq::secrets::pseudonym("user", "bob"));
/// ```
#[must_use]
pub fn pseudonym(kind: &str, name: &str) -> String {
    format!("{kind}_{:016x}", xxh3_64(name.as_bytes()))
}

/// Replaces literals and numbers of a statement with `?`, and names with pseudonyms. Removes comments. Keeps
/// PostgreSQL's keywords, some of its functions, and parameter numbers. A secret without quotes also becomes `?`: with
/// its pseudonym, anyone who guesses the secret could check the guess.
///
/// ```
/// let sql = pgq::secrets::anonymize_sql("SELECT count(*) FROM users WHERE name = 'ann' -- who");
/// assert!(!sql.contains("users") && !sql.contains("ann") && !sql.contains("who"));
/// assert!(sql.starts_with("SELECT count(*) FROM n_") && sql.ends_with(" = ?"));
/// ```
#[must_use]
pub fn anonymize_sql(sql: &str) -> String {
    let masked = super::mask_sql(sql);
    let sql = &*masked;
    let mut out = String::with_capacity(sql.len());
    let mut end = 0;
    let tokens = tokens(sql);
    let uncertain = uncertain_token(&tokens, sql, false);
    for (at, token) in tokens.iter().enumerate() {
        if token.range.start > end && end > 0 {
            out.push(' ');
        }
        end = token.range.end;
        let text = token.text(sql);
        match token.kind {
            // The end of the token is uncertain, so the token may include the rest of the statement. Replace everything
            // from the token's start with one `?`.
            _ if uncertain == Some(at) => return out + VALUE,
            Kind::Word if is_kept(text) => out.push_str(text),
            Kind::Word | Kind::Name => {
                let name = if token.kind == Kind::Word { text.to_lowercase() } else { unquoted(text) };
                out.push_str(&pseudonym("n", &name));
            }
            Kind::Literal | Kind::Number => out.push_str(VALUE),
            Kind::Parameter | Kind::Other(_) => out.push_str(text),
        }
    }
    out
}

fn unquoted(name: &str) -> String {
    let inner = name.strip_prefix('"').unwrap_or(name);
    inner.strip_suffix('"').unwrap_or(inner).replace("\"\"", "\"")
}

fn is_kept(word: &str) -> bool {
    let is_keyword = Lexer::new(word.as_bytes()).next().is_some_and(|token| token.kind != kinds::IDENT);
    is_keyword || KNOWN.iter().any(|known| known.eq_ignore_ascii_case(word))
}
