//! Inputs changed at random, the same way every time, through the library and the log readers:
//! what fuzzing does, bounded and on a stable compiler. No crash, no panic, and what comes out
//! is checked: a text that parses also fingerprints, normalizes and scans, a tree that is
//! written is SQL.
//!
//! `PGQ_MUTATIONS=100000` changes how many inputs each part gets, `PGQ_SEED=7` which. The input
//! that was last tried is in `last-input-…` in the tests' temporary folder, for when the
//! process dies of it. `fuzz/` has the same targets for cargo-fuzz.

#[path = "../equality/corpus.rs"]
#[allow(dead_code)]
mod corpus;
#[path = "../equality/mutations.rs"]
#[allow(dead_code)]
mod mutations;

use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use mutations::Mutations;
use pgq::proto::ParseResult;
use pgq::{DeparseOptions, ErrorKind, FingerprintOptions, ParseOptions, Tree};
use prost::Message;

/// Inputs that each part gets.
const USUAL: usize = 20_000;

fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{variable} is no number")))
}

/// What is tried, kept where it outlives the process.
struct Last(std::fs::File);

impl Last {
    fn new(part: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("last-input-{part}"));
        Self(std::fs::File::create(path).unwrap())
    }

    fn is(&self, input: &[u8]) {
        self.0.set_len(input.len() as u64).unwrap();
        self.0.write_all_at(input, 0).unwrap();
    }
}

/// Numbers at random (xorshift64*), the same ones for the same seed.
struct Random(u64);

impl Random {
    fn new(part: u64) -> Self {
        Self(0x9E37_79B9_7F4A_7C15 ^ (number("PGQ_SEED", 1) as u64).wrapping_mul(0xD134_2543_DE82_EF95) ^ part)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit.max(1)
    }

    /// Bytes overwritten, cut out, doubled, put in, and taken from another input.
    fn change(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        const ODD: [u8; 12] = [0, 0xff, 0x80, b'\'', b'"', b'$', b'/', b'*', b';', b'\\', b'\n', 0xc3];
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            let end = (at + self.below(8)).min(bytes.len());
            match self.below(6) {
                0 if at < bytes.len() => bytes[at] = self.below(256) as u8,
                1 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                2 => drop(bytes.drain(at..end)),
                3 => bytes.insert(at, ODD[self.below(ODD.len())]),
                4 => {
                    let piece = bytes[at..end].to_vec();
                    bytes.splice(at..at, piece);
                }
                _ => {
                    let from = self.below(other.len() + 1);
                    let piece = other[from..(from + self.below(24)).min(other.len())].to_vec();
                    bytes.splice(at..end, piece);
                }
            }
        }
    }
}

/// The corpus, and how many inputs to make of it.
fn statements() -> (Vec<String>, usize) {
    let statements: Vec<String> = corpus::sets().into_iter().flat_map(|set| set.statements).collect();
    (statements, number("PGQ_MUTATIONS", USUAL))
}

/// What must hold for any text. Whether it parses.
fn check_text(sql: &str) -> bool {
    let scanned = pgq::scan(sql);
    let Ok(tree) = Tree::parse(sql, &ParseOptions::default()) else { return false };
    assert!(scanned.is_ok(), "it parses and does not scan: {sql}");
    let json = tree.to_json().unwrap_or_else(|e| panic!("{e}: {sql}"));
    let fingerprint = tree.fingerprint(&FingerprintOptions::default()).unwrap_or_else(|e| panic!("{e}: {sql}"));
    let mut full = FingerprintOptions::default();
    full.full_depth = true;
    let all = tree.fingerprint(&full).unwrap_or_else(|e| panic!("{e}: {sql}"));
    assert!(fingerprint.truncated || all.fingerprint == fingerprint.fingerprint, "{sql}");
    let normalized = tree.normalize(false).unwrap_or_else(|e| panic!("{e}: {sql}"));
    assert!(pgq::parse(&normalized.text).is_ok(), "{sql}\n{}", normalized.text);
    // The deparser may refuse a tree; it must not die of it.
    let _ = tree.deparse(&DeparseOptions::default());
    let read = pgq::from_json(&json).unwrap_or_else(|e| panic!("{e}: {sql}"));
    let _ = pgq::deparse(&read.tree);
    true
}

#[test]
fn bytes() {
    let (statements, count) = statements();
    let (mut random, last) = (Random::new(1), Last::new("bytes"));
    let (mut parsed, mut text) = (0, 0);
    for _ in 0..count {
        let mut bytes = statements[random.below(statements.len())].clone().into_bytes();
        let other = &statements[random.below(statements.len())];
        random.change(&mut bytes, other.as_bytes());
        last.is(&bytes);
        if let Ok(sql) = pgq::check_utf8(&bytes) {
            text += 1;
            parsed += usize::from(check_text(sql));
        }
    }
    println!("bytes: {count} inputs, {text} of them text, {parsed} parse");
    assert!(parsed > count / 50);
}

