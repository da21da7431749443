//! Tests that results from a statement's shape (its tokens without the values of literals) equal results from parsing
//! the statement. Covers the whole corpus with other literals, in the library and in the commands.

#[path = "../common/mod.rs"]
mod common;
mod literals;

use common::counts::Counts;
use fastrand::Rng;
use literals::{LiteralStyle, with_other_literals};
use pgq::cache::{AnswerCache, AnswerCacheOptions, AnswerLookup, InputScope};
use pgq::{FingerprintOptions, ParseOptions, Tree};
use pgq_corpus::all_statements;

/// Styles of the copies of each statement. There are several copies, because the cache stores a shape only on its
/// second occurrence.
const STYLES: [LiteralStyle; 7] = [
    LiteralStyle::SameType,
    LiteralStyle::Short,
    LiteralStyle::SameType,
    LiteralStyle::NoSpace,
    LiteralStyle::Extreme,
    LiteralStyle::Negative,
    LiteralStyle::AnyType,
];

/// Returns every statement of the corpus, each followed by copies with other literals.
fn texts(seed: u64) -> Vec<String> {
    let mut rng = Rng::with_seed(seed);
    let mut texts = Vec::new();
    for sql in all_statements() {
        let others: Vec<_> = STYLES.iter().filter_map(|style| with_other_literals(&sql, *style, &mut rng)).collect();
        texts.push(sql);
        texts.extend(others);
    }
    texts
}

#[derive(Default, Debug)]
struct Outcomes {
    texts: usize,
    refused: usize,
    by_shape: usize,
    normalized_by_shape: usize,
    shapes_stored: usize,
}

/// Parses a text. Returns its tree, fingerprint and normalized text; `None` if it does not parse.
fn parsed(sql: &str) -> Option<(Tree, String, String)> {
    let tree = Tree::parse(sql, &ParseOptions::default()).ok()?;
    let fingerprint = tree.fingerprint(&FingerprintOptions::default()).unwrap().fingerprint.to_string();
    let normalized = tree.normalize(false).unwrap().text;
    Some((tree, fingerprint, normalized))
}

#[test]
fn results_by_shape_equal_those_by_parsing() {
    let mut counts = Counts::new("shape");
    for seed in 1..=3 {
        let mut options = AnswerCacheOptions::default();
        options.shape_bytes = 64 << 20;
        let mut cache = AnswerCache::new(&options);
        let mut outcomes = Outcomes::default();
        for sql in texts(seed) {
            outcomes.texts += 1;
            let parsed = parsed(&sql);
            outcomes.refused += usize::from(parsed.is_none());
            match cache.look_up(sql.as_bytes(), InputScope::Text) {
                AnswerLookup::Shape(known, _) => {
                    outcomes.by_shape += 1;
                    let (_, fingerprint, expected) = parsed.unwrap_or_else(|| panic!("does not parse: {sql}"));
                    assert_eq!(known.fingerprint().to_string(), fingerprint, "{sql}");
                    let mut normalized = String::new();
                    if known.normalize(&mut normalized) {
                        outcomes.normalized_by_shape += 1;
                        assert_eq!(normalized, expected, "{sql}");
                    }
                }
                AnswerLookup::Miss(keys) => {
                    if let Some((tree, ..)) = parsed {
                        outcomes.shapes_stored += usize::from(keys.has_new_shape());
                        cache.keep(keys, sql.as_bytes(), b"", &tree, None, None);
                    }
                }
                AnswerLookup::Text(_) => unreachable!("the cache is not used by text"),
            }
        }
        println!("literals of seed {seed}: {outcomes:?}");
        let Outcomes { texts, refused, by_shape, normalized_by_shape, .. } = outcomes;
        // The number of hits is not committed, because the cache's random seed determines which shapes share a slot.
        counts.add(format!("literals of seed {seed}: {texts} texts, {refused} refused"));
        assert!(texts > 100_000 && normalized_by_shape > 20_000 && normalized_by_shape < by_shape, "{outcomes:?}");
    }
    counts.check();
}

#[cfg(feature = "cli")]
#[test]
fn commands_print_the_same_without_caches() {
    let records: Vec<u8> =
        texts(4).into_iter().filter(|sql| !sql.contains('\0')).flat_map(|sql| (sql + "\0").into_bytes()).collect();
    const ONE_JOB: &[&str] = &["--jobs", "1"];
    const TEXTS_ALONE: &[&str] = &["--jobs", "2", "--no-shape-cache"];
    const THREE_JOBS: &[&str] = &["--jobs", "3"];
    let commands = [
        (&["fingerprint"][..], [ONE_JOB, THREE_JOBS]),
        (&["fingerprint", "--full-relation-names", "--format", "json"], [TEXTS_ALONE, THREE_JOBS]),
        (&["normalize", "--verbatim"], [ONE_JOB, TEXTS_ALONE]),
        (&["normalize", "--format", "json"], [ONE_JOB, THREE_JOBS]),
    ];
    std::thread::scope(|scope| {
        for (args, caches) in commands {
            let records = &records;
            scope.spawn(move || prints_the_same(args, caches, records));
        }
    });
}

#[cfg(feature = "cli")]
fn prints_the_same(args: &[&str], caches: [&[&str]; 2], records: &[u8]) {
    let run = |more: &[&str]| common::program::run(&[args, &["--from", "null"], more].concat(), records);
    let without = run(&["--no-cache"]);
    assert!(without.stdout.len() > 1_000_000);
    for more in caches {
        let with = run(more);
        for (with, without) in [(&with.stdout, &without.stdout), (&with.stderr, &without.stderr)] {
            let (with, without) = (String::from_utf8_lossy(with), String::from_utf8_lossy(without));
            let first = with.lines().zip(without.lines()).find(|(line, expected)| line != expected);
            assert_eq!(first, None, "{args:?} {more:?} prints something else");
        }
        assert!(with == without, "{args:?} {more:?} prints something else");
    }
}
