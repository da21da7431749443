//! Tests the tree caches. A cached tree equals the parsed tree, for the statements of the corpus and for copies with
//! other literals. A cached tree never contains the literals of a different text. The caches stay within their limits,
//! and threads can share trees.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};

use common::counts::Counts;
use pgq::cache::{CacheLimits, LiteralValue, ShapeCache, TreeCache};
use pgq::nodes::{AConst, ParamRef};
use pgq::{DeparseOptions, JsonStyle, ParseOptions, Tree};
use pgq_corpus::sets;

/// Replaces literals by others of the same kinds: other digits in numbers, other letters in strings.
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
        let cache = ShapeCache::new(256 << 20);
        let texts = TreeCache::new(256 << 20);
        let (mut by_shape, mut own, mut refused) = (0, 0, 0);
        for sql in &set.statements {
            let Ok(tree) = Tree::parse(sql, &options) else {
                assert!(cache.parse(sql).is_err() && texts.parse(sql).is_err(), "{sql}");
                refused += 1;
                continue;
            };
            texts.parse(sql).unwrap();
            let known = texts.get(sql).expect("it was kept");
            assert_eq!((known.sql(), json(&known)), (sql.as_str(), json(&tree)));
            let first = cache.parse(sql).unwrap();
            // The cache finds the tree either by this text, or by the shape of an earlier text.
            let again = cache.get(sql).expect("it was kept");
            for known in [&first, &again] {
                assert_eq!(known.sql(), sql);
                assert_eq!(known.edit().unwrap().deparse(&deparse).ok(), tree.deparse(&deparse).ok(), "{sql}");
                own += usize::from(known.literals().len() == 0);
            }
            let Some(other) = with_other_literals(sql).filter(|other| other != sql) else { continue };
            // Look up a text that differs only in its literals, then a text that also has an additional comment.
            for other in [other.clone(), other + " /* and a comment */"] {
                let Some(known) = cache.get(&other).filter(|known| known.literals().len() > 0) else { continue };
                let expected = Tree::parse(&other, &options).expect("a text of a known shape parses");
                assert_eq!(known.edit().unwrap().deparse(&deparse).ok(), expected.deparse(&deparse).ok(), "{other}");
                by_shape += 1;
            }
        }
        assert!(cache.statistics().bytes > 0 && !cache.is_empty());
        counts.add(format!("{}: {by_shape} by shape, {own} without literals, {refused} refused", set.name));
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
    let cache = ShapeCache::new(1 << 20);
    cache.parse("SELECT 1, 'a', -2, 3.5 FROM t WHERE a = E'x' AND b = $1").unwrap();
    let known = cache.get("SELECT 0x10, $x$b'c$x$, - 7, 1e9 FROM t WHERE a = 'it''s' AND b = $1").unwrap();
    assert_eq!(known.tree().sql(), "SELECT $2, $3, $4, $5 FROM t WHERE a = $6 AND b = $1");
    let values: Vec<_> = known.tree().find::<ParamRef>().filter_map(|parameter| known.value(parameter)).collect();
    let expected = [Integer(16), Text("b'c".into()), Integer(-7), Float("1e9".into()), Text("it's".into())];
    assert_eq!(values, expected);
    let places: Vec<_> = known.literals().map(|(_, range)| &known.sql()[range]).collect();
    assert_eq!(places, ["0x10", "$x$b'c$x$", "- 7", "1e9", "'it''s'"]);
}

/// Returns the values of all constants of a tree.
fn constants(tree: &Tree) -> Vec<LiteralValue> {
    tree.find::<AConst>().map(|constant| constant.value().into()).collect()
}

#[test]
fn no_tree_shows_the_literal_of_another_text() {
    const TEXTS: i32 = 200;
    let by_text: TreeCache<i32> = TreeCache::with_limits(CacheLimits::of_bytes(16 << 20));
    let by_shape = ShapeCache::new(16 << 20);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (by_text, by_shape) = (&by_text, &by_shape);
            scope.spawn(move || {
                let sql = |tenant: i32| format!("SELECT * FROM orders WHERE tenant_id = {tenant}");
                let mut kept = Vec::new();
                for tenant in (0..TEXTS).map(|n| (n * 7 + thread * 31) % TEXTS) {
                    let known = by_text.get_or_insert_with(&sql(tenant), |_| tenant).unwrap();
                    let shared = Tree::parse_shared(&sql(tenant)).unwrap();
                    let shaped = by_shape.parse(&sql(tenant)).unwrap();
                    kept.push((tenant, known, shared, shaped));
                    for (tenant, known, shared, shaped) in &kept {
                        let expected = [LiteralValue::Integer(*tenant)];
                        assert_eq!((constants(known), known.payload()), (expected.to_vec(), tenant));
                        assert_eq!(constants(shared), expected);
                        assert_eq!(constants(shaped.tree()), [], "it has parameters");
                        let value = shaped.value(shaped.tree().find::<ParamRef>().next().unwrap());
                        assert_eq!(value.as_ref(), expected.first());
                    }
                    let (tenant, _, _, shaped) = &kept[kept.len() / 2];
                    assert_eq!(constants(&shaped.edit().unwrap().freeze().unwrap()), [LiteralValue::Integer(*tenant)]);
                }
            });
        }
    });
    assert_eq!((by_text.len(), by_shape.iter().count()), (TEXTS as usize, 1));
}

