//! `pgq serve`: every operation against the library, in both forms; bytes that are no requests; the
//! socket, signals and limits; many connections at once. The clients have tests of their own
//! (`clients.rs` runs them).
#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;

mod client;
mod clients;
mod daemon;
mod lifecycle;
mod limits;
mod load;
mod malformed;
mod operations;
mod postgres;
#[path = "../../crates/pgq-postgres/tests/common/mod.rs"]
mod postgres_server;
