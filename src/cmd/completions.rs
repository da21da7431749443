//! `pgq completions`: completions of commands and options for shells.

use anyhow::Result;
use clap_complete::Shell;

use crate::run::report;

pub const EXAMPLES: &str = "\
Examples:
  pgq completions bash > /tmp/pgq.bash && . /tmp/pgq.bash
  pgq completions zsh > /tmp/_pgq
  pgq completions fish > /tmp/pgq.fish";

#[derive(clap::Args)]
pub struct Args {
    /// Name of the shell
    shell: Shell,
}

pub fn run(args: &Args, mut command: clap::Command) -> Result<()> {
    report::print(|out| clap_complete::generate(args.shell, &mut command, "pgq", out))
}
