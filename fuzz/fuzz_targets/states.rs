//! Decodes any bytes as states of digests. Decoded digests can be merged, and the result can be encoded and decoded.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgq_digest::{Digest, Limit, state};

const LIMIT: Limit = Limit::Groups(100);

fuzz_target!(|bytes: &[u8]| {
    let mut merged = Digest::new(LIMIT);
    if state::decode_each(bytes, LIMIT, |digest| merged.merge(digest)).is_ok() {
        merged.finish();
        let encoded = state::encode(&merged).expect("memory is written");
        state::decode_each(&encoded, LIMIT, |_| {}).expect("it was encoded here");
    }
});
