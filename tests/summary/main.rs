//! What a statement refers to: by example, over the corpus against `pg_query_summary`, and for
//! statements of any depth.

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod comparison;
mod corpus;
mod deep;
mod missed;
mod references;
