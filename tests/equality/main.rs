//! Compares the results of every tree walk with the C library's, byte for byte, over the whole corpus. If both
//! libraries refuse a statement, their error messages must be equal. `tests/counts/equality/` contains the counts.

#[path = "../common/mod.rs"]
mod common;
mod depth;
mod edge_cases;
mod lexer;
mod lexer_cases;
mod normalize;
mod other_tokens;
mod outcomes;
mod plpgsql;

use common::counts::Counts;
use common::mutations::mutated;
use fastrand::Rng;
use outcomes::{Outcomes, compare_sets};
use pgq::proto::ParseResult;
use pgq::reference;
use pgq::{DeparseOptions, Error, FingerprintOptions, ParseOptions, Tree};
use pgq_corpus::{Set, project_path, sets};
use prost::Message;

/// Returns the corpus, and the edge cases of fingerprints and normalization. All edge cases must parse.
fn sets_and_edge_cases() -> impl Iterator<Item = Set> {
    let edge_cases = Set { name: "edge cases", statements: edge_cases::texts() };
    for text in &edge_cases.statements {
        Tree::parse(text, &ParseOptions::default()).unwrap_or_else(|error| panic!("{text}\n{error}"));
    }
    sets().into_iter().chain([edge_cases])
}

#[test]
fn parsing_equals_the_c_library() {
    let options = ParseOptions::default();
    let checks = ["structs", "structs encoded", "JSON"];
    compare_sets("equality/parse", sets(), checks, |sql, [structs, encoded, json]| {
        let ours = pgq::parse(sql).map(pgq::Parsed::into_tree);
        let bytes = ours.clone().map(|tree| tree.encode_to_vec());
        structs.compare(sql, ours, reference::parse(sql, &options));
        encoded.compare(sql, bytes, reference::encode(sql, &options));
        json.compare(sql, pgq::parse_to_json(sql), reference::parse_to_json(sql, &options));
    });
}

#[test]
fn parsing_mutated_statements_equals_the_c_library() {
    let options = ParseOptions::default();
    let mut rng = Rng::with_seed(1);
    let sets = sets().into_iter().map(|set| Set { statements: mutated(&mut rng, &set.statements, 2), ..set });
    compare_sets("equality/parse_mutated", sets, ["structs", "JSON"], |sql, [structs, json]| {
        let ours = pgq::parse(sql).map(pgq::Parsed::into_tree);
        structs.compare(sql, ours, reference::parse(sql, &options));
        json.compare(sql, pgq::parse_to_json(sql), reference::parse_to_json(sql, &options));
    });
}

/// Of 1000 statements that parse, the native lexer must read at least this number.
const NATIVE: usize = 990;

#[test]
fn the_native_lexer_reads_nearly_every_statement() {
    let mut counts = Counts::new("equality/native_lexer");
    // With this option, PostgreSQL's scanner reads the SQL, and the native lexer does not. The option has no other
    // effect here.
    let mut with_scanner = ParseOptions::default();
    with_scanner.no_escape_warning = true;
    for Set { name, statements } in sets() {
        let (mut native, mut scanner, mut refused) = (0, 0, 0);
        for sql in &statements {
            match Tree::parse(sql, &ParseOptions::default()) {
                Err(_) => refused += 1,
                Ok(tree) if tree.used_native_lexer() => {
                    native += 1;
                    let reference = Tree::parse(sql, &with_scanner).expect("it parsed before");
                    assert!(!reference.used_native_lexer());
                    assert!(tree.warnings().is_empty() && reference.warnings().is_empty(), "{sql}");
                }
                Ok(_) => scanner += 1,
            }
        }
        counts
            .add(format!("{name}: {native} by the native lexer, {scanner} by PostgreSQL's scanner, {refused} refused"));
        assert!(native * 1000 >= (native + scanner) * NATIVE, "{name}: too many statements need PostgreSQL's scanner");
    }
    counts.check();
}

