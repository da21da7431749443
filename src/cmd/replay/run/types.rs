//! Guesses the parameter types of a statement from values, if the server cannot infer the types. The original client
//! specified the types, but the log does not contain them.

use std::collections::HashMap;

/// Maximum number of remembered statements.
const MAX_STATEMENTS: usize = 100_000;

const INT8: u32 = 20;
const TEXT: u32 = 25;
const NUMERIC: u32 = 1700;
const TIMESTAMPTZ: u32 = 1184;
const BOOL: u32 = 16;

/// Parameter types, keyed by the hash of a statement's SQL.
pub type GuessedTypes = HashMap<u64, Vec<u32>>;

/// Whether an SQLSTATE means that the server could not infer the type of a parameter or choose a function.
pub fn wants_types(code: &str) -> bool {
    matches!(code, "42P18" | "42725" | "42P08")
}

/// Guesses and records the types of a statement.
pub fn guess_types(types: &mut GuessedTypes, statement: u64, params: &[Option<String>]) {
    if types.len() >= MAX_STATEMENTS {
        types.clear();
    }
    types.insert(statement, params.iter().map(|param| guess(param.as_deref())).collect());
}

/// Returns the guessed types of a statement, or an empty slice. If a value does not fit its guessed type, the type becomes
/// text, or numeric for numbers.
pub fn types_for<'a>(types: &'a mut GuessedTypes, statement: u64, params: &[Option<String>]) -> &'a [u32] {
    let Some(types) = types.get_mut(&statement) else { return &[] };
    for (known, param) in types.iter_mut().zip(params).filter(|(_, param)| param.is_some()) {
        *known = match (*known, guess(param.as_deref())) {
            (known, found) if known == found => known,
            (INT8 | NUMERIC, INT8 | NUMERIC) => NUMERIC,
            _ => TEXT,
        };
    }
    types
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
    if value.get(..10).is_some_and(|date| date.parse::<jiff::civil::Date>().is_ok()) {
        return TIMESTAMPTZ;
    }
    TEXT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_changes_if_a_value_does_not_fit() {
        let params = |values: [&str; 3]| values.map(|value| (value != "NULL").then(|| value.to_string()));
        let mut types = GuessedTypes::new();
        guess_types(&mut types, 7, &params(["10115", "7", "t"]));
        for (values, expected) in [
            (["7", "NULL", "f"], [INT8, INT8, BOOL]),
            (["Berlin", "7.5", "NULL"], [TEXT, NUMERIC, BOOL]),
            (["8", "8", "8"], [TEXT, NUMERIC, TEXT]),
        ] {
            assert_eq!(types_for(&mut types, 7, &params(values)), expected, "{values:?}");
        }
        assert!(types_for(&mut types, 8, &[]).is_empty());
    }

    #[test]
    fn types_are_those_that_the_values_look_like() {
        for (value, expected) in [
            (Some("7"), INT8),
            (Some("7.5"), NUMERIC),
            (Some("1e6"), NUMERIC),
            (Some("nan"), TEXT),
            (Some("t"), BOOL),
            (Some("2026-01-31"), TIMESTAMPTZ),
            (Some("2026-01-31 12:00:00+01"), TIMESTAMPTZ),
            (Some("2026-01-x1"), TEXT),
            (Some("größegröße"), TEXT),
            (None, TEXT),
        ] {
            assert_eq!(guess(value), expected, "{value:?}");
        }
    }
}
