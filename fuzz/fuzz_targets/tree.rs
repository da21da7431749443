//! Any tree that the structs can hold through to_c and the C deparser. What is written must be
//! accepted by the parser; a clean error is as good.
#![no_main]

use libfuzzer_sys::fuzz_target;
use prost::Message;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(tree) = pgq::protobuf::ParseResult::decode(bytes) {
        let _ = pgq::deparse(&tree);
    }
});
