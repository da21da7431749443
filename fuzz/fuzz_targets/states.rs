//! Any bytes as states of digests: what is decoded also merges, and encodes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgq_digest::{Digest, state};

const GROUPS: usize = 100;

fuzz_target!(|bytes: &[u8]| {
    let mut merged = Digest::new(GROUPS);
    if state::decode_each(bytes, GROUPS, |digest| merged.merge(digest)).is_ok() {
        merged.finish();
        let encoded = state::encode(&merged).expect("memory is written");
        state::decode_each(&encoded, GROUPS, |_| {}).expect("it was encoded here");
    }
});
