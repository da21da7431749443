//! `cargo xtask regenerate grammar-order`: writes build/grammar_order.txt, which lists the parser's states, terminals
//! and rules, most frequent first. A special build of the program counts their uses in the corpus and the fixtures
//! (src/sys/grammar_count.h). The order affects only the parser's speed, so a changed corpus does not require a new
//! count.

use std::cmp::Reverse;
use std::fmt::Write;

use anyhow::Context;
use pgq_corpus::{project_path, sql_folder};
use xshell::{Shell, cmd};

pub const FILE: &str = "build/grammar_order.txt";

const HEADER: &str = "\
# States, terminals and rules of PostgreSQL's grammar, with Bison's numbers, most frequent first.
# Written by `cargo xtask regenerate grammar-order`.
";

/// Kinds of grammar elements whose uses are counted, in the order of src/sys/grammar_count.h.
const KINDS: [&str; 3] = ["states", "terminals", "rules"];

/// Maximum line length, in characters.
const LINE: usize = 116;

/// Returns the contents of build/grammar_order.txt.
pub fn text(shell: &Shell) -> anyhow::Result<String> {
    let folder = project_path("target/count-grammar");
    let counts = folder.join("counts");
    let _count = shell.push_env("PGQ_COUNT_GRAMMAR", "1");
    cmd!(shell, "cargo build --release --bin pgq --target-dir {folder}").run()?;
    let (program, corpus, fixtures) = (folder.join("release/pgq"), sql_folder(), project_path("fixtures"));
    let _file = shell.push_env("PGQ_GRAMMAR_COUNTS", &counts);
    // Ignore the exit code, because some statements are invalid on purpose.
    cmd!(shell, "{program} parse --quiet --jobs 1 --format json --output /dev/null {corpus} {fixtures}")
        .ignore_status()
        .quiet()
        .run()?;
    ordered(&shell.read_file(counts)?).context("the program counted nothing")
}

fn ordered(counts: &str) -> Option<String> {
    let mut of_kinds = KINDS.map(|_| Vec::new());
    for line in counts.lines().skip(KINDS.len()) {
        let mut numbers = line.split(' ').map(str::parse::<u64>);
        let mut next = || numbers.next()?.ok();
        let (kind, number, count) = (next()?, next()?, next()?);
        of_kinds.get_mut(kind as usize)?.push((Reverse(count), number));
    }
    let mut text = HEADER.to_string();
    for (title, counted) in counts.lines().zip(&mut of_kinds) {
        counted.sort_unstable();
        writeln!(text, "{title}").ok()?;
        let mut line = String::new();
        for (_, number) in counted {
            let word = number.to_string();
            if line.len() + word.len() > LINE {
                writeln!(text, "{line}").ok()?;
                line.clear();
            }
            write!(line, " {word}").ok()?;
        }
        writeln!(text, "{line}").ok()?;
    }
    of_kinds.iter().all(|counted| !counted.is_empty()).then_some(text)
}
