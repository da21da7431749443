//! Trees of pgq's cache, for counting instructions (examples/proxy): the page has none of them, as no other parser
//! has a cache.

use std::cell::{Cell, LazyCell};
use std::hint::black_box;
use std::sync::LazyLock;

use pgq::cache::ShapeCache;
use pgq_peers::{Call, Function};

/// Other texts of one shape: a cache keeps those that repeat by their text.
const OTHERS: usize = 512;

pub fn functions() -> [Function; 3] {
    [
        Function::of_calls("by_text", |sql| cached(sql, None)),
        Function::of_calls("by_shape", |sql| cached(sql, Some(Other::Literals))),
        Function::of_calls("respelled", |sql| cached(sql, Some(Other::Comment))),
    ]
}

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

/// Returns a cache that knows the text itself, or a text of its shape.
fn cached(sql: &'static str, other: Option<Other>) -> Call {
    static CACHE: LazyLock<ShapeCache> = LazyLock::new(|| ShapeCache::new(1 << 30));
    CACHE.parse(sql).expect("it parsed before");
    let Some(other) = other else { return Box::new(move || drop(black_box(CACHE.get(sql)))) };
    // In the first round, whose time is not the best.
    let others = LazyCell::new(move || (0..OTHERS).map(|n| other.text(sql, n)).collect::<Vec<_>>());
    let next = Cell::new(0);
    Box::new(move || {
        next.set((next.get() + 1) % OTHERS);
        drop(black_box(CACHE.get(&others[next.get()])));
    })
}
