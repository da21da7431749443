//! Limits repeated diagnostics. Prints the first N of several equal diagnostics and only counts the rest.

use std::collections::HashMap;

/// Maximum number of equal diagnostics that are printed.
const PRINTED: u64 = 20;

/// Maximum number of distinct messages that are counted. Further messages are always printed.
const MAX_MESSAGES: usize = 10_000;

/// Key of a diagnostic. Diagnostics with equal keys count as equal.
pub enum Subject {
    /// An encoding error. All encoding errors of a file are equal.
    NotUtf8,
    /// The message and its level.
    Message(Box<str>),
}

/// Counts the diagnostics of a run.
pub struct Repeats {
    /// Maximum number of equal diagnostics that are printed.
    printed: u64,
    counts: HashMap<Box<str>, u64>,
    /// Number of statements in the current file that are not UTF-8. Only the first error is printed.
    not_utf8: u64,
}

impl Repeats {
    /// Creates an empty counter. If `all` is true, every diagnostic is printed.
    pub fn new(all: bool) -> Self {
        Self { printed: if all { u64::MAX } else { PRINTED }, counts: HashMap::new(), not_utf8: 0 }
    }

    /// Counts a diagnostic. Returns whether to print it.
    pub fn admits(&mut self, subject: &Subject) -> bool {
        let message = match subject {
            Subject::NotUtf8 => {
                self.not_utf8 += 1;
                return self.not_utf8 == 1;
            }
            Subject::Message(message) => message,
        };
        let most = self.printed;
        match self.counts.get_mut(message) {
            Some(count) => {
                *count += 1;
                *count <= most
            }
            None => {
                if self.counts.len() < MAX_MESSAGES {
                    self.counts.insert(message.clone(), 1);
                }
                true
            }
        }
    }

    /// Returns the number of encoding errors that were not printed for the file that has just ended.
    pub fn end_of_file(&mut self) -> u64 {
        std::mem::take(&mut self.not_utf8).saturating_sub(1)
    }

    /// Returns the number of suppressed diagnostics by message, most frequent first.
    pub fn take_rest(&mut self) -> Vec<(u64, Box<str>)> {
        let most = self.printed;
        let counts = std::mem::take(&mut self.counts).into_iter();
        let mut rest: Vec<_> =
            counts.filter(|(_, count)| *count > most).map(|(text, count)| (count - most, text)).collect();
        rest.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        rest
    }
}
