//! Replaces passwords and other secrets in SQL, parameters and messages with `***`. Also removes all literals and
//! names, for reports that leave the organization.
//!
//! The search uses only tokens, therefore it also masks statements that do not parse. It finds a secret by the words
//! before it, and does not know values or tables. In doubt it masks, because a mask only affects reports and never the
//! executed SQL.

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

/// Minimum length of a secret that is searched for in messages, in bytes. A shorter secret could match a part of a
/// word.
const MIN_REPEATED: usize = 3;

/// Masks the secrets of a statement: passwords of roles, options of servers and user mappings, connection strings,
/// programs of COPY, and values of columns and settings that are named like a secret. Also masks the secrets that
/// [`mask_text`] finds in literals and comments.
///
/// ```
/// assert_eq!(pgq::secrets::mask_sql("ALTER ROLE ann PASSWORD 'x'"), "ALTER ROLE ann PASSWORD '***'");
/// assert_eq!(pgq::secrets::mask_sql("ALTER ROLE ann PASSWORD 'x"), "ALTER ROLE ann PASSWORD '***");
/// assert_eq!(pgq::secrets::mask_sql("SELECT 'x'"), "SELECT 'x'");
/// ```
#[must_use]
pub fn mask_sql(sql: &str) -> Cow<'_, str> {
    if !may_have_secrets(sql) { sql.into() } else { found::masked(sql, &sql::find(sql, 0)) }
}

/// Replaces the secrets of a statement with asterisks. The length in bytes stays the same.
///
/// ```
/// assert_eq!(pgq::secrets::mask_in_place("PASSWORD 'abcde' x"), "PASSWORD '*****' x");
/// ```
#[must_use]
pub fn mask_in_place(sql: &str) -> Cow<'_, str> {
    let ranges = if may_have_secrets(sql) { sql::find(sql, 0).ranges() } else { Vec::new() };
    if ranges.is_empty() {
        return sql.into();
    }
    let mut masked = sql.to_string();
    ranges.into_iter().for_each(|range| masked.replace_range(range.clone(), &"*".repeat(range.len())));
    masked.into()
}

/// Masks the value after a secret's name (`password=x`, `"token": "x"`, `Key (password)=(x)`) and the password in a
/// server address (`postgres://user:x@host`).
///
/// ```
/// assert_eq!(pgq::secrets::mask_text("host=db password=x user=ann"), "host=db password=*** user=ann");
/// assert_eq!(pgq::secrets::mask_text("https://ann:x@db/?token=y"), "https://ann:***@db/?token=***");
/// ```
#[must_use]
pub fn mask_text(text: &str) -> Cow<'_, str> {
    if !may_have_secrets(text) { text.into() } else { found::masked(text, &text::find(text)) }
}

/// Masks secrets in the parameters of a statement, in the form that a server logs: `$1 = 'x', $2 = NULL`.
///
/// ```
/// let masked = pgq::secrets::mask_parameters("UPDATE u SET password = $1 WHERE id = $2", "$1 = 'x', $2 = '7'");
/// assert_eq!(masked, "$1 = '***', $2 = '7'");
/// ```
#[must_use]
pub fn mask_parameters<'p>(sql: &str, parameters: &'p str) -> Cow<'p, str> {
    let secret = if may_have_secrets(sql) { sql::find(sql, 0).parameters } else { Vec::new() };
    if secret.is_empty() { mask_text(parameters) } else { text::mask_numbered(parameters, &secret).into() }
}

/// Masks secrets in a message about a statement, such as a syntax error. These are the secrets that [`mask_text`]
/// finds, and the statement's secrets that the message repeats.
///
/// ```
/// let sql = "ALTER ROLE ann PASSWORD 'open";
/// let message = "unterminated quoted string at or near \"'open\"";
/// assert_eq!(pgq::secrets::mask_message(sql, message), "unterminated quoted string at or near \"'***\"");
/// ```
#[must_use]
pub fn mask_message<'m>(sql: &str, message: &'m str) -> Cow<'m, str> {
    let mut masked = mask_text(message);
    if may_have_secrets(sql) {
        // The longest secret comes first, because one secret may contain another.
        let mut secrets = sql::find(sql, 0).texts(sql);
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        for secret in secrets.into_iter().filter(|secret| secret.len() >= MIN_REPEATED) {
            if masked.contains(secret) {
                masked = masked.replace(secret, MASK).into();
            }
        }
    }
    masked
}

#[cfg(test)]
mod tests;
