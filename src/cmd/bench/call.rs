//! Calls a function once.

use std::hint::black_box;

use pgq::proto::ParseResult;
use pgq::{DeparseOptions, Error, Fingerprint, FingerprintOptions, ParseOptions, Tree, reference};

use super::columns::{self, Source};
use super::function::{Function, Path};

/// A statement with everything that the measured function needs as input.
pub struct Prepared<'a> {
    pub sql: &'a str,
    pub tree: Option<(ParseResult, Tree)>,
    /// Input of functions that start from Protobuf bytes.
    pub bytes: Vec<u8>,
}

impl<'a> Prepared<'a> {
    /// Returns `None` if the statement does not parse.
    pub fn new(sql: &'a str, function: Function) -> Option<Self> {
        let tree = Tree::parse(sql, &ParseOptions::normalized()).ok()?;
        let bytes = match function.table().filter(|_| function.decodes()) {
            Some(table) => columns::encode(table, sql).ok()?,
            None => Vec::new(),
        };
        let tree = match function {
            Function::Deparse => Some((tree.to_prost().ok()?.into_tree(), tree)),
            _ => None,
        };
        Some(Self { sql, tree, bytes })
    }

    fn trees(&self) -> &(ParseResult, Tree) {
        self.tree.as_ref().expect("prepared for deparse")
    }
}

/// Calls a function and drops its result.
#[inline]
pub fn call(function: Function, path: Path, statement: &Prepared<'_>) {
    let sql = statement.sql;
    if let Some(table) = function.table().filter(|_| path != Path::Floor) {
        let source = if function.decodes() { Source::Bytes(&statement.bytes) } else { Source::Sql(sql) };
        drop(black_box(columns::append(table, path, source)));
        return;
    }
    match (function, path) {
        (Function::Deparse, Path::Floor) => {
            drop(black_box(statement.trees().1.deparse(&DeparseOptions::default())));
        }
        (Function::Tokens, Path::Floor) => drop(black_box(reference::baseline_scan(sql))),
        (Function::Scan, Path::Floor) => drop(black_box(reference::baseline_scan(sql))),
        (_, Path::Floor) => drop(black_box(reference::baseline_parse(sql))),
        (Function::Parse, Path::Protobuf) => drop(black_box(reference::parse(sql, &ParseOptions::normalized()))),
        (Function::Parse, Path::Raw) => drop(black_box(pgq::parse_with(sql, &ParseOptions::normalized()))),
        (Function::Deparse, Path::Protobuf) => {
            drop(black_box(reference::deparse(&statement.trees().0, &DeparseOptions::default())));
        }
        (Function::Deparse, Path::Raw) => drop(black_box(pgq::deparse(&statement.trees().0))),
        (Function::Fingerprint, Path::Protobuf) => {
            drop(black_box(reference::fingerprint(sql, &FingerprintOptions::default())));
        }
        (Function::Fingerprint, Path::Raw) => drop(black_box(pgq::fingerprint(sql))),
        (Function::Json, Path::Protobuf) => drop(black_box(reference::parse_to_json(sql, &ParseOptions::normalized()))),
        (Function::Json, Path::Raw) => {
            let json = Tree::parse(sql, &ParseOptions::normalized()).and_then(|tree| tree.to_json());
            drop(black_box(json));
        }
        (Function::Normalize, Path::Protobuf) => drop(black_box(reference::normalize(sql))),
        (Function::Normalize, Path::Raw) => drop(black_box(pgq::normalize(sql))),
        (Function::Log, Path::Protobuf) => {
            drop(black_box(reference::fingerprint(sql, &FingerprintOptions::default())));
            drop(black_box(reference::normalize(sql)));
        }
        (Function::Log, Path::Raw) => drop(black_box(log(sql))),
        (Function::Scan, Path::Protobuf) => drop(black_box(reference::scan(sql))),
        (Function::Scan, Path::Raw) => drop(black_box(pgq::scan(sql))),
        _ => unreachable!("a path of other functions"),
    }
}

/// Returns the fingerprint and the normalized SQL from one parse.
///
/// # Errors
/// Same as [`pgq::fingerprint`].
pub fn log(sql: &str) -> Result<(Fingerprint, String), Error> {
    let tree = Tree::parse(sql, &ParseOptions::normalized())?;
    Ok((tree.fingerprint(&FingerprintOptions::default())?.fingerprint, tree.normalize(false)?.text))
}
