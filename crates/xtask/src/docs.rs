//! `cargo xtask docs`: the documentation of all crates, as docs.rs builds it.

use xshell::{Shell, cmd};

pub fn run(shell: &Shell) -> anyhow::Result<()> {
    cmd!(shell, "cargo doc --release --workspace --no-deps").env("RUSTDOCFLAGS", "-D warnings").run()?;
    Ok(())
}
