//! The command-line program `pgq`.
#![forbid(unsafe_code)]

mod cmd;
mod run;

use std::process::ExitCode;

use clap::Parser;

/// Parse trees consist of many small allocations. ARCHITECTURE.md shows how much time this allocator saves.
#[cfg(not(pgq_asan))]
type Allocator = pgq::memory::Mimalloc;
#[cfg(pgq_asan)] // AddressSanitizer checks only memory from malloc
type Allocator = std::alloc::System;

#[global_allocator]
static ALLOCATOR: pgq::memory::AbortOnOom<Allocator> = pgq::memory::AbortOnOom(Allocator {});

fn main() -> ExitCode {
    run::report::exit_on_panic();
    let cli = cmd::Cli::try_parse_from(cmd::arguments()).unwrap_or_else(|error| cmd::with_hint(error).exit());
    run::report::stop_cleanly_on_signals();
    let diagnostics = cli.diagnostics();
    let result = cmd::run(cli, &diagnostics);
    diagnostics.finish(result).into()
}
