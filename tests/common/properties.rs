//! Settings for property tests: the same inputs in every run, unless asked otherwise.

use proptest::test_runner::{Config, RngSeed};

use super::setting::setting;

/// Settings for a number of inputs from a fixed seed. `PGQ_CASES=10` gives ten times as many inputs,
/// `PGQ_SEED=2` other ones. A failure prints the smallest input, which belongs in a test of its own.
pub fn config(cases: u32) -> Config {
    Config {
        cases: cases * setting("PGQ_CASES", 1) as u32,
        rng_seed: RngSeed::Fixed(setting("PGQ_SEED", 1) as u64),
        failure_persistence: None,
        ..Config::default()
    }
}
