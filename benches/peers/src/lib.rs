//! The protocol of the parsers in `bin`, which `compare` drives over pipes.
//!
//! The argument of a parser is a file of statements that end in NUL. The parser writes a line of 0
//! and 1: which of them it can parse. It reads such a line: which of them to use. Then, for each line
//! with the name of a function, it writes the nanoseconds of a round over these statements, or `-`.

use std::io::{BufRead, Write};
use std::time::Instant;

/// A prepared call of a function with a statement, which each round repeats.
pub type Call = Box<dyn Fn()>;

/// The name of a function, and what prepares its call with a statement.
pub type Function = (&'static str, fn(&'static str) -> Call);

/// A function of a text, which needs no preparation.
#[macro_export]
macro_rules! from_text {
    ($f:expr) => {
        |sql| Box::new(move || drop(std::hint::black_box($f(sql))))
    };
}

/// Runs a parser until standard input ends.
pub fn serve(parses: fn(&str) -> bool, functions: &[Function]) -> std::io::Result<()> {
    let file = std::env::args().nth(1).expect("a file of statements");
    let text: &'static str = String::leak(std::fs::read_to_string(file)?);
    let statements: Vec<&'static str> = text.split_terminator('\0').collect();
    let mut lines = std::io::stdin().lock().lines();
    let mut out = std::io::stdout();
    let parsed: String = statements.iter().map(|sql| if parses(sql) { '1' } else { '0' }).collect();
    writeln!(out, "{parsed}")?;
    let chosen = lines.next().expect("which statements to use")?;
    let chosen = || statements.iter().zip(chosen.bytes()).filter(|(_, chosen)| *chosen == b'1').map(|(sql, _)| *sql);
    // Everything is prepared before the first round.
    let prepared: Vec<(&str, Vec<Call>)> =
        functions.iter().map(|(name, prepare)| (*name, chosen().map(prepare).collect())).collect();
    for line in lines {
        let line = line?;
        match prepared.iter().find(|(name, _)| *name == line) {
            None => writeln!(out, "-")?,
            Some((_, calls)) => {
                let start = Instant::now();
                calls.iter().for_each(|call| call());
                writeln!(out, "{}", start.elapsed().as_nanos())?;
            }
        }
    }
    Ok(())
}
