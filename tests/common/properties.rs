//! Settings for property tests, which have the same inputs in every run by default.

use proptest::test_runner::{Config, RngSeed};

use super::setting::setting;

/// Returns settings that generate `cases` inputs from a fixed seed. `PGQ_CASES=10` generates ten times as many inputs,
/// and `PGQ_SEED=2` generates different inputs. A failure prints the smallest failing input: add a test for it.
pub fn config(cases: u32) -> Config {
    Config {
        cases: cases * setting("PGQ_CASES", 1) as u32,
        rng_seed: RngSeed::Fixed(setting("PGQ_SEED", 1) as u64),
        failure_persistence: None,
        ..Config::default()
    }
}
