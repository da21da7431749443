//! Fast searches for a byte that is usually near the start of the text, caches of byte runs, and parsers of numbers.

pub(crate) mod known_runs;
pub(crate) mod lines;
pub(crate) mod near;
pub(crate) mod number;