#[test]
fn tokens() {
    let (statements, count) = statements();
    let (mut random, last) = (Random::new(2), Last::new("tokens"));
    let mut mutations = Mutations::new(Random::new(3).0);
    let mut parsed = 0;
    for _ in 0..count {
        let one =
            [statements[random.below(statements.len())].clone(), statements[random.below(statements.len())].clone()];
        let changed = mutations.of(&one, 1);
        last.is(changed[0].as_bytes());
        parsed += usize::from(check_text(&changed[0]));
    }
    println!("tokens: {count} inputs, {parsed} parse");
    assert!(parsed > count / 50);
}

/// Structs that no SQL gives: the C deparser writes them or refuses them.
#[test]
fn trees() {
    let (statements, count) = statements();
    let (mut random, last) = (Random::new(4), Last::new("trees"));
    let trees: Vec<Vec<u8>> =
        statements.iter().filter_map(|sql| Some(pgq::parse(sql).ok()?.tree.encode_to_vec())).collect();
    let (mut decoded, mut written, mut refused) = (0, 0, 0);
    for _ in 0..count {
        let mut bytes = trees[random.below(trees.len())].clone();
        let other = &trees[random.below(trees.len())];
        random.change(&mut bytes, other);
        last.is(&bytes);
        let Ok(tree) = ParseResult::decode(bytes.as_slice()) else { continue };
        decoded += 1;
        match pgq::deparse(&tree) {
            Ok(_) => written += 1,
            Err(_) => refused += 1,
        }
    }
    println!("trees: {count} inputs, {decoded} decode, {written} written as SQL, {refused} refused");
    assert!(written > 0 && refused > 0);
}

#[test]
fn json() {
    let (statements, count) = statements();
    let (mut random, last) = (Random::new(5), Last::new("json"));
    let documents: Vec<String> = statements.iter().step_by(7).filter_map(|sql| pgq::parse_to_json(sql).ok()).collect();
    // Words of other documents: keys, names of nodes and of enum values.
    let words = |text: &str| text.split('"').map(str::to_string).collect::<Vec<_>>();
    let (mut read, mut written, mut refused) = (0, 0, 0);
    for _ in 0..count {
        let mut parts = words(&documents[random.below(documents.len())]);
        let others = words(&documents[random.below(documents.len())]);
        for _ in 0..=random.below(3) {
            let at = random.below(parts.len());
            match random.below(3) {
                0 => parts[at] = others[random.below(others.len())].clone(),
                1 => parts[at] = parts[random.below(parts.len())].clone(),
                _ => {
                    let mut bytes = std::mem::take(&mut parts[at]).into_bytes();
                    random.change(&mut bytes, b"{}[]:,null-1.5e9true\"\"");
                    parts[at] = String::from_utf8_lossy(&bytes).into_owned();
                }
            }
        }
        let document = parts.join("\"");
        last.is(document.as_bytes());
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
    println!("json: {count} inputs, {read} read as trees, {written} written as SQL, {refused} refused");
    assert!(written > 0 && refused > 0);
}

/// Lines of each kind of log, changed, through the program: all of them at once, and for the
/// formats that are told by their first lines in several files.
#[test]
fn log_lines() {
    let count = number("PGQ_MUTATIONS", USUAL);
    let (mut random, last) = (Random::new(6), Last::new("log_lines"));
    let time = "2026-01-31 12:00:00.123 UTC";
    for (form, line) in [
        ("stderr", format!("{time} [7] LOG:  duration: 1.5 ms  statement: SELECT 'a', 1\n\tFROM t\n")),
        (
            "csvlog",
            format!(
                "{time},\"u\",\"d\",7,,5.7,1,\"SELECT\",{time},3/1,0,LOG,00000,\"duration: 1.5 ms  statement: SELECT 1\",,,,,,,,,\"a\"\n"
            ),
        ),
        (
            "jsonlog",
            format!(
                "{{\"timestamp\":\"{time}\",\"pid\":7,\"error_severity\":\"LOG\",\"message\":\"statement: SELECT 'a', 1\"}}\n"
            ),
        ),
    ] {
        let mut log = Vec::new();
        for entry in 0..count {
            let mut bytes = line.clone().into_bytes();
            // The first lines tell the format.
            if entry > 9 && random.below(3) > 0 {
                random
                    .change(&mut bytes, b"DETAIL:  parameters: $1 = 'x'\n\tSTATEMENT:  \",,{\"message\":\"\\u0000\xff");
            }
            log.extend(bytes);
        }
        last.is(&log);
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("log-lines-{form}"));
        std::fs::write(&path, &log).unwrap();
        for form in [form, "auto"] {
            for command in ["fingerprint", "digest"] {
                let output = Command::new(env!("CARGO_BIN_EXE_pgq"))
                    .args([command, "--from", form, "--format", "json"])
                    .arg(&path)
                    .stdin(Stdio::null())
                    .output()
                    .unwrap();
                let errors = String::from_utf8_lossy(&output.stderr);
                let code = output.status.code();
                assert!(
                    matches!(code, Some(0 | 1)),
                    "{form}: {}: {}",
                    output.status,
                    errors.lines().last().unwrap_or("")
                );
                assert!(!errors.contains("panicked"), "{form}: {errors}");
                let records = output.stdout.iter().filter(|byte| **byte == b'\n').count();
                println!(
                    "log lines: {command} --from {form}: {count} entries, {records} lines out, exit code {code:?}"
                );
                assert!(records > 0, "{form}");
            }
        }
    }
}
