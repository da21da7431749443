//! `cargo xtask`: the tasks of pgq's developers, one module each.
//!
//! A task runs other programs, above all Cargo; it must not contain what a test, a benchmark or a
//! script in .ci can do without it.
#![forbid(unsafe_code)]

mod check;
mod ci;
mod docs;
mod regenerate;

use clap::{Parser, Subcommand};
use xshell::Shell;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tasks of pgq's developers")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check format, lints and the quick tests: before every commit
    Check,
    /// Run .ci/run: what every change must pass
    Ci,
    /// Build the documentation; any warning is an error
    Docs,
    /// Rewrite generated files; without arguments all but instructions
    Regenerate(regenerate::Args),
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let shell = Shell::new()?;
    // The root of the project: two folders up from here.
    shell.change_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    match args.task {
        Task::Check => check::run(&shell),
        Task::Ci => ci::run(&shell),
        Task::Docs => docs::run(&shell),
        Task::Regenerate(args) => regenerate::run(&shell, &args),
    }
}
