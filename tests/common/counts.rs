//! Counts of a test, compared with those committed in `tests/counts/`.
//!
//! A comparison over the corpus may pass and still have changed: fewer statements that are equal,
//! more that both sides refuse. The committed counts make such a change visible in review.

use std::fmt::Display;

use super::committed;

/// The lines of one file of counts.
pub struct Counts {
    name: &'static str,
    text: String,
}

impl Counts {
    /// Counts for `tests/counts/{name}.txt`.
    pub fn new(name: &'static str) -> Self {
        Self { name, text: String::new() }
    }

    /// Adds a line, and prints it.
    pub fn add(&mut self, line: impl Display) {
        println!("{line}");
        self.text += &format!("{line}\n");
    }

    /// Fails where the counts are not the committed ones.
    pub fn check(self) {
        committed::check(&format!("tests/counts/{}.txt", self.name), &self.text, "counts");
    }
}
