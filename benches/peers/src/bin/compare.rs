//! Compares parsers: `compare PARSER... -- FILE.sql...`, where a parser is a program beside this one. On
//! each file, the parsers take turns with rounds of a function; printed are the best round of each and
//! its ratio to PostgreSQL's parser alone (the `baseline` of pgq). A statement that one of them cannot
//! parse is left out for all.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// PostgreSQL's parser alone.
const BASELINE: &str = "baseline";

const FUNCTIONS: [&str; 12] = [
    BASELINE,
    "parse",
    "walk",
    "rewrite",
    "by text",
    "by shape",
    "respelled",
    "fingerprint",
    "normalize",
    "log",
    "scan",
    "deparse",
];

/// Rounds of each function on each file.
const ROUNDS: usize = 200;

struct Parser {
    name: String,
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// Which statements it can parse, as 0 and 1.
    parses: Vec<u8>,
}

impl Parser {
    fn start(name: &str, statements: &Path) -> Result<Self, Box<dyn Error>> {
        let program = std::env::current_exe()?.with_file_name(name);
        let mut child = Command::new(program).arg(statements).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let to = child.stdin.take().ok_or("no pipe")?;
        let from = BufReader::new(child.stdout.take().ok_or("no pipe")?);
        let mut parser = Self { name: name.to_string(), child, to, from, parses: Vec::new() };
        parser.parses = parser.answer()?.into_bytes();
        Ok(parser)
    }

    fn answer(&mut self) -> Result<String, Box<dyn Error>> {
        let mut line = String::new();
        if self.from.read_line(&mut line)? == 0 {
            return Err(format!("{} ended", self.name).into());
        }
        Ok(line.trim_end().to_string())
    }

    /// Nanoseconds of a round, or `None` where the parser has no such function.
    fn round(&mut self, function: &str) -> Result<Option<u64>, Box<dyn Error>> {
        writeln!(self.to, "{function}")?;
        Ok(self.answer()?.parse().ok())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (names, files) = args.split_at(args.iter().position(|arg| arg == "--").ok_or("PARSER... -- FILE...")?);
    for file in &files[1..] {
        compare(names, Path::new(file))?;
    }
    Ok(())
}

fn compare(names: &[String], file: &Path) -> Result<(), Box<dyn Error>> {
    let mut statements = pgq_corpus::statements(file);
    statements.retain(|sql| !sql.contains('\0'));
    let mut list = tempfile::NamedTempFile::new()?;
    statements.iter().try_for_each(|sql| write!(list, "{sql}\0"))?;
    let started: Result<Vec<Parser>, _> = names.iter().map(|name| Parser::start(name, list.path())).collect();
    let mut parsers = started?;
    let used: Vec<bool> = (0..statements.len()).map(|i| parsers.iter().all(|p| p.parses[i] == b'1')).collect();
    let count = used.iter().filter(|used| **used).count();
    println!("\n{}: {count} of {} statements", file.display(), statements.len());
    for parser in &mut parsers {
        let parses = parser.parses.iter().filter(|parses| **parses == b'1').count();
        println!("  {} parses {parses}", parser.name);
        let chosen: String = used.iter().map(|used| if *used { '1' } else { '0' }).collect();
        writeln!(parser.to, "{chosen}")?;
    }
    if count > 0 {
        print(&mut parsers, count)?;
    }
    for Parser { mut child, to, .. } in parsers {
        drop(to); // a parser ends with its input
        child.wait()?;
    }
    Ok(())
}

/// Runs the rounds of every function, and prints the best ones.
fn print(parsers: &mut [Parser], count: usize) -> Result<(), Box<dyn Error>> {
    let mut baseline = None;
    for function in FUNCTIONS {
        let mut best: Vec<Option<u64>> = vec![None; parsers.len()];
        for round in 0..ROUNDS {
            for turn in 0..parsers.len() {
                let index = (turn + round) % parsers.len();
                if let Some(time) = parsers[index].round(function)? {
                    best[index] = Some(best[index].map_or(time, |best| best.min(time)));
                }
            }
        }
        for (parser, best) in parsers.iter().zip(best) {
            let Some(best) = best else { continue };
            if function == BASELINE {
                baseline = Some(best);
            }
            let us = best as f64 / 1e3 / count as f64;
            let ratio = baseline.map_or(String::new(), |baseline| format!("{:6.2}x", best as f64 / baseline as f64));
            println!("  {function:<12} {:<13} {us:9.3} us/query {ratio}", parser.name);
        }
    }
    Ok(())
}