/// Checks that a tree in use keeps its own literal, while threads parse texts with other literals and the caches drop
/// their entries.
#[test]
fn held_trees_keep_their_literal_while_caches_change() {
    const HELD: i32 = 42;
    let sql = |tenant: i32| format!("SELECT * FROM orders WHERE tenant_id = {tenant}");
    let expected = [LiteralValue::Integer(HELD)];
    let by_text = TreeCache::new(16 << 20);
    let by_shape = ShapeCache::new(16 << 20);
    // The first lookup is a miss. Later lookups are hits by shape, even for SQL with a comment, because a shape
    // contains neither comments nor the values of literals.
    let first = by_shape.parse(&sql(HELD)).unwrap();
    by_shape.parse(&sql(7)).unwrap();
    let shaped = [first, by_shape.get(&sql(HELD)).unwrap(), by_shape.get(&sql(HELD)).unwrap()];
    let spaced = by_shape.get(&format!("{} -- by shape", sql(HELD))).expect("of a known shape");
    let cached = by_text.parse(&sql(HELD)).unwrap();
    let frozen = shaped[1].edit().unwrap().freeze().unwrap();
    let shared = Tree::parse_shared(&sql(HELD)).unwrap();
    let node = shared.share(shared.find::<AConst>().next().unwrap()).unwrap();
    let check = || {
        assert_eq!(constants(&cached), expected);
        assert_eq!(constants(&frozen), expected);
        assert_eq!(
            node.get().downcast::<AConst>().map(|constant| constant.value().into()),
            Some(LiteralValue::Integer(HELD))
        );
        for shaped in shaped.iter().chain([&spaced]) {
            assert_eq!(constants(shaped.tree()), []);
            assert_eq!(shaped.value(shaped.tree().find::<ParamRef>().next().unwrap()).as_ref(), expected.first());
            assert_eq!(constants(&shaped.edit().unwrap().freeze().unwrap()), expected);
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (by_text, by_shape, check) = (&by_text, &by_shape, &check);
            scope.spawn(move || {
                for tenant in (0..150).map(|n| n * 4 + thread + 1000) {
                    let other = [LiteralValue::Integer(tenant)];
                    assert_eq!(constants(&by_text.parse(&sql(tenant)).unwrap()), other);
                    let shaped = by_shape.parse(&sql(tenant)).unwrap();
                    let value = shaped.value(shaped.tree().find::<ParamRef>().next().unwrap());
                    assert_eq!(value.as_ref(), other.first());
                    match tenant % 50 {
                        0 => by_text.clear(),
                        1 => by_shape.clear(),
                        2 => by_text.resize(CacheLimits { bytes: 16 << 20, entries: 3 }),
                        _ => {}
                    }
                    assert!(by_text.iter().all(|known| known.sql().starts_with("SELECT * FROM orders")));
                    check();
                }
            });
        }
    });
    drop((by_text, by_shape));
    check();
}

#[test]
fn the_cache_keeps_to_its_limits() {
    const BYTES: usize = 4 << 20;
    let cache = TreeCache::new(BYTES);
    for i in 0..20_000 {
        cache.parse(&format!("SELECT a{i} FROM t WHERE b = {i}")).unwrap();
        assert!(cache.statistics().bytes <= BYTES, "{:?}", cache.statistics());
    }
    assert!(cache.len() > 100 && cache.len() < 20_000, "{} entries", cache.len());
    cache.resize(CacheLimits { bytes: BYTES, entries: 10 });
    assert!(cache.len() <= 10);
    for i in 0..100 {
        cache.parse(&format!("SELECT a{i}")).unwrap();
        assert!(cache.len() <= 10);
    }
    assert!(cache.get("SELECT a99").is_some(), "the last one is there");
    cache.clear();
    assert!(cache.is_empty() && cache.statistics().bytes == 0 && cache.iter().len() == 0);
}

#[test]
fn a_payload_is_made_once() {
    let cache = TreeCache::with_limits(CacheLimits::of_bytes(1 << 20));
    let made = AtomicUsize::new(0);
    for _ in 0..3 {
        let known = cache.get_or_insert_with("SELECT 1 FROM t, u", |tree| {
            made.fetch_add(1, Ordering::Relaxed);
            tree.find::<pgq::nodes::RangeVar>().count()
        });
        assert_eq!(*known.unwrap().payload(), 2);
    }
    assert_eq!(made.into_inner(), 1);
    let statistics = cache.statistics();
    assert_eq!((statistics.hits, statistics.misses, statistics.evicted, statistics.entries), (2, 1, 0, 1));
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
    let cache = ShapeCache::new(1 << 20);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let cache = &cache;
            scope.spawn(move || {
                for i in 0..500 {
                    let sql = format!("SELECT c{} FROM t WHERE id = {}", i % 50, i + thread);
                    let known = cache.parse(&sql).unwrap();
                    let sql_again = known.edit().unwrap().deparse(&DeparseOptions::default()).unwrap();
                    assert_eq!(sql_again, sql);
                }
            });
        }
    });
    assert!(cache.statistics().hits > 1000);
    // Each tree is parsed on one thread and freed on another thread.
    for parse in
        [|sql| Tree::parse(sql, &ParseOptions::default()), |sql| Tree::parse(sql, &ParseOptions::default())?.to_owned()]
    {
        let tree = std::thread::spawn(move || parse("SELECT 1 FROM t")).join().unwrap().unwrap();
        assert_eq!(tree.deparse(&DeparseOptions::default()).unwrap(), "SELECT 1 FROM t");
        std::thread::spawn(move || drop(tree)).join().unwrap();
    }
}
