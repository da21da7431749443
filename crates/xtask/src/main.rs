//! `cargo xtask`: tasks for pgq's developers. Each task has a module.
//!
//! A task runs other programs, mainly Cargo. It must not contain logic that belongs to a test, a benchmark or a script
//! in .ci.
#![forbid(unsafe_code)]

mod captures;
mod check;
mod ci;
mod dist;
mod docs;
mod grammar_order;
mod lines;
mod names;
mod package;
mod page_picture;
#[path = "../../../build/pins.rs"]
mod pins;
mod public_items;
mod regenerate;

use std::path::{Path, PathBuf};

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
    /// Make the pictures in docs/captures: terminals and digest's page
    Captures,
    /// Check the format, and run the lints and the quick tests; use this before every commit
    Check,
    /// Run .ci/run, which every change must pass
    Ci,
    /// Build a target's release: program, manual pages, completions and licenses, in archives
    Dist(Rest),
    /// Build the wheel and the npm packages with an existing program: --program FILE [--dev]
    Clients(Rest),
    /// Build the documentation; any warning is an error
    Docs,
    /// Count the lines of the product by directory: code and comments, without tests and generated files
    Lines,
    /// Package the crates with libpg_query's sources, then build and test the result
    Package(Rest),
    /// Rewrite generated files; without arguments, all except grammar-order and instructions
    Regenerate(regenerate::Args),
}

/// The arguments of a task.
#[derive(clap::Args)]
struct Rest {
    #[arg(allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Returns the project's directory.
fn project_root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.expect("crates/xtask is two folders below the root").to_path_buf()
}

fn main() -> std::process::ExitCode {
    match run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        // Print the cause as the last line of the output, without a backtrace.
        Err(error) => {
            eprintln!("error: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let args = Args::parse();
    let shell = Shell::new()?;
    // The root of the project is two directories up.
    shell.change_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    match args.task {
        Task::Captures => captures::run(&shell).and_then(|()| page_picture::run(&shell)),
        Task::Check => check::run(&shell),
        Task::Ci => ci::run(&shell),
        Task::Dist(rest) => dist::run(&rest.arguments),
        Task::Clients(rest) => dist::run_clients(&rest.arguments),
        Task::Docs => docs::run(&shell),
        Task::Lines => lines::run(&shell),
        Task::Package(rest) => package::run(&rest.arguments),
        Task::Regenerate(args) => regenerate::run(&shell, &args),
    }
}
