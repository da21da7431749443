//! Fingerprints.

use std::fmt;

/// A fingerprint. Statements that differ only in constants, or in details that libpg_query ignores, have the same
/// fingerprint. `Display` writes 16 hex digits, the usual form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

impl Fingerprint {
    /// Returns the 16 hexadecimal digits in ASCII.
    #[must_use]
    pub fn digits(self) -> [u8; 16] {
        std::array::from_fn(|at| b"0123456789abcdef"[(self.0 >> (60 - 4 * at)) as usize & 15])
    }
}

/// A fingerprint, and whether it includes the whole tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fingerprinted {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// Whether the tree is deeper than the 100 levels that libpg_query's fingerprint includes. Always false with
    /// [`crate::FingerprintOptions::full_depth`].
    pub truncated: bool,
}
