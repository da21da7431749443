//! Reads any text as the JSON of a tree, and deparses the tree.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(tree) = pgq::from_json(text) {
        let _ = pgq::deparse(&tree.tree);
    }
});
