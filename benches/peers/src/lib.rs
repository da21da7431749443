//! A parser as a program that does its work when told: what the programs in `bin` share.
//!
//! Its argument is a file of statements with a NUL behind each. First it says which of them
//! it can parse, as a line of 0 and 1; then it reads which of them to use; then, for each line
//! that names a function, it answers with the nanoseconds that a round over them took, or `-`.

use std::io::{BufRead, Write};
use std::time::Instant;

/// A piece of work on a statement, prepared: called once a round.
pub type Work = Box<dyn Fn()>;

/// What prepares the work of a function on a statement.
pub type Function = (&'static str, fn(&'static str) -> Work);

/// A function that starts from the text.
#[macro_export]
macro_rules! from_text {
    ($f:expr) => {
        |sql| Box::new(move || drop(std::hint::black_box($f(sql))))
    };
}

/// Serves until standard input ends.
pub fn serve(parses: fn(&str) -> bool, functions: &[Function]) -> std::io::Result<()> {
    let file = std::env::args().nth(1).expect("a file of statements");
    let text: &'static str = String::leak(std::fs::read_to_string(file)?);
    let statements: Vec<&'static str> = text.split_terminator('\0').collect();
    let mut lines = std::io::stdin().lock().lines();
    let mut out = std::io::stdout();
    let parsed: String = statements.iter().map(|sql| if parses(sql) { '1' } else { '0' }).collect();
    writeln!(out, "{parsed}")?;
    let wanted = lines.next().expect("which statements to use")?;
    let wanted = || statements.iter().zip(wanted.bytes()).filter(|(_, wanted)| *wanted == b'1').map(|(sql, _)| *sql);
    // All is prepared before anything is timed.
    let prepared: Vec<(&str, Vec<Work>)> =
        functions.iter().map(|(name, prepare)| (*name, wanted().map(prepare).collect())).collect();
    for line in lines {
        let line = line?;
        match prepared.iter().find(|(name, _)| *name == line) {
            None => writeln!(out, "-")?,
            Some((_, work)) => {
                let start = Instant::now();
                work.iter().for_each(|work| work());
                writeln!(out, "{}", start.elapsed().as_nanos())?;
            }
        }
    }
    Ok(())
}
