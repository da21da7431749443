//! `cargo xtask regenerate`: every file that is generated.
//!
//! Bindings and tables come first, because pgq does not compile with those of another PostgreSQL.
//! Each of the other files belongs to a test that compares it with what it should be; with
//! `PGQ_REGENERATE=1` the test rewrites the file instead.

use std::path::PathBuf;

use anyhow::Context;
use cargo_metadata::Message;
use clap::ValueEnum;
use pgq_corpus::project_path;
use xshell::{Shell, cmd};

use crate::{grammar_order, pins};

#[derive(clap::Args)]
pub struct Args {
    /// What to rewrite
    #[arg(value_enum)]
    parts: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// src/sys/bindings.rs, from PostgreSQL's headers: needs libclang
    Bindings,
    /// Tables of src/convert and crates/pgq-lexer, and src/sys/layout.c
    Tables,
    /// build/symbols.txt: C symbols that the build renames
    Symbols,
    /// docs/upstream-fixes.md
    Fixes,
    /// The output in docs/cookbook.md
    Cookbook,
    /// The table of options in CONTRIBUTING.md
    Options,
    /// tests/counts: what comparisons over the corpus count
    Counts,
    /// build/grammar_order.txt: builds a program that counts
    GrammarOrder,
    /// benches/instructions.txt: needs valgrind, and takes minutes
    Instructions,
}

impl Part {
    /// What is rewritten by default.
    const DEFAULT: [Self; 7] =
        [Self::Bindings, Self::Tables, Self::Symbols, Self::Fixes, Self::Cookbook, Self::Options, Self::Counts];

    fn regenerate(self, shell: &Shell) -> anyhow::Result<()> {
        match self {
            Self::Bindings => bindings(shell)?,
            Self::Tables => tables(shell)?,
            Self::Symbols => symbols(shell)?,
            Self::Fixes => cmd!(shell, "cargo test --test deparse the_list_of_fixes_is_current").run()?,
            Self::Cookbook => cmd!(shell, "cargo test --test cookbook").run()?,
            Self::Options => cmd!(shell, "cargo test --test cli the_table_of_options_is_current").run()?,
            Self::Counts => {
                let tests = [
                    "--lib",
                    "--test",
                    "equality",
                    "--test",
                    "deparse",
                    "--test",
                    "shape",
                    "--test",
                    "summary",
                    "--test",
                    "tree_cache",
                    "--test",
                    "views",
                ];
                cmd!(shell, "cargo test --no-fail-fast {tests...}").run()?;
            }
            Self::GrammarOrder => write(shell, grammar_order::FILE, &grammar_order::text(shell)?)?,
            Self::Instructions => cmd!(shell, "cargo bench --profile test --bench instructions -- --write").run()?,
        }
        Ok(())
    }
}

pub fn run(shell: &Shell, args: &Args) -> anyhow::Result<()> {
    let parts = if args.parts.is_empty() { &Part::DEFAULT[..] } else { &args.parts };
    let _regenerate = shell.push_env("PGQ_REGENERATE", "1");
    // In the order of `Part`: tables come from bindings, and pgq needs both to compile.
    for part in Part::value_variants().iter().filter(|part| parts.contains(part)) {
        part.regenerate(shell)?;
    }
    Ok(())
}

/// Copies the bindings that the build script writes with the feature `bindgen`. Whether pgq then
/// compiles does not matter.
fn bindings(shell: &Shell) -> anyhow::Result<()> {
    let output =
        cmd!(shell, "cargo build --release --lib --features bindgen --message-format json").ignore_status().output()?;
    let messages = Message::parse_stream(output.stdout.as_slice()).collect::<Result<Vec<_>, _>>()?;
    let is_pgq = |package: &str| package.contains("#pgq@") || package.ends_with("/pgq");
    let folder = messages.into_iter().find_map(|message| match message {
        Message::BuildScriptExecuted(script) if is_pgq(&script.package_id.repr) => Some(script.out_dir),
        _ => None,
    });
    let folder = folder
        .with_context(|| format!("bindgen failed (it needs libclang):\n{}", String::from_utf8_lossy(&output.stderr)))?;
    write(shell, pgq_codegen::BINDINGS, &std::fs::read_to_string(folder.join("bindings.rs"))?)
}

fn tables(shell: &Shell) -> anyhow::Result<()> {
    let bindings = std::fs::read_to_string(project_path(pgq_codegen::BINDINGS))?;
    for file in pgq_codegen::generate(&libpg_query()?, &bindings)? {
        write(shell, file.path, &file.text)?;
    }
    Ok(())
}

/// The test adds the missing symbols to the list, and fails until they are renamed by another build.
fn symbols(shell: &Shell) -> anyhow::Result<()> {
    cmd!(shell, "cargo test --test symbols").ignore_status().quiet().run()?;
    Ok(cmd!(shell, "cargo test --test symbols").run()?)
}

/// libpg_query's sources, found as build.rs finds them.
fn libpg_query() -> anyhow::Result<PathBuf> {
    if let Some(folder) = std::env::var_os("LIBPG_QUERY_DIR") {
        return Ok(folder.into());
    }
    let package = pins::LIBPG_QUERY.find(&project_path("")).map_err(anyhow::Error::msg)?;
    Ok(package.join("libpg_query"))
}

/// Writes a file of the project, where its contents change.
fn write(shell: &Shell, path: &str, text: &str) -> anyhow::Result<()> {
    if shell.read_file(path).ok().as_deref() != Some(text) {
        shell.write_file(path, text)?;
        println!("rewrote {path}");
    }
    Ok(())
}
