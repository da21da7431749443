//! Fuzzes the library and the log readers with mutated inputs, which are the same in every run. No
//! input may cause a crash or a panic. Results are checked too: a text that parses can also be
//! fingerprinted, normalized and scanned. Unlike cargo-fuzz, these tests need no nightly compiler.
//!
//! `PGQ_MUTATIONS=100000` sets the number of inputs per test, `PGQ_SEED=7` selects other inputs.
//! The file `last-input-TEST` in target/tmp contains the last input, even after a crash. fuzz/ has
//! the same targets for cargo-fuzz.

mod common;

use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use common::mutations::{mutate_bytes, mutate_text};
use common::setting::setting;
use fastrand::Rng;
use pgq::proto::ParseResult;
use pgq::{DeparseOptions, ErrorKind, FingerprintOptions, ParseOptions, Tree};
use pgq_corpus::all_statements;
use prost::Message;

/// Default number of inputs per test.
const INPUTS: usize = 20_000;

fn input_count() -> usize {
    setting("PGQ_MUTATIONS", INPUTS)
}

/// Returns the random number generator of the test with this number.
fn rng(test: u64) -> Rng {
    Rng::with_seed(setting("PGQ_SEED", 1) as u64 * 1000 + test)
}

/// Returns a random element.
fn choose<'a, T>(rng: &mut Rng, all: &'a [T]) -> &'a T {
    &all[rng.usize(..all.len())]
}

/// The file with the last input.
struct LastInput(std::fs::File);

impl LastInput {
    fn new(test: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("last-input-{test}"));
        Self(std::fs::File::create(path).unwrap())
    }

    fn set(&self, input: &[u8]) {
        self.0.set_len(input.len() as u64).unwrap();
        self.0.write_all_at(input, 0).unwrap();
    }
}

/// Checks the invariants that apply to any text. Returns whether the text parses.
fn check_text(sql: &str) -> bool {
    let scanned = pgq::scan(sql);
    let Ok(tree) = Tree::parse(sql, &ParseOptions::default()) else { return false };
    assert!(scanned.is_ok(), "it parses and does not scan: {sql}");
    let json = tree.to_json().unwrap_or_else(|e| panic!("{e}: {sql}"));
    let mut full_depth = FingerprintOptions::default();
    full_depth.full_depth = true;
    let full = tree.fingerprint(&full_depth).unwrap_or_else(|e| panic!("{e}: {sql}"));
    let default = tree.fingerprint(&FingerprintOptions::default()).unwrap_or_else(|e| panic!("{e}: {sql}"));
    assert!(default.truncated || full.fingerprint == default.fingerprint, "{sql}");
    let normalized = tree.normalize(false).unwrap_or_else(|e| panic!("{e}: {sql}"));
    assert!(pgq::parse_with(&normalized.text, &ParseOptions::normalized()).is_ok(), "{sql}\n{}", normalized.text);
    // The deparser may refuse a tree, but must not crash.
    let _ = tree.deparse(&DeparseOptions::default());
    let read = pgq::from_json(&json).unwrap_or_else(|e| panic!("{e}: {sql}"));
    let _ = pgq::deparse(&read.tree);
    true
}

#[test]
fn statements_with_mutated_bytes() {
    let (statements, inputs) = (all_statements(), input_count());
    let (mut rng, last) = (rng(1), LastInput::new("bytes"));
    let (mut parsed, mut utf8) = (0, 0);
    for _ in 0..inputs {
        let mut bytes = choose(&mut rng, &statements).clone().into_bytes();
        let other = choose(&mut rng, &statements);
        mutate_bytes(&mut rng, &mut bytes, other.as_bytes());
        last.set(&bytes);
        if let Ok(sql) = pgq::check_utf8(&bytes) {
            utf8 += 1;
            parsed += usize::from(check_text(sql));
        }
    }
    println!("bytes: {inputs} inputs, {utf8} are UTF-8, {parsed} parse");
    assert!(parsed > inputs / 50);
}

#[test]
fn statements_with_mutated_tokens() {
    let (statements, inputs) = (all_statements(), input_count());
    let (mut rng, last) = (rng(2), LastInput::new("tokens"));
    let mut parsed = 0;
    for _ in 0..inputs {
        let statement = choose(&mut rng, &statements);
        let sql = mutate_text(&mut rng, statement, &statements);
        last.set(sql.as_bytes());
        parsed += usize::from(check_text(&sql));
    }
    println!("tokens: {inputs} inputs, {parsed} parse");
    assert!(parsed > inputs / 50);
}

