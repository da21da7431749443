//! Searches that are fast for near matches, and numbers. Independent of the format.

pub(crate) mod known_runs;
pub(crate) mod lines;
pub(crate) mod near;
pub(crate) mod number;
