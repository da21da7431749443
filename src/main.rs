//! `pgq`: arguments in, exit code out. Everything else is in the modules below and in the
//! library.

mod cli;
mod cmd;
mod digest;
mod input;
mod output;
mod pipeline;

use std::process::ExitCode;

use clap::Parser;

use output::{Exit, Messages};

/// The tree is many small boxes; see ARCHITECTURE.md for what this allocator measures.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(problem) => {
            // Help and version are "errors" to clap, printed on stdout with code 0.
            let _ = problem.print();
            return if problem.use_stderr() { Exit::Failure.into() } else { Exit::Success.into() };
        }
    };
    cli.set_looks();
    let messages = Messages::default();
    output::stop_cleanly_on_signals();
    match cmd::run(cli.command, &messages) {
        Ok(()) => messages.exit().into(),
        Err(error) if output::is_broken_pipe(&error) => Exit::Success.into(),
        Err(error) => {
            messages.fatal(&error);
            Exit::Failure.into()
        }
    }
}
