//! Guesses parameter types from values, for statements whose types the server cannot infer. The original client
//! specified the types, but the log does not have them.

use std::collections::HashMap;

/// Maximum number of remembered statements.
const MAX_STATEMENTS: usize = 100_000;

const INT8: u32 = 20;
const TEXT: u32 = 25;
const NUMERIC: u32 = 1700;
const TIMESTAMPTZ: u32 = 1184;
const BOOL: u32 = 16;

/// Parameter types, keyed by the hash of a statement's SQL.
#[derive(Default)]
pub struct GuessedTypes {
    statements: HashMap<u64, Vec<u32>>,
}

/// Whether an error means missing types: indeterminate or ambiguous.
pub fn wants_types(code: &str) -> bool {
    matches!(code, "42P18" | "42725" | "42P08")
}

impl GuessedTypes {
    /// Returns the guessed types of a statement; empty if it needs no guess.
    pub fn of(&self, statement: u64) -> &[u32] {
        self.statements.get(&statement).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of statements with guessed types.
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    /// Guesses and records the types of a statement.
    pub fn guess(&mut self, statement: u64, params: &[Option<String>]) {
        if self.statements.len() >= MAX_STATEMENTS {
            self.statements.clear();
        }
        self.statements.insert(statement, params.iter().map(|param| guess(param.as_deref())).collect());
    }
}

fn guess(value: Option<&str>) -> u32 {
    let Some(value) = value else { return TEXT };
    if value.parse::<i64>().is_ok() {
        return INT8;
    }
    if value.starts_with(|c: char| c.is_ascii_digit() || c == '-') && value.parse::<f64>().is_ok() {
        return NUMERIC;
    }
    if matches!(value, "t" | "f" | "true" | "false") {
        return BOOL;
    }
    // A date such as `2026-01-31`, with or without a time.
    let bytes = value.as_bytes();
    let digits = |range: std::ops::Range<usize>| bytes[range].iter().all(u8::is_ascii_digit);
    if bytes.len() >= 10 && digits(0..4) && bytes[4] == b'-' && digits(5..7) && bytes[7] == b'-' && digits(8..10) {
        return TIMESTAMPTZ;
    }
    TEXT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_those_that_the_values_look_like() {
        for (value, expected) in [
            (Some("7"), INT8),
            (Some("-7"), INT8),
            (Some("7.5"), NUMERIC),
            (Some("1e6"), NUMERIC),
            (Some("nan"), TEXT),
            (Some("t"), BOOL),
            (Some("2026-01-31"), TIMESTAMPTZ),
            (Some("2026-01-31 12:00:00+01"), TIMESTAMPTZ),
            (Some("2026-01-x1"), TEXT),
            (Some("größegröße"), TEXT),
            (Some(""), TEXT),
            (None, TEXT),
        ] {
            assert_eq!(guess(value), expected, "{value:?}");
        }
    }
}
