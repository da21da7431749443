//! Compares the counts of a test with the committed counts in `tests/counts/`.
//!
//! A comparison over the corpus may cover fewer statements without failing, for example if both parsers refuse more
//! statements. The committed counts make such a change visible in review.

use std::fmt::Display;

use super::committed;

/// The lines of a file of counts.
pub struct Counts {
    name: &'static str,
    text: String,
}

impl Counts {
    pub fn new(name: &'static str) -> Self {
        Self { name, text: String::new() }
    }

    /// Adds a line, and prints it.
    pub fn add(&mut self, line: impl Display) {
        println!("{line}");
        self.text += &format!("{line}\n");
    }

    /// Fails unless the counts equal the committed counts.
    pub fn check(self) {
        committed::check(&format!("tests/counts/{}.txt", self.name), &self.text, "counts");
    }
}
