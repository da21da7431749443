//! `cargo xtask check`: checks the format and runs the lints and the quick tests.

use xshell::{Shell, cmd};

/// Tests that take only seconds. Excludes tests with mutated or hostile inputs, and tests with servers.
const QUICK_TESTS: [&str; 8] = ["cli", "digest", "equality", "internals", "library", "parts", "program", "summary"];

pub fn run(shell: &Shell) -> anyhow::Result<()> {
    cmd!(shell, "cargo fmt --check").run()?;
    cmd!(shell, "cargo clippy --workspace --all-targets -- -D warnings").run()?;
    // Excludes crates whose libraries have no unit tests, because `--lib` would compile these libraries for nothing.
    let excluded = ["pgq", "pgq-digest", "pgq-log", "xtask"];
    let excluded = excluded.iter().flat_map(|name| ["--exclude", name]);
    cmd!(shell, "cargo test --workspace {excluded...} --lib --bins").run()?;
    let tests = QUICK_TESTS.iter().flat_map(|test| ["--test", test]);
    cmd!(shell, "cargo test --bins {tests...}").run()?;
    Ok(())
}
