//! Tests of the client with a real server. Skipped without PostgreSQL's programs.

mod batch;
#[path = "../common/mod.rs"]
mod common;
mod connect;
mod failures;
#[cfg(feature = "tls")]
mod tls;
