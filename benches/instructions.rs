//! Counts the instructions of every operation, and divides them by the instructions of a baseline, which is the C code
//! of PostgreSQL or libpg_query alone. Unlike a time, this ratio does not depend on the machine's load.
//!
//! `cargo bench --bench instructions` counts with valgrind, and fails if a ratio exceeds the committed ratio in
//! `instructions.txt` by more than 3 %. `cargo xtask regenerate instructions` writes `instructions.txt`.
//!
//! The same compilers build operations and baselines. A compiler update changes both counts in the same way, and
//! therefore changes a ratio less than a count.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

mod logs;
mod workload;

use workload::{Operation, Workload};

// This is the allocator of the program pgq.
#[global_allocator]
static ALLOCATOR: pgq::memory::Mimalloc = pgq::memory::Mimalloc;

/// Maximum quotient of a measured and a committed ratio.
const ALLOWED: f64 = 1.03;

/// Maximum number of counts per operation. The smallest count is used. Other counts are up to 3 % higher:
/// in two of five processes, the allocator frees and reallocates a page for each statement of the regression workload.
const RUNS: usize = 9;

/// Separates the statements on standard input. No statement contains it.
const SEPARATOR: &str = "\0";

const COMMITTED: &str = "benches/instructions.txt";

const HEADER: &str = "\
# Instructions of each operation on each workload, as a multiple of those of its baseline:
# PostgreSQL's scanner for scan, libpg_query's deparser on a C tree for deparse, PostgreSQL's parser
# for the others; for logs once for each of their statements. Written by `cargo xtask regenerate instructions`.
";

const VALGRIND: [&str; 2] = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];

/// Disables two ways in which glibc copies memory: `rep movsb`, whose instruction count depends on the length, and
/// non-temporal copies, whose threshold depends on the processor.
const GLIBC_TUNABLES: &str = "glibc.cpu.x86_rep_movsb_threshold=1073741824\
    :glibc.cpu.x86_rep_stosb_threshold=1073741824:glibc.cpu.x86_non_temporal_threshold=1073741824";

/// Ratios by workload and operation, such as `oltp parse`.
type Ratios = BTreeMap<String, f64>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        ["--count", operation] => {
            count(operation);
            return ExitCode::SUCCESS;
        }
        ["--write"] => measure(&Ratios::new()).and_then(|ratios| write(&ratios)),
        [] => committed().and_then(|committed| check(&measure(&committed)?, &committed)),
        _ => Err("cargo bench --bench instructions [-- --write]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Runs an operation on the statements of standard input, under valgrind. Runs it twice; the first run is for lazy
/// initialization and is not counted.
fn count(operation: &str) {
    let operation = Operation::ALL.into_iter().find(|o| o.name() == operation).expect("an operation of this name");
    let texts = std::io::read_to_string(std::io::stdin()).expect("statements on standard input");
    let workload = Workload::new(texts.split(SEPARATOR).map(str::to_string).collect());
    workload.run(operation);
    run_counted(&workload, operation);
}

/// Valgrind counts only this function, and finds it by its name. Therefore no other function's name may contain
/// `run_counted`.
#[inline(never)]
fn run_counted(workload: &Workload, operation: Operation) {
    workload.run(operation);
}

/// Measures the ratios of every operation on every workload.
fn measure(committed: &Ratios) -> Result<Ratios, String> {
    let mut ratios = Ratios::new();
    for (workload, texts) in workload::statements() {
        let texts = texts.join(SEPARATOR);
        let mut counts: Vec<(Operation, u64)> = Vec::new();
        for operation in Operation::ALL {
            let name = format!("{workload} {}", operation.name());
            let mut count = || instructions(&texts, operation).map_err(|problem| format!("{name}: {problem}"));
            let Some(baseline) = operation.baseline() else {
                counts.push((operation, count()?));
                continue;
            };
            let (_, of_baseline) = counts.iter().find(|(o, _)| *o == baseline).expect("baselines come first");
            let ratio = least_ratio(&name, committed, *of_baseline, &mut count)?;
            ratios.insert(name, ratio);
        }
    }
    measure_logs(committed, &mut ratios)?;
    Ok(ratios)
}

/// Counts an operation's instructions repeatedly, at most `RUNS` times, until the ratio is at most `ALLOWED` times the
/// committed ratio. Prints and returns the least ratio. Without a committed ratio, counts `RUNS` times.
fn least_ratio(
    name: &str,
    committed: &Ratios,
    baseline: u64,
    count: &mut dyn FnMut() -> Result<u64, String>,
) -> Result<f64, String> {
    let limit = committed.get(name).map_or(0.0, |before| before * ALLOWED);
    let ratio = |count: u64| count as f64 / baseline as f64;
    let mut least = count()?;
    for _ in 1..RUNS {
        if ratio(least) <= limit {
            break;
        }
        least = least.min(count()?);
    }
    println!("{name:<28} {:.5}  ({least} / {baseline})", ratio(least));
    Ok(ratio(least))
}

/// Measures whole runs of pgq on logs ([`logs::RUNS`]). The baseline is PostgreSQL's parser, run on every statement of
/// the log.
fn measure_logs(committed: &Ratios, ratios: &mut Ratios) -> Result<(), String> {
    let [_, (_, statements), _] = workload::statements();
    let baseline = instructions(&statements.join(SEPARATOR), Operation::ParseBaseline)? * logs::ROUNDS as u64;
    for run in logs::RUNS {
        let name = format!("logs {}", run.name);
        let problem = |problem: String| format!("{name}: {problem}");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let arguments = run.arguments(&statements, folder).map_err(|error| problem(error.to_string()))?;
        let mut command = valgrind();
        command.arg(env!("CARGO_BIN_EXE_pgq")).args(arguments);
        let mut count = || collected(&mut command, "").map_err(problem);
        let ratio = least_ratio(&name, committed, baseline, &mut count)?;
        ratios.insert(name, ratio);
    }
    Ok(())
}

/// Counts the instructions of an operation with valgrind.
fn instructions(texts: &str, operation: Operation) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|problem| problem.to_string())?;
    let mut command = valgrind();
    command.arg("--toggle-collect=*run_counted*").arg(program).args(["--count", operation.name()]);
    collected(&mut command, texts)
}

