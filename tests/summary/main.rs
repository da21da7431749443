//! Tests summaries of statements: examples, a comparison with `pg_query_summary` over the corpus, and statements of
//! any depth.

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod comparison;
mod corpus;
mod deep;
mod missed;
mod references;
