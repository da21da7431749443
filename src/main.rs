//! The command-line program `pgq`.
#![forbid(unsafe_code)]

mod cmd;
mod run;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

/// The program's allocator, mimalloc. A parse tree consists of many small allocations, and for these mimalloc is faster
/// than malloc.
#[cfg(not(pgq_asan))]
type Allocator = pgq::memory::Mimalloc;
#[cfg(pgq_asan)] // AddressSanitizer checks only memory from malloc
type Allocator = std::alloc::System;

#[global_allocator]
static ALLOCATOR: pgq::memory::AbortOnOom<Allocator> = pgq::memory::AbortOnOom(Allocator {});

fn main() -> ExitCode {
    run::report::exit_on_panic();
    let cli = match cmd::Cli::try_parse_from(cmd::arguments()) {
        Ok(cli) => cli,
        Err(message) => {
            cmd::set_color_of_errors();
            return print(&cmd::with_hint(cmd::with_escapes(message)));
        }
    };
    run::report::stop_cleanly_on_signals();
    let diagnostics = cli.diagnostics();
    let result = cmd::run(cli, &diagnostics);
    diagnostics.finish(result).into()
}

/// Prints the help, the version or a usage error.
fn print(message: &clap::Error) -> ExitCode {
    match message.print().and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "pgq: error: {error}");
            2.into()
        }
        _ => ExitCode::from(message.exit_code() as u8),
    }
}
