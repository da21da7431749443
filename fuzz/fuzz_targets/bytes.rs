//! Passes any text to every function of the library that takes a text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgq::{DeparseOptions, FingerprintOptions, ParseOptions, SplitMethod, Tree};

fuzz_target!(|bytes: &[u8]| {
    let Ok(sql) = pgq::check_utf8(bytes) else { return };
    let _ = pgq::scan(sql);
    let _ = pgq::comments(sql);
    let _ = pgq::split(sql, SplitMethod::Parser);
    let _ = pgq::split(sql, SplitMethod::Scanner);
    let Ok(tree) = Tree::parse(sql, &ParseOptions::default()) else { return };
    let mut full_depth = FingerprintOptions::default();
    full_depth.full_depth = true;
    tree.fingerprint(&FingerprintOptions::default()).expect("it parsed");
    tree.fingerprint(&full_depth).expect("it parsed");
    let json = tree.to_json().expect("it parsed");
    pgq::from_json(&json).expect("it was written here");
    let normalized = tree.normalize(false).expect("it parsed").text;
    pgq::parse(&normalized).expect("it was normalized here");
    let _ = tree.deparse(&DeparseOptions::default());
});
