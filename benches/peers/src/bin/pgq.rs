//! pgq, and as the baseline PostgreSQL's parser alone.

use pgq::{FingerprintOptions, ParseOptions, Tree};
use pgq_peers::{from_text, serve};

// The program's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Fingerprint and normalized text from one parse: what a record of a log takes.
fn log(sql: &str) -> (pgq::Fingerprint, String) {
    let tree = Tree::parse(sql, &ParseOptions::default()).expect("it parsed before");
    let fingerprint = tree.fingerprint(&FingerprintOptions::default()).expect("it parsed").fingerprint;
    (fingerprint, tree.normalize(false).expect("it parsed").text)
}

fn main() -> std::io::Result<()> {
    serve(
        |sql| pgq::parse(sql).is_ok(),
        &[
            ("baseline", from_text!(pgq::reference::baseline_parse)),
            ("parse", from_text!(pgq::parse)),
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
