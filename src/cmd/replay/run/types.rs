//! Guesses the parameter types of a statement from the values of the parameters, if the server cannot infer the types.
//! The original client specified the types, but the log does not contain them.

use std::collections::HashMap;

const INT8: u32 = 20;
const TEXT: u32 = 25;
const NUMERIC: u32 = 1700;
const TIMESTAMPTZ: u32 = 1184;
const BOOL: u32 = 16;

/// Parameter types, keyed by the hash of a statement's SQL. A parameter that was always NULL has no type yet.
pub type GuessedTypes = HashMap<u64, Vec<Option<u32>>>;

/// SQLSTATEs of the errors that the server returns if it cannot infer the type of a parameter, or cannot choose a
/// function.
pub const WANTS_TYPES: [&str; 4] = ["42P18", "42725", "42P08", "42804"];

/// Returns whether a statement with parameters may have failed only because pgq does not know the types of the
/// parameters. `code` is the SQLSTATE of the error. The server may have been unable to infer a type ([`WANTS_TYPES`]),
/// may have found no matching function (42883) or cast (42846), or may have rejected a value of the inferred type
/// (class 22).
pub fn may_lack_types(code: &str) -> bool {
    WANTS_TYPES.contains(&code) || ["42883", "42846"].contains(&code) || code.starts_with("22")
}

/// Guesses and records the types of a statement.
pub fn guess_types(types: &mut GuessedTypes, statement: u64, params: &[Option<String>]) {
    types.insert(statement, params.iter().map(|param| param.as_deref().map(guess)).collect());
}

/// Returns the guessed parameter types of a statement, or an empty list if they were not guessed. If a value in
/// `params` looks like a different type, the guessed type changes: to numeric for two numbers (`7` and `7.5`), and to
/// text in all other cases. A parameter that was always NULL has the type text.
pub fn types_for(types: &mut GuessedTypes, statement: u64, params: &[Option<String>]) -> Vec<u32> {
    let Some(types) = types.get_mut(&statement) else { return Vec::new() };
    for (known, param) in types.iter_mut().zip(params) {
        *known = match (*known, param.as_deref().map(guess)) {
            (Some(known), Some(found)) if known == found => Some(known),
            (Some(INT8 | NUMERIC), Some(INT8 | NUMERIC)) => Some(NUMERIC),
            (Some(_), Some(_)) => Some(TEXT),
            (known, found) => known.or(found),
        };
    }
    types.iter().map(|known| known.unwrap_or(TEXT)).collect()
}

fn guess(value: &str) -> u32 {
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
        guess_types(&mut types, 9, &params(["NULL", "NULL", "t"]));
        for (values, expected) in
            [(["NULL", "7", "NULL"], [TEXT, INT8, BOOL]), (["8", "NULL", "f"], [INT8, INT8, BOOL])]
        {
            assert_eq!(types_for(&mut types, 9, &params(values)), expected, "{values:?}");
        }
    }

    #[test]
    fn types_are_those_that_the_values_look_like() {
        for (value, expected) in [
            ("7", INT8),
            ("7.5", NUMERIC),
            ("1e6", NUMERIC),
            ("nan", TEXT),
            ("t", BOOL),
            ("2026-01-31", TIMESTAMPTZ),
            ("2026-01-31 12:00:00+01", TIMESTAMPTZ),
            ("2026-01-x1", TEXT),
            ("größegröße", TEXT),
        ] {
            assert_eq!(guess(value), expected, "{value}");
        }
    }
}
