//! Parses parameters in the detail or context of a message: `parameters: $1 = 'it''s', $2 = NULL` (postgres.c:
//! errdetail_params).

/// Returns the offset of the first parameter in a detail or a context.
pub fn find_parameters(text: &[u8]) -> Option<usize> {
    // Since PostgreSQL 16 the detail starts with a capital letter.
    if text.starts_with(b"parameters: $") || text.starts_with(b"Parameters: $") {
        return Some(12);
    }
    if let Some(at) = memchr::memmem::find(text, b" parameters: $") {
        return Some(at + 13);
    }
    // In other languages, other words precede the list of parameters. They contain no dollar sign and end with a
    // colon.
    let dollar = memchr::memchr(b'$', text)?;
    let digits = text[dollar + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
    let before = text[..dollar].strip_suffix("« ".as_bytes()).unwrap_or(&text[..dollar]);
    // In Turkish the word for "parameters" follows the list of parameters.
    let is_list = before.ends_with(b": ") || (before.is_empty() && text.ends_with(b" parametresi"));
    (digits > 0 && is_list && text[dollar + 1 + digits..].starts_with(b" = ")).then_some(dollar)
}

/// Parses the values in a string such as `$1 = 'it''s', $2 = NULL`. An inner `None` is NULL.
///
/// Returns `None` if the string has a different form, for example in a truncated log. A value that PostgreSQL shortened
/// (log_parameter_max_length) ends in `...`.
///
/// ```
/// let values = pgq_log::parameter_values(b"$1 = 'it''s', $2 = NULL").unwrap();
/// assert_eq!(values, [Some(b"it's".to_vec()), None]);
/// ```
#[must_use]
pub fn parameter_values(params: &[u8]) -> Option<Vec<Option<Vec<u8>>>> {
    let mut values = Vec::new();
    let mut rest = params;
    loop {
        rest = rest.strip_prefix(b"$")?;
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        rest = rest[digits..].strip_prefix(b" = ")?;
        if let Some(after) = rest.strip_prefix(b"NULL") {
            values.push(None);
            rest = after;
        } else {
            rest = rest.strip_prefix(b"'")?;
            let mut value = Vec::new();
            loop {
                let quote = memchr::memchr(b'\'', rest)?;
                value.extend_from_slice(&rest[..quote]);
                rest = &rest[quote + 1..];
                match rest.strip_prefix(b"'") {
                    Some(after) => rest = after,
                    None => break,
                }
                value.push(b'\'');
            }
            values.push(Some(value));
        }
        match rest.strip_prefix(b", ") {
            Some(after) => rest = after,
            // In French, a quotation mark follows the list of parameters. In Turkish, the word for "parameters" follows
            // the list.
            None => return matches!(rest.trim_ascii(), b"" | b"\xc2\xbb" | b"parametresi").then_some(values),
        }
    }
}
