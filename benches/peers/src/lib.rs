//! The protocol of the parsers' programs, and its implementation for programs in Rust. `compare` runs the programs over
//! pipes.
//!
//! The argument of a program is a file of NUL-terminated statements. The program first writes one line: a JSON object
//! with the names of its `functions` and, if known, the PostgreSQL version of the parser as `postgresql`. Then it
//! answers each input line with one line:
//!
//! - `answer N`: a JSON object with the answers to statement N (from 0), as strings by function. A function that
//!   rejects the statement has no answer.
//! - `prepare FUNCTION BITS`: the number of statements in the next rounds. These are the statements with a 1 in BITS.
//!   Before it answers, the program prepares the function's inputs, such as the trees for `deparse`. This is not
//!   measured.
//! - `round`: calls the function once with each of these statements. The answer is the total CPU time of all threads of
//!   the program, in nanoseconds.
//! - `each`: the elapsed time of the call with each of these statements, as an array of nanoseconds.
//! - `memory FUNCTION BITS`: an array of two sums over these statements: the bytes that the results occupy, and the
//!   maximum bytes during the calls. Only programs in Rust with the feature `memory` support this request.

#[cfg(feature = "memory")]
mod memory;
#[cfg(feature = "pgq")]
pub mod sql_ast_benchmark;

use std::any::Any;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use nix::time::{ClockId, clock_gettime};

// All programs in Rust use the allocator of pgq.
#[cfg(not(feature = "memory"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A call of a function with one statement. Each round repeats it.
pub type Call = Box<dyn Fn()>;

/// A function of a parser.
pub struct Function {
    name: &'static str,
    prepare: Box<dyn Fn(&'static str) -> Call>,
    answer: Box<dyn Fn(&'static str) -> Option<String>>,
    /// Returns the result of a call.
    #[cfg_attr(not(feature = "memory"), expect(dead_code))]
    keep: Box<dyn Fn(&'static str) -> Box<dyn Any>>,
}

impl Function {
    /// Creates a function that takes a statement. `answer` converts its result for the comparison with other parsers.
    pub fn new<T: 'static, E>(
        name: &'static str,
        call: impl Fn(&'static str) -> Result<T, E> + Copy + 'static,
        answer: impl Fn(T) -> String + 'static,
    ) -> Self {
        Self::of_prepared(name, |sql| Ok::<_, E>(sql), move |sql: &&'static str| call(sql), answer)
    }

    /// Creates a function that takes a value prepared from a statement, such as a tree. The preparation is not
    /// measured.
    pub fn of_prepared<P: 'static, F, T: 'static, E>(
        name: &'static str,
        prepare: impl Fn(&'static str) -> Result<P, F> + Copy + 'static,
        call: impl Fn(&P) -> Result<T, E> + Copy + 'static,
        answer: impl Fn(T) -> String + 'static,
    ) -> Self {
        Self {
            name,
            prepare: Box::new(move |sql| {
                let Ok(prepared) = prepare(sql) else { panic!("it was prepared before: {sql}") };
                Box::new(move || drop(black_box(call(&prepared))))
            }),
            answer: Box::new(move |sql| call(&prepare(sql).ok()?).ok().map(&answer)),
            keep: Box::new(move |sql| Box::new(prepare(sql).ok().and_then(|prepared| call(&prepared).ok()))),
        }
    }

    /// Creates a benchmarked function whose answers are not compared. `prepare` takes a statement and returns the
    /// [`Call`] to measure.
    pub fn of_calls(name: &'static str, prepare: impl Fn(&'static str) -> Call + 'static) -> Self {
        Self { name, prepare: Box::new(prepare), answer: Box::new(|_| None), keep: Box::new(|_| Box::new(())) }
    }
}

/// Serves the protocol for a parser until standard input ends.
pub fn serve(postgresql: Option<i32>, functions: &[Function]) -> std::io::Result<()> {
    let file = std::env::args().nth(1).expect("a file of statements");
    let text: &'static str = String::leak(std::fs::read_to_string(file)?);
    let statements: Vec<&'static str> = text.split_terminator('\0').collect();
    let names: Vec<&str> = functions.iter().map(|function| function.name).collect();
    let mut out = std::io::stdout();
    writeln!(out, "{}", serde_json::json!({ "postgresql": postgresql, "functions": names }))?;
    let mut calls = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split(' ');
        match (words.next(), words.next(), words.next()) {
            (Some("answer"), Some(number), None) => {
                let number: usize = number.parse().expect("the number of a statement");
                writeln!(out, "{}", serde_json::json!(answers(functions, statements[number])))?;
            }
            (Some("prepare"), Some(name), Some(bits)) => {
                let (function, chosen) = chosen(functions, &statements, name, bits);
                calls = chosen.into_iter().map(|sql| (function.prepare)(sql)).collect::<Vec<Call>>();
                writeln!(out, "{}", calls.len())?;
            }
            #[cfg(feature = "memory")]
            (Some("memory"), Some(name), Some(bits)) => {
                let (function, chosen) = chosen(functions, &statements, name, bits);
                writeln!(out, "{:?}", memory::measure(chosen.into_iter().map(|sql| || (function.keep)(sql))))?;
            }
            (Some("each"), None, None) => {
                let time = |call: &dyn Fn()| {
                    let start = Instant::now();
                    call();
                    start.elapsed().as_nanos()
                };
                // Subtract the time of reading the clock, which is the time of an empty call.
                let clock = (0..100).map(|_| time(&|| ())).min().unwrap_or_default();
                let times: Vec<u128> = calls.iter().map(|call| time(call).saturating_sub(clock)).collect();
                writeln!(out, "{times:?}")?;
            }
            (Some("round"), None, None) => {
                let start = cpu_time()?;
                calls.iter().for_each(|call| call());
                writeln!(out, "{}", cpu_time()? - start)?;
            }
            _ => panic!("not a command: {line}"),
        }
    }
    Ok(())
}

/// Returns the function of this name and the statements with a 1 in `bits`.
fn chosen<'f>(
    functions: &'f [Function],
    statements: &[&'static str],
    name: &str,
    bits: &str,
) -> (&'f Function, Vec<&'static str>) {
    let function = functions.iter().find(|function| function.name == name).expect("a function");
    let chosen = statements.iter().zip(bits.bytes()).filter(|(_, bit)| *bit == b'1');
    (function, chosen.map(|(sql, _)| *sql).collect())
}

/// Returns each function's answer to a statement. A panic is treated as a rejection.
fn answers(functions: &[Function], sql: &'static str) -> BTreeMap<&'static str, String> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let answer = |function: &Function| catch_unwind(AssertUnwindSafe(|| (function.answer)(sql))).ok().flatten();
    let answers = functions.iter().filter_map(|function| Some((function.name, answer(function)?))).collect();
    std::panic::set_hook(hook);
    answers
}

/// Returns the CPU time of this process, in nanoseconds.
fn cpu_time() -> std::io::Result<u64> {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)?;
    Ok(time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64)
}
