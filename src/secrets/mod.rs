//! Passwords and other secrets in SQL, parameters and messages, replaced by `***`; and texts without any literal or
//! name, for reports that leave the house.
//!
//! It reads tokens and no tree, so that a statement that does not parse is masked as well. It finds secrets by what
//! precedes them: it knows neither values nor tables. Where in doubt it masks: a mask hides a value in a report, and
//! never changes what is executed.

mod anonymize;
mod names;
mod sql;
mod text;
mod tokens;

use std::borrow::Cow;

pub use anonymize::{anonymize_sql, pseudonym};
use names::may_have_secrets;

/// What stands for a secret.
pub const MASK: &str = "***";

/// Bytes of a secret that is looked for in messages: shorter ones are parts of words.
const MIN_REPEATED: usize = 3;

/// Returns a statement without its secrets: passwords of roles, options of servers and user mappings, connection strings,
/// programs of COPY, values of columns and settings that are named like secrets, and what [`mask_text`] finds in
/// literals and comments.
///
/// ```
/// assert_eq!(pgq::secrets::mask_sql("ALTER ROLE ann PASSWORD 'x'"), "ALTER ROLE ann PASSWORD '***'");
/// assert_eq!(pgq::secrets::mask_sql("ALTER ROLE ann PASSWORD 'x"), "ALTER ROLE ann PASSWORD '***");
/// assert_eq!(pgq::secrets::mask_sql("SELECT 'x'"), "SELECT 'x'");
/// ```
#[must_use]
pub fn mask_sql(sql: &str) -> Cow<'_, str> {
    if !may_have_secrets(sql) { sql.into() } else { sql::masked(sql, &sql::find(sql, 0)) }
}

/// Returns a statement of the same length, in bytes, with its secrets replaced by asterisks.
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

/// Returns a text without the secrets that a name precedes (`password=x`, `"token": "x"`, `Key (password)=(x)`), or that are
/// in the address of a server (`postgres://user:x@host`).
///
/// ```
/// assert_eq!(pgq::secrets::mask_text("host=db password=x user=ann"), "host=db password=*** user=ann");
/// assert_eq!(pgq::secrets::mask_text("https://ann:x@db/?token=y"), "https://ann:***@db/?token=***");
/// ```
#[must_use]
pub fn mask_text(text: &str) -> Cow<'_, str> {
    if !may_have_secrets(text) { text.into() } else { sql::masked(text, &text::find(text)) }
}

/// Returns the parameters of a statement, `$1 = 'x', $2 = NULL` as a server logs them, without secrets.
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

/// Returns a message about a statement, such as that of its syntax error, without secrets: those that [`mask_text`] finds,
/// and those of the statement that it repeats.
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
        // The longest first: one may be a part of another.
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
