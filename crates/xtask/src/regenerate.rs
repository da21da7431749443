//! `cargo xtask regenerate`: rewrites the generated files.
//!
//! The bindings, structs and tables are generated first, because after a change of the PostgreSQL version, pgq does not
//! compile until they are regenerated. Each of the other files has a test that compares it with the expected contents.
//! With `PGQ_REGENERATE=1` the test rewrites the file instead.

use std::path::PathBuf;

use clap::ValueEnum;
use pgq_corpus::project_path;
use xshell::{Shell, cmd};

use crate::{grammar_order, pins, public_items};

/// Environment variable that makes tests rewrite files instead of comparing them.
const REGENERATE: &str = "PGQ_REGENERATE";

#[derive(clap::Args)]
pub struct Args {
    /// What to rewrite
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Rewrite nothing; fail if a file is out of date
    #[arg(long)]
    check: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// src/sys/bindings.rs, from PostgreSQL's headers: needs libclang
    Bindings,
    /// src/proto/generated.rs, from pg_query.proto
    Structs,
    /// Tables of src/convert and crates/pgq-lexer
    Tables,
    /// build/symbols.txt: C symbols that the build renames
    Symbols,
    /// docs/upstream-fixes.md
    Fixes,
    /// The output in docs/cookbook.md
    Cookbook,
    /// The table of options in CONTRIBUTING.md
    Options,
    /// tests/counts: the counts of comparisons over the corpus
    Counts,
    /// docs/public-items.txt, from rustdoc's pages
    PublicItems,
    /// build/grammar_order.txt: builds and runs a program that counts the uses of the grammar
    GrammarOrder,
    /// benches/instructions.txt: needs valgrind, and takes minutes
    Instructions,
}

impl Part {
    /// The parts that are rewritten by default.
    const DEFAULT: [Self; 9] = [
        Self::Bindings,
        Self::Structs,
        Self::Tables,
        Self::Symbols,
        Self::Fixes,
        Self::Cookbook,
        Self::Options,
        Self::Counts,
        Self::PublicItems,
    ];

    fn regenerate(self, shell: &Shell) -> anyhow::Result<()> {
        match self {
            Self::Bindings => bindings(shell)?,
            Self::Structs => structs(shell)?,
            Self::Tables => tables(shell)?,
            Self::Symbols => symbols(shell)?,
            Self::Fixes => cmd!(shell, "cargo test --test deparse the_list_of_fixes_is_current").run()?,
            Self::Cookbook => cmd!(shell, "cargo test --test program cookbook").run()?,
            Self::Options => cmd!(shell, "cargo test --test cli the_table_of_options_is_current").run()?,
            Self::Counts => {
                let tests = [
                    "--test",
                    "internals",
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
            Self::PublicItems => write(shell, public_items::FILE, &public_items::text(shell)?)?,
            Self::GrammarOrder => write(shell, grammar_order::FILE, &grammar_order::text(shell)?)?,
            Self::Instructions => cmd!(shell, "cargo bench --bench instructions -- --write").run()?,
        }
        Ok(())
    }
}

pub fn run(shell: &Shell, args: &Args) -> anyhow::Result<()> {
    let parts = if args.parts.is_empty() { &Part::DEFAULT[..] } else { &args.parts };
    let _regenerate = (!args.check).then(|| shell.push_env(REGENERATE, "1"));
    // Use the order of `Part`, and not the order of the arguments. Tables are generated from bindings. The parts after
    // the tables need pgq, which compiles only with current bindings, structs and tables.
    for part in Part::value_variants().iter().filter(|part| parts.contains(part)) {
        part.regenerate(shell)?;
    }
    Ok(())
}

/// Runs the generator that needs libclang or a Protobuf compiler, and returns its output.
fn generated(shell: &Shell, what: &str) -> anyhow::Result<String> {
    let program = cmd!(shell, "cargo run --quiet --package xtask --features generators --bin generate -- {what}");
    let output = program.ignore_status().output()?;
    // The last line on stderr is the cause of a failure.
    let problem = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "{what}: {}", problem.trim());
    Ok(String::from_utf8(output.stdout)?)
}

fn bindings(shell: &Shell) -> anyhow::Result<()> {
    write(shell, pgq_codegen::BINDINGS, &generated(shell, "bindings")?)
}

fn structs(shell: &Shell) -> anyhow::Result<()> {
    write(shell, pgq_codegen::STRUCTS, &generated(shell, "structs")?)
}

fn tables(shell: &Shell) -> anyhow::Result<()> {
    let bindings = std::fs::read_to_string(project_path(pgq_codegen::BINDINGS))?;
    for file in pgq_codegen::generate(&libpg_query()?, &bindings)? {
        write(shell, file.path, &file.text)?;
    }
    Ok(())
}

/// Runs the symbols test twice. The first run adds missing symbols to the list of renamed symbols and fails. The second
/// run builds pgq with the new list and tests it.
fn symbols(shell: &Shell) -> anyhow::Result<()> {
    cmd!(shell, "cargo test --test library symbols").ignore_status().quiet().run()?;
    Ok(cmd!(shell, "cargo test --test library symbols").run()?)
}

/// As build.rs does, returns the directory of libpg_query's sources.
fn libpg_query() -> anyhow::Result<PathBuf> {
    if let Some(folder) = std::env::var_os("LIBPG_QUERY_DIR") {
        return Ok(folder.into());
    }
    let package = pins::LIBPG_QUERY.find(&project_path("")).map_err(anyhow::Error::msg)?;
    Ok(package.join("libpg_query"))
}

/// Writes a file of the project if its contents differ. With `--check` a difference is an error.
fn write(shell: &Shell, path: &str, text: &str) -> anyhow::Result<()> {
    if shell.read_file(path).ok().as_deref() != Some(text) {
        anyhow::ensure!(shell.var(REGENERATE).is_ok(), "{path} is out of date: run `cargo xtask regenerate`");
        shell.write_file(path, text)?;
        println!("rewrote {path}");
    }
    Ok(())
}
