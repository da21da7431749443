//! What maintainers run: `cargo xtask COMMAND`.
#![forbid(unsafe_code)]

mod dist;
mod package;
#[path = "../../../build/pins.rs"]
mod pins;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = arguments.split_first() else { bail!("usage: cargo xtask package|dist") };
    match command.as_str() {
        "package" => package::run(rest),
        "dist" => dist::run(rest),
        other => bail!("no such command: {other}"),
    }
}

/// The folder of the workspace.
fn project_root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.expect("crates/xtask lies two folders below the root").to_path_buf()
}
