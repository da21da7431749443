//! Finds the identifiers that PostgreSQL truncates, because PostgreSQL's notices about truncation
//! have no position.

use crate::error::{Position, Warning};
use crate::parse::tokens::{Token, scan};

/// Maximum length of an identifier in bytes (NAMEDATALEN - 1).
const LONGEST_IDENTIFIER: usize = 63;

/// Sets the positions of notices about truncated identifiers. The first notice belongs to the first long identifier of
/// the SQL, and so on. If there are more or fewer notices than long identifiers, no position is set, because it might
/// be wrong.
pub(super) fn place_truncations(warnings: &mut [Warning], sql: &str) {
    let is_truncation = |warning: &Warning| {
        warning.position.is_none() && warning.sqlstate.is_some_and(|state| state.as_str() == "42622")
    };
    let mut truncations: Vec<_> = warnings.iter_mut().filter(|warning| is_truncation(warning)).collect();
    if truncations.is_empty() {
        return;
    }
    let Ok(tokens) = scan(sql) else { return };
    let long: Vec<_> = tokens.iter().filter(|token| is_long_identifier(token, sql)).collect();
    if long.len() == truncations.len() {
        let mut last = Position::START;
        for (warning, token) in truncations.iter_mut().zip(long) {
            last = last.moved_to(sql, token.start);
            warning.position = Some(last);
        }
    }
}

fn is_long_identifier(token: &Token, sql: &str) -> bool {
    let text = &sql[token.start..token.end];
    if token.end - token.start <= LONGEST_IDENTIFIER || !matches!(token.name(), "IDENT" | "UIDENT") {
        return false;
    }
    match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(quoted) => quoted.replace("\"\"", "\"").len() > LONGEST_IDENTIFIER,
        None => true,
    }
}
