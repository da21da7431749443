//! `cargo xtask ci`: the script that the CI server runs.

use xshell::{Shell, cmd};

pub fn run(shell: &Shell) -> anyhow::Result<()> {
    cmd!(shell, ".ci/run").run()?;
    Ok(())
}
