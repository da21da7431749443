//! Sorts the statements of a replay by start time, in bounded memory. Sorted parts go to temporary files, which are
//! merged.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, Write};

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;

use super::step::Step;

/// Maximum number of temporary files. When this number is reached, all files are merged into one.
const MAX_PARTS: usize = 64;
/// Maximum length of a step in bytes. A step is one line of JSON. Its SQL and its parameters have at most 64 MB each.
const MAX_STEP: usize = 256 << 20;

/// Collects steps in any order. [`Sorter::finish`] returns them sorted. `MEMORY` is the maximum bytes sorted in memory.
#[derive(Default)]
pub struct Sorter<const MEMORY: usize = { 64 << 20 }> {
    bytes: usize,
    steps: Vec<Step>,
    parts: Vec<File>,
}

impl<const MEMORY: usize> Sorter<MEMORY> {
    /// Adds a step.
    ///
    /// # Errors
    /// A temporary file cannot be written.
    pub fn add(&mut self, step: Step) -> Result<()> {
        self.bytes += step.bytes();
        self.steps.push(step);
        if self.bytes < MEMORY { Ok(()) } else { self.write_part() }
    }

    fn write_part(&mut self) -> Result<()> {
        self.steps.sort_unstable_by_key(Step::key);
        self.bytes = 0;
        self.parts.push(write_part(self.steps.drain(..).map(Ok))?);
        if self.parts.len() == MAX_PARTS {
            let merged = merge(std::mem::take(&mut self.parts))?;
            self.parts.push(write_part(merged)?);
        }
        Ok(())
    }

    /// Returns the sorted steps.
    ///
    /// # Errors
    /// A temporary file cannot be written or read.
    pub fn finish(mut self) -> Result<impl Iterator<Item = Result<Step>>> {
        self.write_part()?;
        merge(self.parts)
    }
}

/// Writes steps to a temporary file.
fn write_part(steps: impl Iterator<Item = Result<Step>>) -> Result<File> {
    let write = || -> Result<File> {
        let mut writer = zstd::Encoder::new(BufWriter::new(tempfile::tempfile()?), 1)?;
        for step in steps {
            let mut line = Vec::new();
            step?.write(&mut line)?;
            ensure!(line.len() <= MAX_STEP, "a statement has more than 256 MB as JSON: lower --max-statement-bytes");
            writer.write_all(&line)?;
        }
        let mut file = writer.finish()?.into_inner()?;
        file.rewind()?;
        Ok(file)
    };
    let folder = std::env::temp_dir();
    let problem = || format!("could not write a temporary file to {} (TMPDIR sets the folder)", folder.display());
    write().with_context(problem)
}

/// Merges sorted parts, and iterates over their steps in order.
fn merge(parts: Vec<File>) -> Result<impl Iterator<Item = Result<Step>>> {
    let open = |part| Ok(read_steps(open_lines(part)?).peekable());
    let mut parts: Vec<_> = parts.into_iter().map(open).collect::<Result<_>>()?;
    Ok(std::iter::from_fn(move || {
        // The key of an error is `None`, the smallest key, so an error is returned first.
        let key = |step: &Result<Step>| step.as_ref().ok().map(Step::key);
        let heads = parts.iter_mut().filter_map(|part| Some((key(part.peek()?), part)));
        heads.min_by_key(|(key, _)| *key)?.1.next()
    }))
}

/// Reads a compressed file from its current position.
///
/// # Errors
/// The file cannot be read.
pub fn open_lines(file: impl Read) -> Result<impl BufRead> {
    Ok(BufReader::new(zstd::Decoder::new(file)?))
}

/// Reads a line of at most `max` bytes. Returns `None` at the end of the file.
///
/// # Errors
/// The file cannot be read, or the line is damaged.
pub fn read_line<T: DeserializeOwned>(mut lines: impl BufRead, max: usize) -> Result<Option<T>> {
    let mut line = Vec::new();
    lines.by_ref().take(max as u64).read_until(b'\n', &mut line)?;
    if line.is_empty() { Ok(None) } else { serde_json::from_slice(&line).context("is damaged").map(Some) }
}

/// Reads steps to the end of a file.
pub fn read_steps(mut lines: impl BufRead) -> impl Iterator<Item = Result<Step>> {
    std::iter::from_fn(move || read_line(&mut lines, MAX_STEP).transpose())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(start: i64, sequence: u64) -> Step {
        let step = serde_json::json!({
            "start": start, "sequence": sequence, "session": 0, "is_last": false, "is_context": false, "user": "", "database": "größe",
            "application": "", "fingerprint": u64::MAX, "error": "", "sql": "SELECT $1, '\n'", "params": ["1", null],
        });
        serde_json::from_value(step).unwrap()
    }

    fn sorts<const MEMORY: usize>() {
        let mut sorter = Sorter::<MEMORY>::default();
        let mut expected: Vec<_> = (0..500).map(|number| step((number * 7919 % 100) as i64, number)).collect();
        expected.iter().for_each(|step| sorter.add(step.clone()).unwrap());
        expected.sort_by_key(Step::key);
        let found: Vec<_> = sorter.finish().unwrap().map(Result::unwrap).collect();
        assert_eq!(found, expected, "{MEMORY}");
    }

    #[test]
    fn steps_come_in_order_whatever_memory_there_is() {
        sorts::<1>();
        sorts::<10_000>();
        sorts::<{ 1 << 20 }>();
    }
}
