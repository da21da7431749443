//! Joins tokens of SQL in any order; each pair of input bytes selects a token. Such texts parse more often than
//! arbitrary bytes. If a text parses, its normalized form must have the same fingerprint.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgq::{ParseOptions, Tree};

/// Tokens, separated by spaces.
const SQL: &str = concat!(
    include_str!("../../fixtures/readme/three.sql"),
    " INSERT INTO VALUES ( ) , ; UPDATE SET DELETE MERGE USING WHEN MATCHED THEN CREATE TABLE FUNCTION BEGIN ATOMIC END",
    " AS ON JOIN LEFT LATERAL UNION ALL WITH RECURSIVE GROUP BY ORDER HAVING LIMIT OFFSET DISTINCT CASE ELSE CAST",
    " NOT NULL AND OR IS LIKE BETWEEN ANY ARRAY ROW [ ] : :: . .. := => + - * / < <> || $1 1 1.5 'x' E'\\n' U&'a'",
    " UESCAPE '!' b'1' x'f' $$y$$ \"q\" date interval '1' year extract from /* c */ -- d\n",
);

fuzz_target!(|choices: &[u8]| {
    let words: Vec<&str> = SQL.split(' ').collect();
    let chosen =
        choices.chunks_exact(2).map(|two| words[usize::from(u16::from_le_bytes([two[0], two[1]])) % words.len()]);
    let sql = chosen.collect::<Vec<_>>().join(" ");
    let Ok(tree) = Tree::parse(&sql, &ParseOptions::default()) else { return };
    let normalized = tree.normalize(false).expect("it parsed");
    if normalized.quoted == 0 {
        assert_eq!(pgq::fingerprint(&normalized.text), pgq::fingerprint(&sql), "{sql}\n{}", normalized.text);
    }
});
