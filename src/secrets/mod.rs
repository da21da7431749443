//! Replaces passwords and other secrets in SQL, parameters and messages by `***`, and removes all literals and names
//! for reports to outsiders.
//!
//! It reads tokens only, so that statements that do not parse are masked as well. It knows a secret by its name, and
//! masks all values of a statement that has such a name. A mask hides a value in a report and never changes what is
//! executed.

mod anonymize;
mod found;
mod names;
mod sql;
mod text;
mod tokens;

use std::borrow::Cow;

pub use anonymize::{anonymize_sql, pseudonym};
use names::may_have_secrets;

/// The replacement of a secret.
pub const MASK: &str = "***";

/// Returns whether a statement may have a secret: a column, setting, function, option or string with the name of one
/// (`password`, `api_key`), options of a server, a connection string, or a program of COPY.
///
/// ```
/// assert!(pgq::secrets::names_secret("UPDATE users SET password = $1"));
/// assert!(!pgq::secrets::names_secret("UPDATE users SET name = $1"));
/// ```
#[must_use]
pub fn names_secret(sql: &str) -> bool {
    may_have_secrets(sql) && sql::find(sql).names_secret
}

/// Masks all literals of a statement that [`names_secret`], and numbers that are inserted or assigned; in any
/// statement, secrets that [`mask_text`] finds in comments.
///
/// ```
/// assert_eq!(pgq::secrets::mask_sql("ALTER ROLE ann PASSWORD 'x'"), "ALTER ROLE ann PASSWORD '***'");
/// assert_eq!(pgq::secrets::mask_sql("ALTER ROLE ann PASSWORD 'x"), "ALTER ROLE ann PASSWORD '***");
/// assert_eq!(pgq::secrets::mask_sql("SELECT 'x'"), "SELECT 'x'");
/// ```
#[must_use]
pub fn mask_sql(sql: &str) -> Cow<'_, str> {
    if !may_have_secrets(sql) { sql.into() } else { found::masked(sql, &sql::find(sql)) }
}

/// Replaces what [`mask_sql`] masks by asterisks. The length in bytes stays the same.
///
/// ```
/// assert_eq!(pgq::secrets::mask_in_place("PASSWORD 'abcde' x"), "PASSWORD '*****' x");
/// ```
#[must_use]
pub fn mask_in_place(sql: &str) -> Cow<'_, str> {
    let ranges = if may_have_secrets(sql) { sql::find(sql).ranges() } else { Vec::new() };
    if ranges.is_empty() {
        return sql.into();
    }
    let mut masked = sql.to_string();
    ranges.into_iter().for_each(|range| masked.replace_range(range.clone(), &"*".repeat(range.len())));
    masked.into()
}

/// Masks secrets after a name (`password=x`, `"token": "x"`, `Key (password)=(x)`) and in a server's address
/// (`postgres://user:x@host`). In a text with the name of a secret, all values in single quotes.
///
/// ```
/// assert_eq!(pgq::secrets::mask_text("host=db password=x user=ann"), "host=db password=*** user=ann");
/// assert_eq!(pgq::secrets::mask_text("https://ann:x@db/?token=y"), "https://ann:***@db/?token=***");
/// ```
#[must_use]
pub fn mask_text(text: &str) -> Cow<'_, str> {
    if !may_have_secrets(text) { text.into() } else { found::masked(text, &text::find(text)) }
}

/// Masks the parameters of a statement, as a server logs them, if the statement or one of them names a secret.
///
/// ```
/// let masked = pgq::secrets::mask_parameters("UPDATE u SET password = $1 WHERE id = $2", "$1 = 'x', $2 = NULL");
/// assert_eq!(masked, "$1 = '***', $2 = NULL");
/// ```
#[must_use]
pub fn mask_parameters<'p>(sql: &str, parameters: &'p str) -> Cow<'p, str> {
    let is_secret = names_secret(sql) || may_have_secrets(parameters) && text::names_secret(parameters);
    if is_secret { text::mask_values(parameters).into() } else { parameters.into() }
}

/// Masks a message about a statement, such as its syntax error: what it quotes if the statement names a secret, else
/// secrets that [`mask_text`] finds.
///
/// ```
/// let sql = "ALTER ROLE ann PASSWORD 'open";
/// let message = "unterminated quoted string at or near \"'open\"";
/// assert_eq!(pgq::secrets::mask_message(sql, message), "unterminated quoted string at or near \"***\"");
/// ```
#[must_use]
pub fn mask_message<'m>(sql: &str, message: &'m str) -> Cow<'m, str> {
    if names_secret(sql) { mask_quoted(message).into() } else { mask_text(message) }
}

/// Masks everything between double quotes.
#[must_use]
pub fn mask_quoted(message: &str) -> String {
    let Some((before, rest)) = message.split_once('"') else { return message.to_string() };
    // The quoted text may contain quotes.
    let (_, after) = rest.rsplit_once('"').unwrap_or_default();
    format!("{before}\"{MASK}\"{after}")
}

#[cfg(test)]
mod tests;
