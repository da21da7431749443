//! Tests of the client with a real server. The tests are skipped if PostgreSQL's programs are missing.

mod batch;
#[path = "../common/mod.rs"]
mod common;
mod connect;
mod failures;
#[cfg(feature = "tls")]
mod tls;
