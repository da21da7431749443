//! Builds other parsers, runs them alternately with pgq, and writes docs/benchmarks.md with its charts and the figures
//! in README.md. run.sh starts it. Each module performs one step; this file calls them in order.

mod answers;
mod bench;
mod chart;
mod child;
mod corpora;
mod function;
mod logs;
mod machine;
mod made_log;
mod measure;
mod packages;
mod page;
mod peers;
mod program;
mod readme;
mod results;
mod single;
mod spread;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Parser;

use crate::corpora::Corpus;
use crate::function::FUNCTIONS;
use crate::packages::Packages;
use crate::results::{CorpusFacts, Results};
use crate::single::Effort;

/// Compares pgq with other parsers, and writes docs/benchmarks.md and the figures in README.md
#[derive(Parser)]
#[command(name = "benches/peers/run.sh")]
struct Args {
    /// Maximum number of turns per function and repeat; a turn is two rounds, and the best round counts
    #[arg(long, default_value_t = 10)]
    turns: usize,

    /// Seconds after which a function gets no further turn in the same repeat
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,

    /// Number of repeats, each with new processes; the page shows the range of their results
    #[arg(long, default_value_t = 7)]
    repeats: usize,

    /// Maximum number of statements of a corpus
    #[arg(long, default_value_t = 2000)]
    statements: usize,

    /// Size in MB of the log that the measured commands read
    #[arg(long, default_value_t = 20)]
    log: usize,

    /// Test this program with few rounds and statements, and write the page below target/
    #[arg(long)]
    quick: bool,

    /// The folder for the page; with this option, README.md is not changed
    #[arg(long, value_name = "FOLDER")]
    docs: Option<PathBuf>,
}

impl Args {
    /// Returns the turns and repeats, the number of statements, the size of the log in bytes, and the seconds per
    /// function of `pgq bench`.
    fn effort(&self) -> (Effort, usize, usize, f64) {
        if self.quick {
            return (Effort { turns: 1, time: Duration::ZERO, repeats: 2 }, 200, 1_000_000, 0.02);
        }
        let time = Duration::from_secs_f64(self.seconds.clamp(0.0, 3600.0));
        let effort = Effort { turns: self.turns.max(1), time, repeats: self.repeats.max(1) };
        (effort, self.statements.max(1), self.log * 1_000_000, 1.0)
    }
}

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|argument| argument == child::ARGUMENT) {
        return child::run(&arguments[2..]);
    }
    compare(&Args::parse(), &arguments[1..].join(" "))?;
    Ok(ExitCode::SUCCESS)
}

fn compare(args: &Args, arguments: &str) -> Result<()> {
    let load = machine::load_at_start();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packages = Packages::read(here)?;
    let in_project = pgq_corpus::project_path("docs").canonicalize()?;
    let docs = match &args.docs {
        Some(docs) => docs.clone(),
        None if args.quick => packages.target.join("quick"),
        None => in_project.clone(),
    };
    let (effort, statements, log_bytes, seconds) = args.effort();
    let mut peers = peers::build(here, &packages)?;
    eprintln!("building the program pgq");
    let pgq = peers::cargo_program(&pgq_corpus::project_path(""), &["--bin", "pgq"])?;
    let corpora = corpora::corpora(&packages, statements)?;

    let start = Instant::now();
    let (rows, notes) = measure::measure(&mut peers, &corpora, effort)?;
    let texts: Vec<String> = corpora.iter().skip(1).flat_map(|corpus| corpus.statements.clone()).collect();
    let script = logs::script(here, peers::python(here, &packages));
    let log = logs::measure_all(&pgq, script, &mut peers, &texts, log_bytes, effort.repeats.min(3))?;
    let bench = bench::tables(&pgq, seconds, effort.repeats.min(3))?;
    let minutes = start.elapsed().as_secs_f64() / 60.0;

    let results = Results {
        machine: machine::machine(),
        load: (load, machine::load()),
        date: machine::date(),
        minutes,
        command: format!("benches/peers/run.sh {arguments}").trim_end().to_string(),
        turns: effort.turns,
        repeats: effort.repeats,
        parsers: peers.built.iter().map(parser_facts).collect(),
        left_out: peers.left_out,
        corpora: corpora.iter().map(corpus_facts).collect(),
        rows,
        notes,
        log,
        bench,
    };
    write(&results, &docs)?;
    if docs == in_project {
        let readme = in_project.with_file_name("README.md");
        std::fs::write(&readme, readme::with_figures(&std::fs::read_to_string(&readme)?, &results)?)?;
    }
    eprintln!("{} is written; the measurement took {minutes:.1} minutes", docs.join("benchmarks.md").display());
    Ok(())
}

fn parser_facts(peer: &peers::Peer) -> results::Parser {
    results::Parser { name: peer.name.to_string(), version: peer.version.clone(), about: peer.about.to_string() }
}

fn corpus_facts(corpus: &Corpus) -> CorpusFacts {
    CorpusFacts { name: corpus.name.to_string(), about: corpus.about.clone(), statements: corpus.statements.len() }
}

/// Writes the page and its charts.
fn write(results: &Results, docs: &Path) -> Result<()> {
    let charts = docs.join(page::CHARTS);
    std::fs::create_dir_all(&charts).with_context(|| charts.display().to_string())?;
    for function in &FUNCTIONS {
        for theme in &chart::THEMES {
            let svg = chart::svg(
                &results.rows_of(function.name, chart::FIRST_CORPUS),
                function.title,
                &results.corpora[chart::FIRST_CORPUS].name,
                theme,
            )?;
            std::fs::write(charts.join(format!("{}-{}.svg", function.name, theme.name)), svg)?;
        }
    }
    for theme in &chart::THEMES {
        let svg = chart::scatter(&results.rows_of("parse", chart::FIRST_CORPUS), theme)?;
        std::fs::write(charts.join(format!("accepted-{}.svg", theme.name)), svg)?;
    }
    std::fs::write(docs.join("benchmarks.md"), page::page(results))?;
    Ok(())
}
