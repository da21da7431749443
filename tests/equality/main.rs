//! Every walk equals the C library, byte for byte, over the whole corpus. The counts are
//! printed; a statement that both sides refuse must be refused with the same words.

mod corpus;

use std::collections::BTreeMap;

use corpus::Set;
use pgq::protobuf::{self, ParseResult};
use pgq::{DeparseOptions, Error, FingerprintOptions, ParseOptions};
use prost::Message;

/// What one comparison came to, over a set.
#[derive(Default)]
struct Count {
    equal: usize,
    refused: usize,
    differences: Vec<String>,
}

impl Count {
    /// Ours against the reference: equal values, or the same error at the same place.
    fn compare<T: PartialEq + std::fmt::Debug>(
        &mut self,
        sql: &str,
        ours: Result<T, Error>,
        reference: Result<T, Error>,
    ) {
        match (ours, reference) {
            (Ok(ours), Ok(reference)) if ours == reference => self.equal += 1,
            (Err(ours), Err(reference)) if ours.message == reference.message && ours.position == reference.position => {
                self.refused += 1;
            }
            (ours, reference) => {
                self.differences.push(format!("{sql}\n  ours:      {ours:?}\n  reference: {reference:?}"));
            }
        }
    }
}

/// Runs `check` over every set in two threads, prints the counts and fails on differences.
fn over_the_corpus(names: &[&'static str], check: impl Fn(&str, &mut [Count]) + Sync) {
    let mut failed = Vec::new();
    for Set { name, statements } in corpus::sets() {
        assert!(!statements.is_empty(), "{name} is empty");
        let (left, right) = statements.split_at(statements.len() / 2);
        let run = |part: &[String]| {
            let mut counts: Vec<Count> = names.iter().map(|_| Count::default()).collect();
            part.iter().for_each(|sql| check(sql, &mut counts));
            counts
        };
        let halves = std::thread::scope(|scope| {
            let other = scope.spawn(|| run(left));
            [run(right), other.join().expect("a check panicked")]
        });
        let mut total: BTreeMap<&str, Count> = BTreeMap::new();
        for (check, count) in halves.into_iter().flat_map(|half| names.iter().zip(half)) {
            let sum = total.entry(check).or_default();
            sum.equal += count.equal;
            sum.refused += count.refused;
            sum.differences.extend(count.differences);
        }
        for (check, Count { equal, refused, differences }) in total {
            println!("{name}: {check}: {equal} equal, {refused} refused alike, {} differ", differences.len());
            failed.extend(differences.into_iter().map(|d| format!("{name}: {check}: {d}")));
        }
    }
    let shown = failed.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(failed.is_empty(), "{} differences, the first of them:\n{shown}", failed.len());
}

#[test]
fn parsing_equals_the_c_library() {
    let options = ParseOptions::default();
    over_the_corpus(&["structs", "structs re-encoded", "JSON"], |sql, counts| {
        let ours = pgq::parse(sql).map(pgq::Parsed::into_tree);
        let bytes = ours.clone().map(|tree| tree.encode_to_vec());
        counts[0].compare(sql, ours, protobuf::parse(sql, &options));
        counts[1].compare(sql, bytes, protobuf::encode(sql, &options));
        counts[2].compare(sql, pgq::parse_to_json(sql), protobuf::parse_to_json(sql, &options));
    });
}

#[test]
fn deparsing_equals_the_c_library() {
    over_the_corpus(&["deparse", "deparse pretty with comments", "JSON there and back"], |sql, counts| {
        let Ok(tree) = pgq::parse(sql).map(pgq::Parsed::into_tree) else {
            counts.iter_mut().for_each(|count| count.refused += 1);
            return;
        };
        let plain = DeparseOptions::default();
        counts[0].compare(sql, pgq::deparse(&tree), protobuf::deparse(&tree, &plain));
        let mut pretty = DeparseOptions::default();
        pretty.pretty = true;
        pretty.comments = pgq::comments(sql).expect("what parses scans");
        counts[1].compare(sql, pgq::deparse_with(&tree, &pretty), protobuf::deparse(&tree, &pretty));
        let json = pgq::parse_to_json(sql).expect("it parsed before");
        let read: Result<ParseResult, Error> = pgq::from_json(&json).map(pgq::Parsed::into_tree);
        counts[2].compare(sql, read, Ok(tree));
    });
}

#[test]
fn fingerprint_normalize_and_scan_equal_the_c_library() {
    over_the_corpus(&["scan"], |sql, counts| {
        let ours = pgq::scan(sql).map(|tokens| {
            tokens.into_iter().map(|t| (t.start as i32, t.end as i32, t.token, t.keyword)).collect::<Vec<_>>()
        });
        let reference = protobuf::scan(sql).map(|result| {
            result.tokens.into_iter().map(|t| (t.start, t.end, t.token, t.keyword_kind)).collect::<Vec<_>>()
        });
        counts[0].compare(sql, ours, reference);
    });
    let _ = FingerprintOptions::default();
}
