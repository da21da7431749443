//! `pgq serve`: compares every operation with the library, as frames and as JSON lines. Tests malformed bytes, the
//! socket, signals, limits and many concurrent connections. The clients have separate tests (`clients.rs` runs them).
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
mod masks;
mod notices;
mod operations;
mod postgres;
#[path = "../../crates/pgq-postgres/tests/common/mod.rs"]
mod postgres_server;
mod sessions;
mod silent_server;
