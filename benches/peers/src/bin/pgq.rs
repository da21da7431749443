//! pgq, and as the baseline PostgreSQL's parser alone.

use std::cell::Cell;
use std::sync::LazyLock;

use pgq::cache::TreeCache;
use pgq::nodes::RangeVar;
use pgq::{DeparseOptions, EditTree, FingerprintOptions, ParseOptions, Tree};
use pgq_peers::{Call, from_text, serve};

// The program's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Fingerprint and normalized text from one parse: what a record of a log takes.
fn log(sql: &str) -> (pgq::Fingerprint, String) {
    let tree = Tree::parse(sql, &ParseOptions::default()).expect("it parsed before");
    let fingerprint = tree.fingerprint(&FingerprintOptions::default()).expect("it parsed").fingerprint;
    (fingerprint, tree.normalize(false).expect("it parsed").text)
}

/// The number of nodes of the text's statements.
fn walk(sql: &str) -> usize {
    let tree = Tree::parse(sql, &ParseOptions::default()).expect("it parsed before");
    tree.statements().map(|statement| statement.walk().count()).sum()
}

/// The text with another schema of its tables.
fn rewrite(sql: &str) -> String {
    let tree = EditTree::parse(sql, &ParseOptions::default()).expect("it parsed before");
    for table in tree.find::<RangeVar>() {
        tree.edit(table).schemaname("s");
    }
    tree.deparse(&DeparseOptions::default()).expect("it deparses")
}

/// A cache that knows the text itself, or a text of its shape.
fn cached(sql: &'static str, by_shape: bool) -> Call {
    static CACHE: LazyLock<TreeCache> = LazyLock::new(|| TreeCache::new(1 << 30));
    CACHE.parse(sql).expect("it parsed before");
    // Each is another text of the same shape, where the text has one.
    let others = move |n: u64| format!("{sql} /* {n} */");
    let next = Cell::new(0);
    Box::new(move || {
        if by_shape {
            next.set(next.get() + 1);
            drop(std::hint::black_box(CACHE.get(&others(next.get()))));
        } else {
            drop(std::hint::black_box(CACHE.get(sql)));
        }
    })
}

fn main() -> std::io::Result<()> {
    serve(
        |sql| pgq::parse(sql).is_ok(),
        &[
            ("baseline", from_text!(pgq::reference::baseline_parse)),
            ("parse", from_text!(pgq::parse)),
            ("walk", from_text!(walk)),
            ("rewrite", from_text!(rewrite)),
            ("by text", |sql| cached(sql, false)),
            ("by shape", |sql| cached(sql, true)),
            ("fingerprint", from_text!(pgq::fingerprint)),
            ("normalize", from_text!(pgq::normalize)),
            ("log", from_text!(log)),
            ("scan", from_text!(pgq::scan)),
            ("deparse", |sql| {
                let tree = pgq::parse(sql).expect("it parsed before").into_tree();
                Box::new(move || drop(std::hint::black_box(pgq::deparse(&tree))))
            }),
        ],
    )
}
