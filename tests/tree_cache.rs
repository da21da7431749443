//! The cache of trees: what it gives is what parsing gives, over the corpus and with other literals; it
//! keeps to its bound; and threads share it.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};

use common::counts::Counts;
use pgq::cache::TreeCache;
use pgq::{DeparseOptions, JsonStyle, ParseOptions, Tree};
use pgq_corpus::sets;

/// The text with other literals of the same kinds: other digits in numbers, other letters in strings.
fn with_other_literals(sql: &str) -> Option<String> {
    let mut out = String::new();
    let mut last = 0;
    for token in pgq::scan(sql).ok()? {
        let text = &sql[token.start..token.end];
        let other = match token.name() {
            "ICONST" if text.len() < 9 => "7".repeat(text.len().max(2)),
            "SCONST" if text.starts_with('\'') => format!("'{}'", "q\\x''".repeat(2)),
            "FCONST" => "12.75".to_string(),
            _ => continue,
        };
        out += &sql[last..token.start];
        out += &other;
        last = token.end;
    }
    out += &sql[last..];
    Some(out)
}

#[test]
fn a_known_tree_is_the_parsed_one() {
    let mut counts = Counts::new("tree_cache");
    let (options, deparse) = (ParseOptions::default(), DeparseOptions::default());
    for set in sets() {
        let cache = TreeCache::new(256 << 20);
        let (mut by_text, mut by_shape, mut refused) = (0, 0, 0);
        for sql in &set.statements {
            let Ok(tree) = Tree::parse(sql, &options) else {
                assert!(cache.parse(sql).is_err(), "{sql}");
                refused += 1;
                continue;
            };
            let first = cache.parse(sql).unwrap();
            assert_eq!(first.sql(), sql);
            // Of this text, or of the shape of an earlier one.
            let again = cache.get(sql).expect("it was kept");
            for known in [&first, &again] {
                if !known.is_by_shape() {
                    assert_eq!(known.tree().to_json(JsonStyle::Lossless).unwrap(), json(&tree), "{sql}");
                    by_text += 1;
                }
            }
            let Some(other) = with_other_literals(sql).filter(|other| other != sql) else { continue };
            // Once with the same bytes between literals, and once not.
            for other in [other.clone(), other + " /* and a comment */"] {
                let Some(known) = cache.get(&other).filter(pgq::cache::CachedTree::is_by_shape) else { continue };
                let expected = Tree::parse(&other, &options).expect("a text of a known shape parses");
                assert_eq!(known.edit().unwrap().deparse(&deparse).ok(), expected.deparse(&deparse).ok(), "{other}");
                by_shape += 1;
            }
        }
        assert!(cache.bytes() > 0 && !cache.is_empty());
        counts.add(format!("{}: {by_text} by text, {by_shape} by shape, {refused} refused", set.name));
    }
    counts.check();
}

fn json(tree: &Tree) -> String {
    let mut document = pgq::Document::new(JsonStyle::Lossless);
    document.append(tree, 0).unwrap();
    document.finish()
}

#[test]
fn values_are_this_texts() {
    use pgq::cache::LiteralValue::{Float, Integer, String as Text};
    let cache = TreeCache::new(1 << 20);
    cache.parse("SELECT 1, 'a', -2, 3.5 FROM t WHERE a = E'x'").unwrap();
    let known = cache.get("SELECT 0x10, $x$b'c$x$, - 7, 1e9 FROM t WHERE a = 'it''s'").unwrap();
    assert!(known.is_by_shape());
    let constants = known.tree().walk().filter_map(|visit| visit.node.downcast::<pgq::nodes::AConst>());
    let values: Vec<_> = constants.map(|constant| known.value(constant)).collect();
    let expected = [Integer(16), Text("b'c".into()), Integer(-7), Float("1e9".into()), Text("it's".into())];
    assert_eq!(values, expected);
    let places: Vec<_> = known.constants().map(|(_, range)| &known.sql()[range]).collect();
    assert_eq!(places, ["0x10", "$x$b'c$x$", "- 7", "1e9", "'it''s'"]);
}

#[test]
fn the_cache_keeps_to_its_bound() {
    const BYTES: usize = 4 << 20;
    let cache = TreeCache::new(BYTES);
    for i in 0..20_000 {
        cache.parse(&format!("SELECT a{i} FROM t WHERE b = {i}")).unwrap();
        assert!(cache.bytes() <= BYTES, "{} bytes", cache.bytes());
    }
    assert!(cache.len() > 100 && cache.len() < 20_000, "{} entries", cache.len());
}

#[test]
fn what_is_used_stays() {
    let cache = TreeCache::new(4 << 20);
    cache.parse("SELECT often").unwrap();
    for i in 0..20_000 {
        assert!(cache.get("SELECT often").is_some(), "after {i}");
        cache.parse(&format!("SELECT a{i}")).unwrap();
    }
}

#[test]
fn threads_share_trees() {
    let cache = TreeCache::new(1 << 20);
    let hits = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (cache, hits) = (&cache, &hits);
            scope.spawn(move || {
                for i in 0..500 {
                    let sql = format!("SELECT c{} FROM t WHERE id = {}", i % 50, i + thread);
                    let known = cache.parse(&sql).unwrap();
                    let sql_again = known.edit().unwrap().deparse(&DeparseOptions::default()).unwrap();
                    assert_eq!(sql_again, sql);
                    hits.fetch_add(usize::from(known.is_by_shape()), Ordering::Relaxed);
                }
            });
        }
    });
    assert!(hits.into_inner() > 1000);
    // Freed on another thread than the one that parsed.
    let tree = std::thread::spawn(|| Tree::parse("SELECT 1 FROM t", &ParseOptions::default()).unwrap().to_owned());
    let tree = tree.join().unwrap().unwrap();
    assert_eq!(tree.deparse(&DeparseOptions::default()).unwrap(), "SELECT 1 FROM t");
    std::thread::spawn(move || drop(tree)).join().unwrap();
}
