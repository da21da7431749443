//! All tests of the crate pgq-log, in one program: tests that wait for a server run in parallel with tests that
//! compute. The program belongs to the package pgq. If it belonged to pgq-log, Cargo would optimize it as it optimizes
//! pgq-log, and compiling it would take longer. `pgq_log::internals` exports the private items that these tests need.

mod cases;
mod common;
#[path = "../common/left_out.rs"]
mod left_out;
mod parts;
mod records;
mod servers;
mod shapes;
