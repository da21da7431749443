//! pgq, and as the baseline PostgreSQL's parser alone.

use std::cell::{Cell, LazyCell};
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

/// Other texts of one shape: a cache keeps those that repeat by their text.
const OTHERS: usize = 512;

/// How a text is looked up that the cache does not know itself.
#[derive(Clone, Copy, PartialEq)]
enum Other {
    /// With other literals.
    Literals,
    /// With a comment, so that it must be read as a whole.
    Comment,
}

impl Other {
    /// Another text of the same shape, where the text has one.
    fn text(self, sql: &str, n: usize) -> String {
        let mut out = String::new();
        let mut last = 0;
        if self == Self::Literals {
            for token in pgq::scan(sql).expect("it parsed before") {
                let other = match token.name() {
                    "ICONST" => format!("{}", 1000 + n),
                    "FCONST" => format!("{n}.5"),
                    "SCONST" if sql[token.start..].starts_with('\'') => format!("'{n} of some length'"),
                    _ => continue,
                };
                out += &sql[last..token.start];
                out += &other;
                last = token.end;
            }
        }
        out += &sql[last..];
        if last == 0 { format!("{sql} /* {n} */") } else { out }
    }
}

/// A cache that knows the text itself, or a text of its shape.
fn cached(sql: &'static str, other: Option<Other>) -> Call {
    static CACHE: LazyLock<TreeCache> = LazyLock::new(|| TreeCache::new(1 << 30));
    CACHE.parse(sql).expect("it parsed before");
    let Some(other) = other else { return Box::new(move || drop(std::hint::black_box(CACHE.get(sql)))) };
    // In the first round, whose time is not the best.
    let others = LazyCell::new(move || (0..OTHERS).map(|n| other.text(sql, n)).collect::<Vec<_>>());
    let next = Cell::new(0);
    Box::new(move || {
        next.set((next.get() + 1) % OTHERS);
        drop(std::hint::black_box(CACHE.get(&others[next.get()])));
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
            ("by text", |sql| cached(sql, None)),
            ("by shape", |sql| cached(sql, Some(Other::Literals))),
            ("respelled", |sql| cached(sql, Some(Other::Comment))),
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
