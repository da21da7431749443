//! Runs the parsers side by side: `compare PARSER... -- FILE.sql...`, where a parser is one of
//! the programs beside this one. For each file, the parsers do a round of a function in turn,
//! many times; the best round of each is printed, and its ratio to PostgreSQL's parser alone
//! (pgq's `floor`). Statements that one of them cannot parse are left out for all.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use pgq::script::{ScriptPart, copy_data_end, next_part};

const FUNCTIONS: [&str; 7] = ["floor", "parse", "fingerprint", "normalize", "log", "scan", "deparse"];

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
    let text = std::fs::read_to_string(file)?;
    let statements = statements(&text);
    let list = std::env::temp_dir().join(format!("pgq-peers-{}", std::process::id()));
    std::fs::write(&list, statements.iter().flat_map(|sql| [*sql, "\0"]).collect::<String>())?;
    let started: Result<Vec<Parser>, _> = names.iter().map(|name| Parser::start(name, &list)).collect();
    std::fs::remove_file(&list)?;
    let mut parsers = started?;
    let used: Vec<bool> = (0..statements.len()).map(|i| parsers.iter().all(|p| p.parses[i] == b'1')).collect();
    let count = used.iter().filter(|used| **used).count();
    println!("\n{}: {count} of {} statements", file.display(), statements.len());
    for parser in &mut parsers {
        let parses = parser.parses.iter().filter(|parses| **parses == b'1').count();
        println!("  {} parses {parses}", parser.name);
        let wanted: String = used.iter().map(|used| if *used { '1' } else { '0' }).collect();
        writeln!(parser.to, "{wanted}")?;
    }
    if count > 0 {
        print(&mut parsers, count)?;
    }
    for Parser { mut child, to, .. } in parsers {
        drop(to); // its input ends, and so does it
        child.wait()?;
    }
    Ok(())
}

/// The statements of a script, without meta-commands and COPY data.
fn statements(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(part) = next_part(text.as_bytes(), at, true) {
        at = part.end();
        if let ScriptPart::Statement { range, meta_commands, copy_from_stdin, .. } = part {
            if meta_commands.is_empty() && !text[range.clone()].contains('\0') {
                found.push(text[range].trim_end_matches(';').trim());
            }
            if copy_from_stdin {
                at = copy_data_end(text.as_bytes(), at).unwrap_or(at);
            }
        }
    }
    found
}

fn print(parsers: &mut [Parser], count: usize) -> Result<(), Box<dyn Error>> {
    let mut floor = None;
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
            if function == "floor" {
                floor = Some(best);
            }
            let us = best as f64 / 1e3 / count as f64;
            let ratio = floor.map(|floor| format!("{:6.2}x floor", best as f64 / floor as f64)).unwrap_or_default();
            println!("  {function:<12} {:<13} {us:9.3} us/query {ratio}", parser.name);
        }
    }
    Ok(())
}
