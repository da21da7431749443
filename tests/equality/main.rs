//! Every walk equals the C library, byte for byte, over the whole corpus. The counts are
//! printed; a statement that both sides refuse must be refused with the same words.

mod corners;
mod corpus;
mod depth;
mod lexer;
mod mutations;
mod normalize;

use std::collections::BTreeMap;

use corpus::Set;
use mutations::Mutations;
use pgq::proto::ParseResult;
use pgq::reference;
use pgq::{DeparseOptions, Error, FingerprintOptions, ParseOptions, Tree};
use prost::Message;

/// What one comparison came to, over a set.
#[derive(Default)]
struct Count {
    equal: usize,
    refused: usize,
    /// The C library is wrong, as it says itself when it parses what it wrote; ours is right.
    outdone: usize,
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

impl Count {
    /// SQL for `tree`, ours against the reference: equal where the reference parses back to the
    /// tree; where it does not, ours must, or be an error.
    fn compare_written(
        &mut self,
        sql: &str,
        tree: &ParseResult,
        ours: Result<String, Error>,
        reference: Result<String, Error>,
    ) {
        let right = |written: &Result<String, Error>| written.as_ref().is_ok_and(|sql| pgq::verify(tree, sql).is_ok());
        if right(&reference) || ours == reference {
            return self.compare(sql, ours, reference);
        }
        match &ours {
            Ok(_) if right(&ours) => self.outdone += 1,
            Err(_) => self.refused += 1,
            Ok(_) => self
                .differences
                .push(format!("{sql}\n  wrong, as is the reference: {ours:?}\n  reference: {reference:?}")),
        }
    }
}

/// Runs `check` over every set in two threads, prints the counts and fails on differences.
fn over_the_corpus(names: &[&'static str], check: impl Fn(&str, &mut [Count]) + Sync) {
    over(corpus::sets(), names, check);
}

/// As [`over_the_corpus`], and over the texts made for fingerprints and normalization.
fn over_the_corners_too(names: &[&'static str], check: impl Fn(&str, &mut [Count]) + Sync) {
    let corners = Set { name: "corners", statements: corners::texts() };
    for text in &corners.statements {
        Tree::parse(text, &ParseOptions::default()).unwrap_or_else(|error| panic!("{text}\n{error}"));
    }
    over(corpus::sets().into_iter().chain([corners]), names, check);
}

fn over(sets: impl IntoIterator<Item = Set>, names: &[&'static str], check: impl Fn(&str, &mut [Count]) + Sync) {
    let mut failed = Vec::new();
    for Set { name, statements } in sets {
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
            sum.outdone += count.outdone;
            sum.differences.extend(count.differences);
        }
        for (check, Count { equal, refused, outdone, differences }) in total {
            let outdone =
                if outdone > 0 { format!("{outdone} right where the C library is wrong, ") } else { String::new() };
            println!("{name}: {check}: {equal} equal, {refused} refused alike, {outdone}{} differ", differences.len());
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
        counts[0].compare(sql, ours, reference::parse(sql, &options));
        counts[1].compare(sql, bytes, reference::encode(sql, &options));
        counts[2].compare(sql, pgq::parse_to_json(sql), reference::parse_to_json(sql, &options));
    });
}

/// The statements of tests/deparse/fixes: for each, the C library writes something wrong.
fn wrong_in_the_c_library() -> Set {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/deparse/fixes");
    let texts = std::fs::read_dir(folder).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let statements = texts.flat_map(|text| text.lines().map(str::to_string).collect::<Vec<_>>()).collect();
    Set { name: "wrong in the C library", statements }
}

#[test]
fn parsing_changed_statements_equals_the_c_library() {
    let options = ParseOptions::default();
    let mut mutations = Mutations::new(0x5eed_57a7);
    let sets = corpus::sets().into_iter().map(|set| Set { statements: mutations.of(&set.statements, 2), ..set });
    over(sets, &["changed: structs", "changed: JSON"], |sql, counts| {
        let ours = pgq::parse(sql).map(pgq::Parsed::into_tree);
        counts[0].compare(sql, ours, reference::parse(sql, &options));
        counts[1].compare(sql, pgq::parse_to_json(sql), reference::parse_to_json(sql, &options));
    });
}

/// Statements of the regression corpus, in thousandths of those that parse, that pgq's own
/// lexer must read.
const OWN_LEXER: usize = 990;

#[test]
fn the_own_lexer_reads_nearly_everything() {
    // An option that changes nothing but who reads the text: PostgreSQL's scanner.
    let mut by_scanner = ParseOptions::default();
    by_scanner.no_escape_warning = true;
    for Set { name, statements } in corpus::sets() {
        let (mut own, mut scanner, mut refused) = (0, 0, 0);
        for sql in &statements {
            match Tree::parse(sql, &ParseOptions::default()) {
                Err(_) => refused += 1,
                Ok(tree) if tree.used_native_lexer() => {
                    own += 1;
                    let reference = Tree::parse(sql, &by_scanner).expect("it parsed before");
                    assert!(!reference.used_native_lexer());
                    assert!(tree.warnings().is_empty() && reference.warnings().is_empty(), "{sql}");
                }
                Ok(_) => scanner += 1,
            }
        }
        println!("{name}: {own} statements by pgq's own lexer, {scanner} by PostgreSQL's scanner, {refused} refused");
        assert!(own * 1000 >= (own + scanner) * OWN_LEXER, "{name}: too many statements need PostgreSQL's scanner");
    }
}

#[test]
fn deparsing_equals_the_c_library_where_it_is_right() {
    over(
        corpus::sets().into_iter().chain([wrong_in_the_c_library()]),
        &["deparse", "deparse pretty with comments", "JSON there and back", "SQL over the C tree"],
        |sql, counts| {
            let Ok(tree) = pgq::parse(sql).map(pgq::Parsed::into_tree) else {
                counts.iter_mut().for_each(|count| count.refused += 1);
                return;
            };
            let plain = DeparseOptions::default();
            counts[0].compare_written(sql, &tree, pgq::deparse(&tree), reference::deparse(&tree, &plain));
            let mut pretty = DeparseOptions::default();
            pretty.pretty = true;
            pretty.comments = pgq::comments(sql).expect("what parses scans");
            counts[1].compare_written(
                sql,
                &tree,
                pgq::deparse_with(&tree, &pretty),
                reference::deparse(&tree, &pretty),
            );
            let json = pgq::parse_to_json(sql).expect("it parsed before");
            let read: Result<ParseResult, Error> = pgq::from_json(&json).map(pgq::Parsed::into_tree);
            // Structs and JSON have no empty strings: two comments of the corpus become NULL there,
            // and stay what they are over the C tree.
            let direct = pgq::reformat(sql, &plain).map(|sql| sql.replace(" IS ''", " IS NULL"));
            let through_json = read.clone().and_then(|tree| pgq::deparse(&tree));
            counts[3].compare(sql, through_json.map(|sql| sql.replace(" IS ''", " IS NULL")), direct);
            counts[2].compare(sql, read, Ok(tree));
        },
    );
}

/// The option sets of fingerprints: libpg_query's default, each option, and two together.
fn fingerprint_options() -> [FingerprintOptions; 5] {
    let mut options = [FingerprintOptions::default(); 5];
    options[1].ignore_aliases = true;
    options[2].include_schema = true;
    options[3].postgres_17 = true;
    options[4].full_relation_names = true;
    options
}

#[test]
fn fingerprints_equal_the_c_library() {
    let names = [
        "fingerprint",
        "fingerprint, ignore aliases",
        "fingerprint, include schema",
        "fingerprint, PostgreSQL 17",
        "fingerprint, full relation names",
        "fingerprint of a piece",
    ];
    over_the_corners_too(&names, |sql, counts| {
        for (count, options) in counts.iter_mut().zip(&fingerprint_options()) {
            count.compare(sql, pgq::fingerprint_with(sql, options), reference::fingerprint(sql, options));
        }
        over_the_statements(sql, &mut counts[5], |tree, index, own| {
            let options = FingerprintOptions::default();
            (
                tree.statement(index).fingerprint(&options).map(|found| found.fingerprint),
                reference::fingerprint(own, &options),
            )
        });
    });
}

/// Compares what a tree says of each statement, parsed with another before it.
fn over_the_statements<T: PartialEq + std::fmt::Debug>(
    sql: &str,
    count: &mut Count,
    both: impl Fn(&Tree, usize, &str) -> (Result<T, Error>, Result<T, Error>),
) {
    let text = format!("SELECT 'é', $7;{sql}");
    match Tree::parse_piece(&text, &ParseOptions::default()) {
        Ok(tree) => {
            for (index, range) in tree.statements().map(|statement| statement.range()).enumerate().skip(1) {
                let (ours, reference) = both(&tree, index, &text[range]);
                count.compare(sql, ours, reference);
            }
        }
        Err(_) => count.refused += 1,
    }
}

#[test]
fn scan_equals_the_c_library() {
    over_the_corpus(&["scan"], |sql, counts| {
        let ours = pgq::scan(sql).map(|tokens| {
            tokens.into_iter().map(|t| (t.start as i32, t.end as i32, t.token, t.keyword)).collect::<Vec<_>>()
        });
        let reference = reference::scan(sql).map(|result| {
            result.tokens.into_iter().map(|t| (t.start, t.end, t.token, t.keyword_kind)).collect::<Vec<_>>()
        });
        // What bench compares with must do the whole work.
        assert_eq!(reference::baseline_scan(sql), reference.as_ref().ok().map(Vec::len), "{sql}");
        counts[0].compare(sql, ours, reference);
    });
}
