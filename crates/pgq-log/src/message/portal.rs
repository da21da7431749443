//! Reads the heading of an execution, which is the text before its SQL: the protocol, and the name of the portal.

use crate::message::kinds::MessageText;
use crate::message::language;

/// Returns the statement and portal names in a heading: `s1/p1` in `duration: 1.5 ms  execute s1/p1: `.
pub fn portal_name(heading: &[u8]) -> Option<&[u8]> {
    if !may_have_portal(heading) {
        return None;
    }
    let names = heading.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end();
    let names = names.rsplit(|b| *b == b' ').next()?;
    // In Chinese, no blank separates the names from the verb.
    let without = |verb: &str| names.strip_prefix(verb.as_bytes());
    let names = without("执行FETCH操作").or_else(|| without("执行")).unwrap_or(names);
    names.contains(&b'/').then_some(names)
}

/// Returns the names of the prepared statement and of the portal in a heading (the text before the SQL). An unnamed
/// statement or portal has the name `""`. Returns `None` for the simple protocol, and for parse and bind messages.
///
/// In languages other than English, there are two differences. For an execution without a portal name, the result is
/// `None`. For a fetch, the name of the statement is always `fetch from <unnamed>`.
///
/// ```
/// use pgq_log::prepared_names;
///
/// assert_eq!(prepared_names(b"duration: 1.5 ms  execute s1/p1: "), Some(("s1", "p1")));
/// assert_eq!(prepared_names(b"execute <unnamed>: "), Some(("", "")));
/// assert_eq!(prepared_names(b"statement: "), None);
/// assert_eq!(prepared_names("Ausführen Fetch von <unnamed>: ".as_bytes()), Some(("fetch from <unnamed>", "")));
/// assert_eq!(prepared_names("Ausführen <unnamed>/c: ".as_bytes()), Some(("", "c")));
/// ```
#[must_use]
pub fn prepared_names(heading: &[u8]) -> Option<(&str, &str)> {
    let before_name = |heading| std::str::from_utf8(heading).ok()?.split_once("execute ");
    let is_english =
        |before: &str| before.is_empty() || (before.starts_with("duration: ") && before.ends_with(" ms  "));
    let Some((_, name)) = before_name(heading).filter(|(before, _)| is_english(before)) else {
        return foreign_names(heading);
    };
    let name = name.strip_suffix(": ").unwrap_or(name);
    let (name, portal) = name.split_once('/').unwrap_or((name, ""));
    Some((if name == "<unnamed>" { "" } else { name }, portal))
}

/// Like [`prepared_names`], for all languages but English: reads only fetches and headings with the name of a portal.
fn foreign_names(heading: &[u8]) -> Option<(&str, &str)> {
    match language::classify(heading)? {
        MessageText::Fetch { .. } => Some(("fetch from <unnamed>", "")),
        MessageText::Execution { .. } => {
            let (name, portal) = std::str::from_utf8(portal_name(heading)?).ok()?.split_once('/')?;
            Some((if name == "<unnamed>" { "" } else { name }, portal))
        }
        _ => None,
    }
}

/// Whether a heading (the text before the SQL) may contain the name of a portal. The simple protocol (`statement: `)
/// has no portals.
#[inline]
pub fn may_have_portal(heading: &[u8]) -> bool {
    // Fast path: most headings are `duration: 1.5 ms  statement: `.
    !heading.ends_with(b" ms  statement: ") && heading.contains(&b'/')
}

/// Whether a heading (the text before the SQL) is that of the simple protocol, in any language: `statement: ` or
/// `duration: 1.5 ms  statement: `.
pub fn is_simple(heading: &[u8]) -> bool {
    let is_english = || heading.starts_with(b"execute ") || heading.starts_with(b"duration: ");
    is_english_simple(heading) || (!is_english() && language::is_simple(heading))
}

/// Like [`is_simple`], for English only. The end of the heading is not sufficient: `execute statement: ` is the heading
/// of a prepared statement with the name `statement`.
fn is_english_simple(heading: &[u8]) -> bool {
    let is_duration = |before: &[u8]| {
        let digits = before.strip_prefix(b"duration: ").and_then(|rest| rest.strip_suffix(b" ms  "));
        digits.is_some_and(|digits| !digits.contains(&b' '))
    };
    heading.strip_suffix(b"statement: ").is_some_and(|before| before.is_empty() || is_duration(before))
}
