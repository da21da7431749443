//! Tables whose keys are fingerprints. A fingerprint is already a hash, so the tables do not hash it again.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// A hasher that returns a fingerprint unchanged.
#[derive(Debug, Clone, Copy, Default)]
pub struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only fingerprints are hashed");
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Builds hashers of fingerprints.
pub(crate) type ByFingerprint = BuildHasherDefault<IdentityHasher>;

/// A set of fingerprints.
pub type Fingerprints = HashSet<u64, ByFingerprint>;
