//! `pgq completions`: generates shell completions of commands and options.

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
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "pgq", &mut script);
    if args.shell == Shell::Bash {
        // After a command, completes options only if the word starts with a dash. Bash completes other words as file
        // names.
        let text = String::from_utf8_lossy(&script).replace("== -* || ${COMP_CWORD} -eq 2 ]]", "== -* ]]");
        script = text.into_bytes();
    }
    report::print(|out| out.extend_from_slice(&script))
}
