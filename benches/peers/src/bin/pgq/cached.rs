//! Trees from pgq's cache. Only examples/proxy uses these functions, to count instructions. docs/benchmarks.md omits
//! them, because no other parser has a cache.

use std::cell::{Cell, LazyCell};
use std::hint::black_box;
use std::sync::LazyLock;

use pgq::cache::ShapeCache;
use pgq_peers::{Call, Function};

/// Number of texts that are looked up in turn. Each differs from the cached text only in literals and layout, so it is
/// found by its shape. With fewer texts, each would still be in the cache from its previous lookup, and would be found
/// without its shape.
const OTHERS: usize = 512;

pub fn functions() -> [Function; 3] {
    [
        Function::of_calls("by_text", |sql| cached(sql, None)),
        Function::of_calls("by_shape", |sql| cached(sql, Some(Other::Literals))),
        Function::of_calls("respelled", |sql| cached(sql, Some(Other::Comment))),
    ]
}

/// The difference between a looked-up text and the cached text of the same shape.
#[derive(Clone, Copy, PartialEq)]
enum Other {
    /// Different literals.
    Literals,
    /// An additional comment, which forces the cache to read the whole text.
    Comment,
}

impl Other {
    /// Returns variation `n` of the text. A text without literals gets a comment.
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

/// Returns a call that looks up the text, or other texts of its shape, in a cache that contains the text.
fn cached(sql: &'static str, other: Option<Other>) -> Call {
    static CACHE: LazyLock<ShapeCache> = LazyLock::new(|| ShapeCache::new(1 << 30));
    CACHE.parse(sql).expect("it parsed before");
    let Some(other) = other else { return Box::new(move || drop(black_box(CACHE.get(sql)))) };
    // The first round also creates these texts. This does not affect the result, which is the time of the best round.
    let others = LazyCell::new(move || (0..OTHERS).map(|n| other.text(sql, n)).collect::<Vec<_>>());
    let next = Cell::new(0);
    Box::new(move || {
        next.set((next.get() + 1) % OTHERS);
        drop(black_box(CACHE.get(&others[next.get()])));
    })
}
