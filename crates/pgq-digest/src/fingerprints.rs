//! Tables whose keys are fingerprints. A fingerprint is already a hash. The tables multiply it by a secret number,
//! because a forged state can contain fingerprints that are equal in many bits.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

/// An odd number that is different in each run.
static KEY: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0_u64) | 1);

/// Hashes a fingerprint.
#[derive(Debug, Clone, Copy)]
pub struct FingerprintHasher(u64);

impl Hasher for FingerprintHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only fingerprints are hashed");
    }
    fn write_u64(&mut self, fingerprint: u64) {
        // The upper half of the product depends on all bits. A table uses the lower bits first.
        self.0 = fingerprint.wrapping_mul(self.0).rotate_left(32);
    }
}

/// Builds hashers of fingerprints.
#[derive(Debug, Clone, Copy)]
pub struct ByFingerprint(u64);

impl Default for ByFingerprint {
    fn default() -> Self {
        Self(*KEY)
    }
}

impl BuildHasher for ByFingerprint {
    type Hasher = FingerprintHasher;

    fn build_hasher(&self) -> FingerprintHasher {
        FingerprintHasher(self.0)
    }
}

/// A set of fingerprints.
pub type Fingerprints = HashSet<u64, ByFingerprint>;