/// For structs that correspond to no SQL, the C deparser may write SQL or return an error, but must not crash.
#[test]
fn trees_with_mutated_bytes() {
    let inputs = input_count();
    let (mut rng, last) = (rng(3), LastInput::new("trees"));
    let encoded = |sql: &String| Some(pgq::parse(sql).ok()?.tree.encode_to_vec());
    let trees: Vec<Vec<u8>> = all_statements().iter().filter_map(encoded).collect();
    let (mut decoded, mut written, mut refused) = (0, 0, 0);
    for _ in 0..inputs {
        let mut bytes = choose(&mut rng, &trees).clone();
        let other = choose(&mut rng, &trees);
        mutate_bytes(&mut rng, &mut bytes, other);
        last.set(&bytes);
        let Ok(tree) = ParseResult::decode(bytes.as_slice()) else { continue };
        decoded += 1;
        match pgq::deparse(&tree) {
            Ok(_) => written += 1,
            Err(_) => refused += 1,
        }
    }
    println!("trees: {inputs} inputs, {decoded} decode, {written} written as SQL, {refused} refused");
    assert!(written > 0 && refused > 0);
}

/// Splits a JSON document at its quotes: keys, names of nodes, values, punctuation.
fn words(json: &str) -> Vec<&str> {
    json.split('"').collect()
}

#[test]
fn json_with_mutated_words() {
    let inputs = input_count();
    let (mut rng, last) = (rng(4), LastInput::new("json"));
    let documents: Vec<String> =
        all_statements().iter().step_by(7).filter_map(|sql| pgq::parse_to_json(sql).ok()).collect();
    let (mut read, mut written, mut refused) = (0, 0, 0);
    for _ in 0..inputs {
        let mut parts: Vec<String> =
            words(choose::<String>(&mut rng, &documents)).into_iter().map(str::to_string).collect();
        let others = words(choose::<String>(&mut rng, &documents));
        for _ in 0..rng.usize(1..=3) {
            let at = rng.usize(..parts.len());
            match rng.usize(..3) {
                0 => parts[at] = choose(&mut rng, &others).to_string(),
                1 => parts[at] = choose(&mut rng, &parts).clone(),
                _ => {
                    let mut bytes = std::mem::take(&mut parts[at]).into_bytes();
                    mutate_bytes(&mut rng, &mut bytes, b"{}[]:,null-1.5e9true\"\"");
                    parts[at] = String::from_utf8_lossy(&bytes).into_owned();
                }
            }
        }
        let document = parts.join("\"");
        last.set(document.as_bytes());
        match pgq::from_json(&document) {
            Ok(tree) => {
                read += 1;
                written += usize::from(pgq::deparse(&tree.tree).is_ok());
            }
            Err(error) => {
                assert!(matches!(error.kind, ErrorKind::Json | ErrorKind::TooDeep), "{error:?}: {document}");
                refused += 1;
            }
        }
    }
    println!("json: {inputs} inputs, {read} read as trees, {written} written as SQL, {refused} refused");
    assert!(written > 0 && refused > 0);
}

#[cfg(feature = "cli")]
const TIME: &str = "2026-01-31 12:00:00.123 UTC";

/// Returns one log record in each format.
#[cfg(feature = "cli")]
fn log_records() -> [(&'static str, String); 3] {
    let csv_time = format!("{TIME},\"u\",\"d\",7,,5.7,1,\"SELECT\",{TIME},3/1,0,LOG,00000");
    let json = serde_json::json!({
        "timestamp": TIME, "pid": 7, "error_severity": "LOG", "message": "statement: SELECT 'a', 1",
    });
    [
        ("stderr", format!("{TIME} [7] LOG:  duration: 1.5 ms  statement: SELECT 'a', 1\n\tFROM t\n")),
        ("csvlog", format!("{csv_time},\"duration: 1.5 ms  statement: SELECT 1\",,,,,,,,,\"a\"\n")),
        ("jsonlog", format!("{json}\n")),
    ]
}

#[cfg(feature = "cli")]
#[test]
fn logs_with_mutated_records() {
    use common::program;
    const PIECES: &[u8] = b"DETAIL:  parameters: $1 = 'x'\n\tSTATEMENT:  \",,{\"message\":\"\\u0000\xff";
    let inputs = input_count();
    let (mut rng, last) = (rng(5), LastInput::new("logs"));
    let folder = tempfile::tempdir().unwrap();
    for (format, record) in log_records() {
        let mut log = Vec::new();
        for number in 0..inputs {
            let mut bytes = record.clone().into_bytes();
            // Keep the first records unchanged, because pgq detects the format from them.
            if number > 9 && rng.usize(..3) > 0 {
                mutate_bytes(&mut rng, &mut bytes, PIECES);
            }
            log.extend(bytes);
        }
        last.set(&log);
        let file = program::write(folder.path(), format, &log);
        for from in [format, "auto"] {
            for command in ["fingerprint", "digest"] {
                let output = program::run(&[command, "--from", from, "--format", "json", &file], b"");
                let (code, errors) = (output.status.code(), program::stderr(&output));
                let last_line = errors.lines().last().unwrap_or_default();
                assert!(matches!(code, Some(0 | 1)), "{command} --from {from}: {}: {last_line}", output.status);
                assert!(!errors.contains("panicked"), "{command} --from {from}: {errors}");
                let lines = output.stdout.iter().filter(|byte| **byte == b'\n').count();
                println!("logs: {command} --from {from}: {inputs} records in, {lines} lines out, exit code {code:?}");
                assert!(lines > 0, "{command} --from {from}");
            }
        }
    }
}
