//! All tests of the crate, in one program. The program is compiled only once, and tests that wait for a server run in
//! parallel with tests that compute. The library has no unit tests, because Cargo would compile the library a second
//! time for them. `pgq_log::internals` exports the private items that these tests need.

mod cases;
mod common;
#[path = "../../../tests/common/left_out.rs"]
mod left_out;
mod parts;
mod records;
mod servers;
mod shapes;
