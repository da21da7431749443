//! Deparses trees that the parser never produces: the Protobuf encoding of a statement of the fixtures, with some bytes
//! changed. The deparser verifies the SQL that it returns, or returns an error. The first byte selects the statement.
//! Each of the following groups of three bytes contains an offset and the new byte at this offset.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use prost::Message;

const SQL: [&str; 5] = [
    include_str!("../../fixtures/ddl/pg18.sql"),
    include_str!("../../fixtures/analytics/merge.sql"),
    include_str!("../../fixtures/analytics/json.sql"),
    include_str!("../../fixtures/analytics/window_functions.sql"),
    include_str!("../../fixtures/functions/sql_bodies.sql"),
];

/// The encoded trees of single statements.
static TREES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut trees = Vec::new();
    for sql in SQL {
        for range in pgq::split(sql, pgq::SplitMethod::Parser).expect("fixtures parse") {
            trees.push(pgq::parse(&sql[range]).expect("fixtures parse").into_tree().encode_to_vec());
        }
    }
    trees
});

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, changes)) = bytes.split_first() else { return };
    let mut encoded = TREES[usize::from(*choice) % TREES.len()].clone();
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % encoded.len();
        encoded[at] = change[2];
    }
    if let Ok(tree) = pgq::proto::ParseResult::decode(encoded.as_slice()) {
        let mut options = pgq::DeparseOptions::default();
        options.verify = true;
        let _ = pgq::deparse_with(&tree, &options);
    }
});
