//! Numbers from the environment that make a test longer, or give it other inputs.

/// The number in an environment variable, or the default.
pub fn setting(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable}={text}")))
}
