//! Tests of the parts of the crate, in one program. The library has no unit tests, because Cargo would compile the
//! library a second time for them. `pgq_log::internals` exports the private items that these tests need.

mod assembler;
#[path = "../common/mod.rs"]
mod common;
mod csvlog;
mod detect;
mod entries;
mod envelope;
mod interleaved;
mod jsonlog;
mod known_runs;
mod language;
mod messages;
mod prefix;
mod read_log;
mod scan;
mod stderr;
mod time;
