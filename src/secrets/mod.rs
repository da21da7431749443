//! Replaces passwords and other secrets in SQL, parameters and messages with `***`. For reports to outsiders, also
//! removes all literals and names.
//!
//! This module reads only tokens. Therefore it also masks statements that do not parse. It detects a secret by its
//! name, such as `password`. If a statement contains such a name, all values of the statement are masked. The masks
//! appear only in reports, and never change the SQL that is executed.

mod anonymize;
mod found;
mod names;
mod options;
mod percent;
mod sql;
mod text;
mod tokens;
mod unquoted;

use std::borrow::Cow;

pub use anonymize::{anonymize_sql, pseudonym};
use names::may_have_secrets;

/// The replacement of a secret.
pub const MASK: &str = "***";
/// The replacement of a secret that must be a literal.
const LITERAL: &str = "'***'";

/// Returns whether a statement or another text may contain a secret. This is the case if the text contains the name of
/// a secret (`password`, `api_key`), even in a string or comment. It is also the case if the text contains options
/// (`OPTIONS (…)`), a connection string, a program of COPY, a call of pgcrypto or dblink, or a name or string with
/// Unicode escapes (`U&"pass\0077ord"`). Percent-encoded text (`%70assword`) is decoded first.
///
/// ```
/// assert!(pgq::secrets::names_secret("UPDATE users SET password = $1"));
/// assert!(!pgq::secrets::names_secret("UPDATE users SET name = $1"));
/// ```
#[must_use]
pub fn names_secret(text: &str) -> bool {
    names::names_secret(text)
}

/// If [`names_secret`] returns true for the statement, masks all its literals and numbers, and the secrets in its
/// comments. Otherwise returns the statement unchanged.
///
/// ```
/// assert_eq!(pgq::secrets::mask_sql("ALTER ROLE ann PASSWORD 'x'"), "ALTER ROLE ann PASSWORD '***'");
/// assert_eq!(pgq::secrets::mask_sql("ALTER ROLE ann PASSWORD 'x"), "ALTER ROLE ann PASSWORD '***");
/// assert_eq!(pgq::secrets::mask_sql("SELECT 'x'"), "SELECT 'x'");
/// ```
#[must_use]
pub fn mask_sql(sql: &str) -> Cow<'_, str> {
    if names_secret(sql) { found::masked(sql, &sql::find(sql, LITERAL, false)) } else { sql.into() }
}

/// Masks a statement whose fingerprint may depend on a secret. Without the mask, anyone who guesses the secret could
/// check the guess by computing the fingerprint. Masks all statements that name a secret, except queries. Returns
/// `None` for all other statements, and for text that is not UTF-8.
///
/// Unlike [`mask_sql`], replaces numbers with 1, because the grammar requires a number in some positions, such as
/// `varchar(64)`. Therefore the masked statement almost always parses if the original does.
///
/// ```
/// let masked = pgq::secrets::mask_for_fingerprint(b"ALTER ROLE ann PASSWORD 'x' CONNECTION LIMIT 5");
/// assert_eq!(masked.unwrap(), b"ALTER ROLE ann PASSWORD '***' CONNECTION LIMIT 1");
/// assert_eq!(pgq::secrets::mask_for_fingerprint(b"SELECT crypt('x', y)"), None);
/// ```
#[must_use]
pub fn mask_for_fingerprint(sql: &[u8]) -> Option<Vec<u8>> {
    if sql::is_query(sql) {
        return None;
    }
    let sql = std::str::from_utf8(sql).ok().filter(|sql| names_secret(sql) && sql::has_utility(sql))?;
    match found::masked(sql, &sql::find(sql, "1", false)) {
        Cow::Borrowed(_) => None,
        Cow::Owned(masked) => Some(masked.into_bytes()),
    }
}

/// Masks all literals and numbers of a statement. Use this for a truncated statement, because its missing end may name
/// a secret.
///
/// ```
/// assert_eq!(pgq::secrets::mask_values("SELECT 7, 'x"), "SELECT '***', '***");
/// ```
#[must_use]
pub fn mask_values(sql: &str) -> Cow<'_, str> {
    found::masked(sql, &sql::find(sql, LITERAL, true))
}

/// Masks the same kinds of values as [`mask_sql`], but also in statements without a secret word (such as `password`).
/// An asterisk replaces each byte of a value, so the length of the SQL stays the same.
///
/// ```
/// assert_eq!(pgq::secrets::mask_in_place("PASSWORD 'abcde' x"), "PASSWORD '*****' x");
/// ```
#[must_use]
pub fn mask_in_place(sql: &str) -> String {
    let mut masked = sql.to_string();
    sql::find(sql, LITERAL, false)
        .ranges()
        .into_iter()
        .for_each(|range| masked.replace_range(range.clone(), &"*".repeat(range.len())));
    masked
}

/// Masks secrets after a name (`password=x`, `"token": "x"`, `Key (password)=(x)`) and in a server's address
/// (`postgres://user:x@host`). If [`names_secret`] returns true for the text, also masks all values in single or dollar
/// quotes, and all numbers.
///
/// ```
/// assert_eq!(pgq::secrets::mask_text("host=db password=x user=ann"), "host=db password=*** user=ann");
/// assert_eq!(pgq::secrets::mask_text("https://ann:x@db/?token=y"), "https://ann:***@db/?token=***");
/// ```
#[must_use]
pub fn mask_text(text: &str) -> Cow<'_, str> {
    if !may_have_secrets(text) { text.into() } else { found::masked(text, &text::find(text)) }
}

