//! `pgq`: arguments in, exit code out. Everything else is in the modules below and in the
//! library.

mod cli;
mod cmd;
mod input;
mod output;
mod pipeline;

use std::process::ExitCode;

use clap::Parser;

use output::{Exit, Messages};
use pgq::memory::LastResort;

/// The tree is many small boxes; see ARCHITECTURE.md for what this allocator measures.
#[cfg(not(pgq_asan))]
type Allocator = mimalloc::MiMalloc;
#[cfg(pgq_asan)] // the sanitizer watches malloc's memory
type Allocator = std::alloc::System;

#[global_allocator]
static ALLOCATOR: LastResort<Allocator> = LastResort(Allocator {});

fn main() -> ExitCode {
    end_at_panics();
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

/// A panic is an internal error wherever it happens: what it says, and exit code 2.
fn end_at_panics() {
    let say = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        say(panic);
        std::process::exit(Exit::Failure as i32);
    }));
}
