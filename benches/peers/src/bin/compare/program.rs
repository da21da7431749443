//! Starts a parser's program, and queries and measures it over pipes. lib.rs documents the protocol.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The answers to a statement, by function.
pub type Answers = BTreeMap<String, String>;

pub struct Program {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    pub functions: Vec<String>,
    /// The PostgreSQL version of the parser, such as 180006.
    pub postgresql: Option<u64>,
}

impl Program {
    /// Starts the program of `command` with a file of statements.
    pub fn start(command: &[String], statements: &Path) -> Result<Self> {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .arg(statements)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| command.join(" "))?;
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().context("no pipe")?);
        let mut program = Self { child, to, from, functions: Vec::new(), postgresql: None };
        let hello: Value = serde_json::from_str(&program.line()?)?;
        program.postgresql = hello["postgresql"].as_u64();
        program.functions = serde_json::from_value(hello["functions"].clone())?;
        Ok(program)
    }

    /// Returns the functions' answers to a statement.
    pub fn answers(&mut self, statement: usize) -> Result<Answers> {
        self.ask(&format!("answer {statement}"))
    }

    /// Prepares rounds of a function. A round calls the function with each statement whose element in `chosen` is true.
    pub fn prepare(&mut self, function: &str, chosen: &[bool]) -> Result<()> {
        let prepared: usize = self.ask(&format!("prepare {function} {}", bits(chosen)))?;
        let expected = chosen.iter().filter(|chosen| **chosen).count();
        if prepared != expected {
            bail!("{prepared} statements are prepared, and not {expected}");
        }
        Ok(())
    }

    /// Runs a round and returns its CPU time in nanoseconds.
    pub fn round(&mut self) -> Result<u64> {
        self.ask("round")
    }

    /// Sends a line and returns the value of the answer.
    pub fn ask<T: DeserializeOwned>(&mut self, request: &str) -> Result<T> {
        writeln!(self.to.as_mut().context("the program has ended")?, "{request}")?;
        Ok(serde_json::from_str(&self.line()?)?)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.from.read_line(&mut line)? == 0 {
            bail!("the program ended");
        }
        Ok(line.trim_end().to_string())
    }
}

/// Encodes the choice of statements for a program.
pub fn bits(chosen: &[bool]) -> String {
    chosen.iter().map(|chosen| if *chosen { '1' } else { '0' }).collect()
}

impl Drop for Program {
    fn drop(&mut self) {
        self.to = None; // the program exits when its input ends
        let _ = self.child.wait();
    }
}
