//! `cargo xtask ci`: runs the script of the CI server.

use xshell::{Shell, cmd};

pub fn run(shell: &Shell) -> anyhow::Result<()> {
    cmd!(shell, ".ci/run").run()?;
    Ok(())
}
