//! Searches that are fast for near matches, caches of byte runs, and numbers.

pub(crate) mod known_runs;
pub(crate) mod near;
pub(crate) mod number;
