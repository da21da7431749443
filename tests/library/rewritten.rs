//! Tests pgq's output for the corpus with randomly changed literals and white space. Normalized SQL must have the same
//! types in casts and the same fingerprint as the original, and normalizing it again must change nothing. Every
//! statement that parses is also deparsed.

use crate::common::setting::setting;
use fastrand::Rng;
use pgq::{DeparseOptions, Deviation, FingerprintOptions, ParseOptions, Tree};
use rayon::prelude::*;
use serde_json::Value;

/// Strings in different notations.
const STRINGS: [&str; 14] = [
    "'x'",
    "N'x'",
    "n'it''s'",
    "E'x\\'y'",
    "$$x$$",
    "$a$ $$ $a$",
    "'a'\n'b'",
    "N'a'\n  'b'",
    "'a' -- c\n 'b'",
    "U&'\\0061'",
    "''",
    "char 'x'",
    "bit '1'",
    "national character varying(3) 'x'",
];

/// White space and comments between two tokens.
const GAPS: [&str; 7] = [" ", "\n", "  \t", " /* ; */ ", " -- it's\n", "\r\n", "\n/* a /* b */ */\n"];

/// Replaces some strings and gaps of the statement.
fn changed(rng: &mut Rng, sql: &str) -> Option<String> {
    let tokens = pgq::scan(sql).ok()?;
    let (mut text, mut end) = (String::new(), 0);
    for token in tokens {
        let gap = &sql[end..token.start];
        text += if !gap.is_empty() && rng.u8(..4) == 0 { GAPS[rng.usize(..GAPS.len())] } else { gap };
        let is_string = matches!(token.name(), "SCONST" | "USCONST");
        let is_number = matches!(token.name(), "ICONST" | "FCONST") && rng.u8(..16) == 0;
        let before = text.chars().last().is_some_and(|c| c.is_alphanumeric() || matches!(c, '\'' | '$' | '_' | '&'));
        match is_string && rng.bool() || is_number {
            true if before => text += &format!(" {}", STRINGS[rng.usize(..STRINGS.len())]),
            true => text += STRINGS[rng.usize(..STRINGS.len())],
            false => text += &sql[token.start..token.end],
        }
        end = token.end;
    }
    Some(text + &sql[end..])
}

/// Returns the types of all casts, in the order of the tree.
fn cast_types(tree: &Tree) -> Vec<String> {
    fn collect(value: &Value, types: &mut Vec<String>) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| collect(value, types)),
            Value::Object(fields) => {
                if let Some(name) = fields.get("TypeCast").and_then(|cast| cast.get("typeName")) {
                    let mut name = name.clone();
                    drop_locations(&mut name);
                    types.push(name.to_string());
                }
                fields.values().for_each(|value| collect(value, types));
            }
            _ => {}
        }
    }
    let mut types = Vec::new();
    collect(&serde_json::from_str(&tree.to_json().unwrap()).unwrap(), &mut types);
    types
}

fn drop_locations(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(drop_locations),
        Value::Object(fields) => {
            fields.remove("location");
            fields.values_mut().for_each(drop_locations);
        }
        _ => {}
    }
}

/// Checks the results for a statement. Returns `Some(Err(…))` with the first fault, `Some(Ok(()))` if there is no
/// fault, and `None` if the statement does not parse.
fn check(sql: &str) -> Option<Result<(), String>> {
    let options = ParseOptions::normalized();
    let tree = Tree::parse(sql, &options).ok()?;
    Some((|| {
        let normalized = tree.normalize(false).map_err(|e| format!("not normalized: {e}"))?;
        let text = &normalized.text;
        let again = Tree::parse(text, &options).map_err(|e| format!("normalized does not parse: {e}: {text}"))?;
        let twice = again.normalize(false).map_err(|e| format!("not normalized twice: {e}"))?;
        if twice.text != *text {
            return Err(format!("normalized twice: {text}\n  {}", twice.text));
        }
        let fingerprint = |tree: &Tree| tree.fingerprint(&FingerprintOptions::default()).unwrap().fingerprint;
        if normalized.quoted == 0 && fingerprint(&tree) != fingerprint(&again) {
            return Err(format!("another fingerprint: {text}"));
        }
        if cast_types(&tree) != cast_types(&again) {
            return Err(format!("other types: {text}"));
        }
        if normalized.deviations.contains(&Deviation::Statement) && normalized.text != sql {
            return Err("left alone and not equal".into());
        }
        let mut verified = DeparseOptions::default();
        verified.verify = true;
        tree.deparse(&verified).map(drop).map_err(|e| format!("not deparsed: {e}"))
    })())
}

#[test]
fn what_is_written_has_the_meaning_of_what_was_read() {
    let statements = pgq_corpus::all_statements();
    let each = setting("PGQ_CASES", 1);
    let (parsed, wrong): (Vec<usize>, Vec<Option<String>>) = statements
        .par_iter()
        .enumerate()
        .flat_map_iter(|(index, statement)| {
            let seed = (setting("PGQ_SEED", 1) * statements.len() + index) as u64;
            let mut rng = Rng::with_seed(seed);
            let others: Vec<String> = (0..each).filter_map(|_| changed(&mut rng, statement)).collect();
            std::iter::once(statement.clone()).chain(others)
        })
        .filter_map(|sql| check(&sql).map(|result| (1, result.err().map(|problem| format!("{sql}\n  {problem}\n")))))
        .unzip();
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    println!("{} texts, {} wrong", parsed.len(), wrong.len());
    let shown = wrong.iter().take(30).cloned().collect::<String>();
    assert!(wrong.is_empty(), "{} wrong:\n{shown}", wrong.len());
    assert!(parsed.len() > statements.len(), "hardly any changed text parses");
}
