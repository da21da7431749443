//! Both paths must agree on every statement before their speed means anything.

use indicatif::ProgressBar;
use pgq::protobuf;
use pgq::{DeparseOptions, Error, FingerprintOptions, ParseOptions, Tree};

use super::Function;
use super::function::log;
use crate::output::Messages;

/// What came of comparing a function's two paths.
pub struct Verified {
    pub function: Function,
    /// Equal results.
    pub compared: usize,
    /// Results, or refusals, that differ.
    pub differ: usize,
    /// Refused by both, with the same words at the same place.
    pub refused: usize,
    /// Written wrong by libpg_query, as is seen when that is parsed: not to be equalled.
    pub wrong: usize,
}

/// Differences that are shown; the rest are counted.
const SHOWN: usize = 5;

/// Compares the paths of `function` on every statement and reports differences.
pub fn verify(function: Function, statements: &[String], messages: &Messages, bar: &ProgressBar) -> Verified {
    let mut verified = Verified { function, compared: 0, differ: 0, refused: 0, wrong: 0 };
    for sql in statements {
        match compare(function, sql) {
            Ok(Outcome::Equal) => verified.compared += 1,
            Ok(Outcome::Refused) => verified.refused += 1,
            Ok(Outcome::Wrong) => verified.wrong += 1,
            Err(why) => {
                verified.differ += 1;
                if verified.differ <= SHOWN {
                    let sql: String = sql.chars().take(200).collect();
                    messages.mismatch(&format!("{}: {why}: {sql}", function.name()));
                }
            }
        }
        bar.inc(1);
    }
    verified
}

enum Outcome {
    Equal,
    Refused,
    Wrong,
}

/// What came of a statement, or what differs.
fn compare(function: Function, sql: &str) -> Result<Outcome, String> {
    let parse = ParseOptions::default();
    match function {
        Function::Parse => both(pgq::parse(sql).map(pgq::Parsed::into_tree), protobuf::parse(sql, &parse)),
        Function::Deparse => match pgq::parse(sql) {
            Ok(parsed) => {
                let reference = protobuf::deparse(&parsed.tree, &DeparseOptions::default());
                match &reference {
                    Ok(sql) if pgq::verify(&parsed.tree, sql).is_err() => Ok(Outcome::Wrong),
                    _ => both(pgq::deparse(&parsed.tree), reference),
                }
            }
            Err(_) => Ok(Outcome::Refused),
        },
        Function::Fingerprint => {
            both(pgq::fingerprint(sql), protobuf::fingerprint(sql, &FingerprintOptions::default()))
        }
        Function::Json => both(pgq::parse_to_json(sql), protobuf::parse_to_json(sql, &parse)),
        Function::Normalize => {
            // Where libpg_query's text is wrong, pgq's is another.
            let ours = Tree::parse(sql, &parse).and_then(|tree| tree.normalize(sql, false));
            match (ours, protobuf::normalize(sql)) {
                (Ok(ours), Ok(_)) if !ours.departures.is_empty() => Ok(Outcome::Wrong),
                (ours, reference) => both(ours.map(|ours| ours.text), reference),
            }
        }
        Function::Log => {
            let fingerprint = protobuf::fingerprint(sql, &FingerprintOptions::default());
            let ours = Tree::parse(sql, &parse).and_then(|tree| tree.normalize(sql, false));
            if ours.is_ok_and(|ours| !ours.departures.is_empty()) {
                return both(log(sql).map(|(fingerprint, _)| fingerprint), fingerprint);
            }
            both(log(sql), fingerprint.and_then(|fingerprint| Ok((fingerprint, protobuf::normalize(sql)?))))
        }
        Function::Scan => {
            let tokens = |t: Vec<pgq::Token>| t.iter().map(|t| (t.start, t.end, t.token, t.keyword)).collect();
            let reference = |t: protobuf::ScanResult| {
                t.tokens.iter().map(|t| (t.start as usize, t.end as usize, t.token, t.keyword_kind)).collect::<Vec<_>>()
            };
            both(pgq::scan(sql).map(tokens), protobuf::scan(sql).map(reference))
        }
    }
}

fn both<T: PartialEq>(raw: Result<T, Error>, protobuf: Result<T, Error>) -> Result<Outcome, String> {
    match (raw, protobuf) {
        (Ok(raw), Ok(protobuf)) if raw == protobuf => Ok(Outcome::Equal),
        (Ok(_), Ok(_)) => Err("the results differ".into()),
        (Err(raw), Err(protobuf)) if raw.message == protobuf.message && raw.position == protobuf.position => {
            Ok(Outcome::Refused)
        }
        (Err(raw), Err(protobuf)) => Err(format!("refused as \"{raw}\" and as \"{protobuf}\"")),
        (Ok(_), Err(error)) => Err(format!("only the Protobuf path refuses (\"{error}\")")),
        (Err(error), Ok(_)) => Err(format!("only the raw path refuses (\"{error}\")")),
    }
}
