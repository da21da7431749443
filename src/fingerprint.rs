//! Fingerprints as values.

use std::fmt;

/// A fingerprint: equal for statements that differ only in their constants, and in the details that
/// libpg_query ignores. `Display` gives its usual form, 16 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A fingerprint, and whether it covers the whole tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fingerprinted {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// The tree goes deeper than the 100 levels that libpg_query's fingerprint looks at: what is
    /// below does not count. Never with [`crate::FingerprintOptions::full_depth`].
    pub truncated: bool,
}
