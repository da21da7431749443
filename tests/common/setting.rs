//! Reads numbers from environment variables that make a test longer or change its inputs.

/// Returns the number in an environment variable, or the default.
pub fn setting(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable}={text}")))
}