/// Returns a valgrind command, to which the caller appends the program and its arguments.
fn valgrind() -> Command {
    let mut command = Command::new("valgrind");
    command.args(VALGRIND).env("GLIBC_TUNABLES", GLIBC_TUNABLES);
    command
}

/// Returns the number of instructions that valgrind counts in a program.
fn collected(command: &mut Command, stdin: &str) -> Result<u64, String> {
    let mut run = || -> std::io::Result<Output> {
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        child.stdin.take().expect("a pipe").write_all(stdin.as_bytes())?;
        child.wait_with_output()
    };
    let output = run().map_err(|problem| format!("valgrind: {problem}"))?;
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
        writeln!(text, "{name} {ratio:.5}").expect("writing to a string");
    }
    std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(COMMITTED), text).map_err(|problem| problem.to_string())
}

/// Fails if a measured ratio exceeds the committed ratio by too much, or if either ratio is missing.
fn check(measured: &Ratios, committed: &Ratios) -> Result<(), String> {
    let mut failed = String::new();
    for (name, ratio) in measured {
        match committed.get(name) {
            None => writeln!(failed, "{name}: not in {COMMITTED}"),
            Some(before) if *ratio > before * ALLOWED => {
                writeln!(failed, "{name}: {ratio:.5} times its baseline, {before:.5} before")
            }
            Some(_) => Ok(()),
        }
        .expect("writing to a string");
    }
    for name in committed.keys().filter(|name| !measured.contains_key(*name)) {
        writeln!(failed, "{name}: in {COMMITTED}, but not measured").expect("writing to a string");
    }
    if failed.is_empty() {
        println!("{} ratios, none more than 3 % above {COMMITTED}", measured.len());
        return Ok(());
    }
    Err(format!("{failed}to rewrite {COMMITTED}: cargo xtask regenerate instructions"))
}

/// Reads the committed ratios.
fn committed() -> Result<Ratios, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(COMMITTED);
    let text = std::fs::read_to_string(path).map_err(|problem| format!("{COMMITTED}: {problem}"))?;
    let entry = |line: &str| {
        let (name, ratio) = line.rsplit_once(' ')?;
        Some((name.to_string(), ratio.parse().ok()?))
    };
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| entry(line).ok_or_else(|| format!("{COMMITTED}: {line:?}")))
        .collect()
}