/// Returns the statements of tests/deparse/fixes, which the C library deparses to wrong SQL.
fn wrong_in_the_c_library() -> Set {
    let mut files: Vec<_> =
        std::fs::read_dir(project_path("tests/deparse/fixes")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let texts = files.iter().map(|file| std::fs::read_to_string(file).unwrap());
    let statements = texts.flat_map(|text| text.lines().map(str::to_string).collect::<Vec<_>>()).collect();
    Set { name: "wrong in the C library", statements }
}

#[test]
fn deparsing_equals_the_c_library_where_that_is_correct() {
    compare_sets(
        "equality/deparse",
        sets().into_iter().chain([wrong_in_the_c_library()]),
        ["deparse", "deparse, pretty with comments", "JSON to structs", "SQL from the C tree"],
        |sql, outcomes| {
            let Ok(tree) = pgq::parse(sql).map(pgq::Parsed::into_tree) else {
                outcomes.iter_mut().for_each(|outcomes| outcomes.refused += 1);
                return;
            };
            let [plain, pretty, json_read, direct] = outcomes;
            let options = DeparseOptions::default();
            plain.compare_deparsed(sql, &tree, pgq::deparse(&tree), reference::deparse(&tree, &options));
            let mut indented = DeparseOptions::default();
            indented.pretty = true;
            indented.comments = pgq::comments(sql).expect("what parses also scans");
            let ours = pgq::deparse_with(&tree, &indented);
            pretty.compare_deparsed(sql, &tree, ours, reference::deparse(&tree, &indented));
            let json = pgq::parse_to_json(sql).expect("it parsed before");
            let read: Result<ParseResult, Error> = pgq::from_json(&json).map(pgq::Parsed::into_tree);
            // Structs and JSON cannot represent empty strings, but the C tree can. Therefore the SQL of two COMMENT
            // statements has NULL if it is deparsed from JSON, and an empty string if it is deparsed from the C tree.
            let without_empty = |sql: String| sql.replace(" IS ''", " IS NULL");
            let from_json = read.clone().and_then(|tree| pgq::deparse(&tree)).map(without_empty);
            direct.compare(sql, from_json, pgq::reformat(sql, &options).map(without_empty));
            json_read.compare(sql, read, Ok(tree));
        },
    );
}

/// Returns the default options for fingerprints, and four variants of the defaults. Each variant enables one option.
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
    let checks = [
        "fingerprint",
        "fingerprint, ignore aliases",
        "fingerprint, include schema",
        "fingerprint, PostgreSQL 17",
        "fingerprint, full relation names",
        "fingerprint of one statement of several",
    ];
    compare_sets("equality/fingerprint", sets_and_edge_cases(), checks, |sql, outcomes| {
        for (outcomes, options) in outcomes.iter_mut().zip(&fingerprint_options()) {
            outcomes.compare(sql, pgq::fingerprint_with(sql, options), reference::fingerprint(sql, options));
        }
        compare_statements(sql, &mut outcomes[5], |tree, index, statement| {
            let options = FingerprintOptions::default();
            let ours = tree.statement(index).fingerprint(&options).map(|ours| ours.fingerprint);
            (ours, reference::fingerprint(statement, &options))
        });
    });
}

/// Compares the results for each statement of `sql`. Before `sql`, inserts a statement with a parameter and a non-ASCII
/// character, and parses both together. The inserted statement must not affect the results.
fn compare_statements<T: PartialEq + std::fmt::Debug>(
    sql: &str,
    outcomes: &mut Outcomes,
    both: impl Fn(&Tree, usize, &str) -> (Result<T, Error>, Result<T, Error>),
) {
    let text = format!("SELECT 'é', $7;{sql}");
    match Tree::parse_piece(&text, &ParseOptions::default()) {
        Ok(tree) => {
            for (index, range) in tree.statements().map(|statement| statement.range()).enumerate().skip(1) {
                let (ours, reference) = both(&tree, index, &text[range]);
                outcomes.compare(sql, ours, reference);
            }
        }
        Err(_) => outcomes.refused += 1,
    }
}

#[test]
fn scan_equals_the_c_library() {
    compare_sets("equality/scan", sets(), ["scan"], |sql, [scan]| {
        let ours = pgq::scan(sql).map(|tokens| {
            tokens.into_iter().map(|t| (t.start as i32, t.end as i32, t.token, t.keyword)).collect::<Vec<_>>()
        });
        let reference = reference::scan(sql).map(|result| {
            result.tokens.into_iter().map(|t| (t.start, t.end, t.token, t.keyword_kind)).collect::<Vec<_>>()
        });
        // The baseline of the benchmarks must scan the whole text.
        assert_eq!(reference::baseline_scan(sql), reference.as_ref().ok().map(Vec::len), "{sql}");
        scan.compare(sql, ours, reference);
    });
}
