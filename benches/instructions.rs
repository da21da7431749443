//! Instructions of every walk against those of its floor in the same build: a figure that a
//! busy machine does not change. `cargo bench --bench instructions` counts them with valgrind
//! and fails where one is too far above what `instructions.txt` says; with `-- --write` it
//! writes that file.
//!
//! Floors and walks are compiled by the same compilers, so that a ratio survives their
//! updates better than a count would.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

mod rows;

use rows::{Corpus, Row, corpora};

// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How much above its committed ratio a row may be.
const ALLOWED: f64 = 1.03;

/// Stands between statements that are handed over; none has it inside.
const BETWEEN: &str = "\0";

const COMMITTED: &str = "benches/instructions.txt";

const HEADER: &str = "\
# Instructions of each walk, as a multiple of its floor's: PostgreSQL's parser, its scanner (scan)
# or libpg_query's deparser on a C tree (deparse). Written by
# cargo bench --bench instructions -- --write
";

/// The ratio of a row on a corpus, by `corpus row`.
type Ratios = BTreeMap<String, f64>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["--count", row] => {
            count(row);
            return ExitCode::SUCCESS;
        }
        ["--write"] => measure().and_then(|ratios| write(&ratios)),
        [] => measure().and_then(|ratios| check(&ratios)),
        _ => Err("cargo bench --bench instructions [-- --write]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// What runs under valgrind, on the statements of standard input: the work once unwatched, so
/// that what is made on first use is there, and once more to be counted.
fn count(row: &str) {
    let row = Row::ALL.into_iter().find(|r| r.name() == row).expect("a row of this name");
    let texts = std::io::read_to_string(std::io::stdin()).expect("statements on standard input");
    let corpus = Corpus::new(texts.split(BETWEEN).map(str::to_string).collect());
    corpus.work(row);
    counted_work(&corpus, row);
}

/// Valgrind is told to count this function by its name: nothing else may have it.
#[inline(never)]
fn counted_work(corpus: &Corpus, row: Row) {
    corpus.work(row);
}

/// The ratios of every row on every corpus.
fn measure() -> Result<Ratios, String> {
    let mut ratios = Ratios::new();
    for (name, texts) in corpora() {
        let texts = texts.join(BETWEEN);
        let mut counts: Vec<(Row, u64)> = Vec::new();
        for row in Row::ALL {
            let count = instructions(&texts, row).map_err(|problem| format!("{name} {}: {problem}", row.name()))?;
            counts.push((row, count));
            let Some(floor) = row.floor() else { continue };
            let (_, of_floor) = counts.iter().find(|(row, _)| *row == floor).expect("floors come first");
            let ratio = count as f64 / *of_floor as f64;
            println!("{name:<10} {:<12} {ratio:.3}  ({count} / {of_floor})", row.name());
            ratios.insert(format!("{name} {}", row.name()), ratio);
        }
    }
    Ok(ratios)
}

/// Instructions of a row's work, by valgrind.
fn instructions(texts: &str, row: Row) -> Result<u64, String> {
    let valgrind = || -> std::io::Result<Output> {
        let mut child = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*counted_work*"])
            .arg(std::env::current_exe()?)
            .args(["--count", row.name()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        child.stdin.take().expect("a pipe").write_all(texts.as_bytes())?;
        child.wait_with_output()
    };
    let output = valgrind().map_err(|problem| format!("valgrind: {problem}"))?;
    let report = String::from_utf8_lossy(&output.stderr);
    let collected = report.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    match collected {
        Some(count) if count > 0 && output.status.success() => Ok(count),
        _ => Err(format!("valgrind counted nothing:\n{report}")),
    }
}

fn write(ratios: &Ratios) -> Result<(), String> {
    let mut text = HEADER.to_string();
    for (name, ratio) in ratios {
        writeln!(text, "{name} {ratio:.3}").expect("writing to a string");
    }
    std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(COMMITTED), text).map_err(|problem| problem.to_string())
}

/// Fails, naming them, when rows are above what is committed, or are not there.
fn check(measured: &Ratios) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(COMMITTED);
    let text = std::fs::read_to_string(path).map_err(|problem| format!("{COMMITTED}: {problem}"))?;
    let committed = read(&text)?;
    let mut failed = String::new();
    for (name, ratio) in measured {
        match committed.get(name) {
            None => writeln!(failed, "{name}: not in {COMMITTED}"),
            Some(before) if *ratio > before * ALLOWED => {
                writeln!(failed, "{name}: {ratio:.3} times its floor, {before:.3} before")
            }
            Some(_) => Ok(()),
        }
        .expect("writing to a string");
    }
    for name in committed.keys().filter(|name| !measured.contains_key(*name)) {
        writeln!(failed, "{name}: in {COMMITTED}, but not measured").expect("writing to a string");
    }
    if failed.is_empty() {
        println!("{} rows, none more than 3 % above {COMMITTED}", measured.len());
        return Ok(());
    }
    Err(format!("{failed}If this is meant: cargo bench --bench instructions -- --write"))
}

fn read(text: &str) -> Result<Ratios, String> {
    let row = |line: &str| {
        let (name, ratio) = line.rsplit_once(' ')?;
        Some((name.to_string(), ratio.parse().ok()?))
    };
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| row(line).ok_or_else(|| format!("{COMMITTED}: {line:?}")))
        .collect()
}
