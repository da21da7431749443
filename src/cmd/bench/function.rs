//! One call of each function on each path: what is compared, and what is timed.

use std::hint::black_box;

use pgq::protobuf::{self, ParseResult};
use pgq::{DeparseOptions, FingerprintOptions, ParseOptions};

use super::{Function, Path};

/// A statement ready to be measured: deparse starts from its tree.
pub struct Prepared<'a> {
    pub sql: &'a str,
    pub tree: Option<ParseResult>,
}

impl<'a> Prepared<'a> {
    /// `None` when the statement does not parse.
    pub fn new(sql: &'a str, function: Function) -> Option<Self> {
        let tree = pgq::parse(sql).ok()?;
        let tree = (function == Function::Deparse).then(|| tree.into_tree());
        Some(Self { sql, tree })
    }
}

/// Does the work once and throws the result away, its drop included.
#[inline]
pub fn call(function: Function, path: Path, statement: &Prepared<'_>) {
    let sql = statement.sql;
    match (function, path) {
        (_, Path::Floor) => drop(black_box(protobuf::floor(sql))),
        (Function::Parse, Path::Protobuf) => drop(black_box(protobuf::parse(sql, &ParseOptions::default()))),
        (Function::Parse, Path::Raw) => drop(black_box(pgq::parse(sql))),
        (Function::Deparse, Path::Protobuf) => {
            let tree = statement.tree.as_ref().expect("prepared for deparse");
            drop(black_box(protobuf::deparse(tree, &DeparseOptions::default())));
        }
        (Function::Deparse, Path::Raw) => {
            let tree = statement.tree.as_ref().expect("prepared for deparse");
            drop(black_box(pgq::deparse(tree)));
        }
        (Function::Fingerprint, Path::Protobuf) => {
            drop(black_box(protobuf::fingerprint(sql, &FingerprintOptions::default())));
        }
        (Function::Fingerprint, Path::Raw) => drop(black_box(pgq::fingerprint(sql))),
        (Function::Json, Path::Protobuf) => drop(black_box(protobuf::parse_to_json(sql, &ParseOptions::default()))),
        (Function::Json, Path::Raw) => drop(black_box(pgq::parse_to_json(sql))),
        (Function::Normalize, Path::Protobuf) => drop(black_box(protobuf::normalize(sql))),
        (Function::Normalize, Path::Raw) => drop(black_box(pgq::normalize(sql))),
        (Function::Scan, Path::Protobuf) => drop(black_box(protobuf::scan(sql))),
        (Function::Scan, Path::Raw) => drop(black_box(pgq::scan(sql))),
    }
}
