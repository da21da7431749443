//! Answers by shape are those of the parser: over the whole corpus with other literals in it,
//! in the library and in the commands.

#[path = "../equality/corpus.rs"]
mod corpus;
mod literals;

use std::io::Write;
use std::process::{Command, Stdio};

use literals::{Manner, rewritten};
use pgq::cache::{AnswerCache, AnswerCacheOptions, AnswerLookup, InputScope};
use pgq::{FingerprintOptions, ParseOptions, Tree};

/// How literals are replaced: a shape is known from its third text on.
const MANNERS: [Manner; 7] =
    [Manner::Same, Manner::Small, Manner::Same, Manner::Tight, Manner::Extreme, Manner::Negative, Manner::Mixed];

fn texts(seed: u64) -> Vec<String> {
    let sets = corpus::sets();
    sets.iter().for_each(|set| assert!(!set.statements.is_empty(), "{} is empty", set.name));
    sets.into_iter()
        .flat_map(|set| set.statements)
        .flat_map(|sql| {
            let others: Vec<_> = MANNERS.iter().filter_map(|manner| rewritten(&sql, *manner, seed)).collect();
            std::iter::once(sql).chain(others)
        })
        .collect()
}

#[derive(Default, Debug)]
struct Count {
    texts: usize,
    do_not_parse: usize,
    by_shape: usize,
    normalized: usize,
    kept: usize,
}

/// What the parser says of a text.
fn parsed(sql: &str) -> Option<(Tree, String, String)> {
    let tree = Tree::parse(sql, &ParseOptions::default()).ok()?;
    let fingerprint = tree.fingerprint(&FingerprintOptions::default()).unwrap().fingerprint.to_string();
    let normalized = tree.normalize(false).unwrap().text;
    Some((tree, fingerprint, normalized))
}

#[test]
fn answers_by_shape_are_the_parsers() {
    for seed in 1..=3 {
        let mut options = AnswerCacheOptions::default();
        options.shape_bytes = 64 << 20;
        let mut cache = AnswerCache::new(&options);
        let mut count = Count::default();
        for sql in texts(seed) {
            count.texts += 1;
            let parsed = parsed(&sql);
            count.do_not_parse += usize::from(parsed.is_none());
            match cache.look_up(sql.as_bytes(), InputScope::Text) {
                AnswerLookup::Shape(known, _) => {
                    count.by_shape += 1;
                    let (_, fingerprint, normalized) = parsed.unwrap_or_else(|| panic!("does not parse: {sql}"));
                    assert_eq!(known.fingerprint().to_string(), fingerprint, "{sql}");
                    let mut own = String::new();
                    if known.normalize(&mut own) {
                        count.normalized += 1;
                        assert_eq!(own, normalized, "{sql}");
                    }
                }
                AnswerLookup::Miss(keys) => {
                    if let Some((tree, ..)) = parsed {
                        count.kept += usize::from(keys.has_new_shape());
                        cache.keep(keys, sql.as_bytes(), b"", &tree, None, None);
                    }
                }
                AnswerLookup::Text(_) => unreachable!("no answers are kept by text"),
            }
        }
        println!("literals of seed {seed}: {count:?}");
        assert!(count.texts > 100_000 && count.normalized > 20_000 && count.normalized < count.by_shape, "{count:?}");
    }
}

/// What a command prints of records, all of it.
fn printed(args: &[&str], records: &[u8]) -> (Vec<u8>, Vec<u8>, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgq"));
    let mut child = command
        .args(args)
        .args(["--from", "null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let records = records.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&records));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    (output.stdout, output.stderr, output.status.code())
}

#[test]
fn commands_print_the_same_without_shapes() {
    let records: Vec<u8> =
        texts(4).into_iter().filter(|sql| !sql.contains('\0')).flat_map(|sql| (sql + "\0").into_bytes()).collect();
    for args in [
        &["fingerprint"][..],
        &["fingerprint", "--full-relation-names", "--format", "json"],
        &["normalize", "--verbatim"],
        &["normalize", "--format", "json"],
    ] {
        let without = printed(&[args, &["--no-cache"]].concat(), &records);
        assert!(without.0.len() > 1_000_000);
        for more in [&["--jobs", "1"][..], &["--jobs", "2", "--no-shape-cache"], &["--jobs", "3"]] {
            let with = printed(&[args, more].concat(), &records);
            assert!(with == without, "{args:?} {more:?} prints something else");
        }
    }
}