/// Masks secrets in the name of an application, user or similar object: values that follow the name of a secret, and
/// passwords in addresses. Unlike [`mask_text`], keeps other quoted values and numbers.
///
/// ```
/// assert_eq!(pgq::secrets::mask_name("token service 2, password=x"), "token service 2, password=***");
/// // With `%u@%d` in log_line_prefix, a name may be the part of an address before its `@`.
/// assert_eq!(pgq::secrets::mask_name("postgres://ann:x"), "postgres://ann:***");
/// assert_eq!(pgq::secrets::mask_name("https://db:5432"), "https://db:5432"); // a port, not a password
/// ```
#[must_use]
pub fn mask_name(name: &str) -> Cow<'_, str> {
    if !may_have_secrets(name) { name.into() } else { found::masked(name, &text::find_in_name(name)) }
}

/// Returns whether a statement has a masked literal. The literal may lack its end.
///
/// ```
/// use pgq::secrets::is_masked;
///
/// assert!(is_masked("CALL store('***', $1)") && is_masked("CALL store($1, '***"));
/// assert!(!is_masked("/*** a ***/ SELECT $1"));
/// ```
#[must_use]
pub fn is_masked(sql: &str) -> bool {
    sql.contains("'***") || sql.contains("$***")
}

/// Masks the parameters of a statement if the statement or a parameter contains the name of a
/// secret, or if the statement contains a mask. `parameters` has the format of PostgreSQL's log.
///
/// ```
/// let masked = pgq::secrets::mask_parameters("UPDATE u SET password = $1 WHERE id = $2", "$1 = 'x', $2 = NULL");
/// assert_eq!(masked, "$1 = '***', $2 = NULL");
/// ```
#[must_use]
pub fn mask_parameters<'p>(sql: &str, parameters: &'p str) -> Cow<'p, str> {
    // The statement may already be masked.
    let is_secret = names_secret(sql) || is_masked(sql) || names_secret(parameters);
    if is_secret { text::mask_quoted_values(parameters).into() } else { parameters.into() }
}

/// Masks a message about a statement, such as a syntax error. If [`names_secret`] returns true for the statement, masks
/// everything that the message quotes. Also masks the secrets that [`mask_text`] finds in the message.
///
/// ```
/// let sql = "ALTER ROLE ann PASSWORD 'open";
/// let message = "unterminated quoted string at or near \"'open\"";
/// assert_eq!(pgq::secrets::mask_message(sql, message), "unterminated quoted string at or near \"***\"");
/// ```
#[must_use]
pub fn mask_message<'m>(sql: &str, message: &'m str) -> Cow<'m, str> {
    if names_secret(sql) { mask_text(&mask_quoted(message)).into_owned().into() } else { mask_text(message) }
}

/// Quotation marks in the server's messages in all languages, and the dollar sign of dollar quotes.
const QUOTATION_MARKS: &str = "\"'`$‘’‚‛“”„«»‹›「」『』《》〈〉";

/// Masks everything from the first quotation mark to the last one. If there is only one mark, masks the rest of the
/// message.
///
/// ```
/// assert_eq!(pgq::secrets::mask_quoted("can't use the password 'x' now"), "can't use the password '***' now");
/// ```
#[must_use]
pub fn mask_quoted(message: &str) -> String {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_mark = |(at, mark): &(usize, char)| {
        let after = message[at + mark.len_utf8()..].chars().next();
        let is_apostrophe =
            matches!(mark, '\'' | '’') && is_letter(message[..*at].chars().next_back()) && is_letter(after);
        let is_parameter = *mark == '$' && after.is_some_and(|c| c.is_ascii_digit());
        !is_apostrophe && !is_parameter
    };
    let all = || message.char_indices().filter(|(_, c)| QUOTATION_MARKS.contains(*c));
    // If the number of other quotes is odd, one of the apostrophes is a quote, as in `E'x'`.
    let is_odd = !all().filter(is_mark).filter(|(_, mark)| *mark == '\'').count().is_multiple_of(2);
    let mut marks = all().filter(|mark| is_odd || is_mark(mark));
    let Some((first, open)) = marks.next() else { return message.to_string() };
    // The quoted text may itself contain quotation marks. Therefore the mask extends to the last mark of the message,
    // which usually ends the quoted text. But if the last mark follows a blank or precedes a letter, it begins another
    // quoted text without an end. In this case, the mask extends to the end of the message.
    let last = marks.next_back().filter(|(at, mark)| {
        let is_blank = message[..*at].ends_with(char::is_whitespace);
        !is_blank && !is_letter(message[at + mark.len_utf8()..].chars().next())
    });
    let (last, end) = last.map_or((open, message.len()), |(at, mark)| (mark, at + mark.len_utf8()));
    format!("{}{open}{MASK}{last}{}", &message[..first], &message[end..])
}

/// Masks the parts of a parser's message that repeat the SQL: text between double quotes, and text after a colon. The
/// other parts do not depend on the SQL.
///
/// ```
/// let message = "improper qualified name (too many dotted names): a.b.c.d";
/// assert_eq!(pgq::secrets::anonymize_message(message), "improper qualified name (too many dotted names): ***");
/// ```
#[must_use]
pub fn anonymize_message(message: &str) -> String {
    let quote = message.find('"').unwrap_or(message.len());
    match message.find(": ") {
        Some(colon) if colon < quote => format!("{}: {MASK}", &message[..colon]),
        _ => mask_quoted(message),
    }
}
