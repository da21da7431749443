//! `pgq completions`: what a shell needs to complete our commands and options.

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::output::Output;

pub const EXAMPLES: &str = "\
Examples:
  pgq completions bash > /tmp/pgq.bash && . /tmp/pgq.bash
  pgq completions zsh > /tmp/_pgq
  pgq completions fish > /tmp/pgq.fish";

#[derive(clap::Args)]
pub struct Args {
    /// Which shell
    shell: Shell,
}

pub fn run(args: &Args) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "pgq", &mut script);
    let mut output = Output::new();
    output.record(|out| out.extend_from_slice(&script))?;
    Ok(output.flush()?)
}
