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

/// Bash code inserted at the start of the completion function. With this code, the value in `--option=value` is
/// completed like the value in `--option value`.
const EQUALS_SIGN: &str = r#"    if [[ "${prev}" == "=" ]]; then
        prev="${COMP_WORDS[COMP_CWORD-2]}"
    elif [[ "${cur}" == "=" ]]; then
        cur=""
    fi
    cmd=""
"#;

pub fn run(args: &Args, mut command: clap::Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "pgq", &mut script);
    if args.shell == Shell::Bash {
        // After a command, completes options only if the word starts with a dash. Bash completes other words as file
        // names.
        let text = String::from_utf8_lossy(&script).replace("== -* || ${COMP_CWORD} -eq 2 ]]", "== -* ]]");
        // Bash splits `--format=json` into three words, so `=` may be the current or the previous word of the
        // completion function.
        script = text.replacen("    cmd=\"\"\n", EQUALS_SIGN, 1).into_bytes();
    }
    report::print(|out| out.extend_from_slice(&script))
}
