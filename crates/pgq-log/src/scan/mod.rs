//! Searches that are fast where matches are near, and numbers. Knows no format.

pub(crate) mod known_runs;
pub(crate) mod near;
pub(crate) mod number;
