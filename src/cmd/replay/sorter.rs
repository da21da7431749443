//! Sorts the steps of a plan by start in bounded memory. Sorted parts go to temporary files, which are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Seek};

use anyhow::{Context, Result};

use super::step::Step;

/// Maximum bytes sorted in memory.
const MEMORY: usize = 64 << 20;
/// Maximum number of open parts.
const MAX_PARTS: usize = 256;

/// Accepts steps in any order.
pub struct Sorter {
    memory: usize,
    bytes: usize,
    steps: Vec<Step>,
    parts: Vec<File>,
}

impl Default for Sorter {
    fn default() -> Self {
        Self::new(MEMORY)
    }
}

impl Sorter {
    /// Creates a sorter that uses about this many bytes.
    pub fn new(memory: usize) -> Self {
        Self { memory, bytes: 0, steps: Vec::new(), parts: Vec::new() }
    }

    /// Adds a step.
    ///
    /// # Errors
    /// A temporary file cannot be written.
    pub fn add(&mut self, step: Step) -> Result<()> {
        let params: usize = step.params.iter().flatten().map(String::len).sum();
        self.bytes += size_of::<Step>() + step.sql.len() + params + step.params.len() * size_of::<Option<String>>();
        self.steps.push(step);
        if self.bytes < self.memory { Ok(()) } else { self.write_part() }
    }

    fn write_part(&mut self) -> Result<()> {
        self.steps.sort_unstable_by_key(Step::key);
        self.bytes = 0;
        self.parts.push(write_part(self.steps.drain(..).map(Ok))?);
        if self.parts.len() == MAX_PARTS {
            let merged = Sorted::new(std::mem::take(&mut self.parts))?;
            self.parts.push(write_part(merged)?);
        }
        Ok(())
    }

    /// Returns the steps in order.
    ///
    /// # Errors
    /// A temporary file cannot be written or read.
    pub fn finish(mut self) -> Result<Sorted> {
        self.write_part()?;
        Sorted::new(self.parts)
    }
}

/// Writes steps to a temporary file.
fn write_part(steps: impl Iterator<Item = Result<Step>>) -> Result<File> {
    let write = || -> Result<File> {
        let mut writer = zstd::Encoder::new(BufWriter::new(tempfile::tempfile()?), 1)?;
        for step in steps {
            step?.write(&mut writer)?;
        }
        let mut file = writer.finish()?.into_inner()?;
        file.rewind()?;
        Ok(file)
    };
    write().context("could not write a temporary file")
}

/// Iterates over sorted steps.
pub struct Sorted {
    parts: Vec<Box<dyn Iterator<Item = Result<Step>>>>,
    /// The next step of each part.
    heads: Vec<Option<Step>>,
    order: BinaryHeap<Reverse<((i64, u64), usize)>>,
}

impl Sorted {
    fn new(parts: Vec<File>) -> Result<Self> {
        let mut sorted = Self { parts: Vec::new(), heads: vec![None; parts.len()], order: BinaryHeap::new() };
        for (number, part) in parts.into_iter().enumerate() {
            sorted.parts.push(Box::new(read_lines(part)?.map(|line| read_step(&line?))));
            sorted.advance(number)?;
        }
        Ok(sorted)
    }

    /// Reads the next step of a part. Returns the previous step.
    fn advance(&mut self, number: usize) -> Result<Option<Step>> {
        let next = self.parts[number].next().transpose()?;
        self.order.extend(next.iter().map(|step| Reverse((step.key(), number))));
        Ok(std::mem::replace(&mut self.heads[number], next))
    }
}

impl Iterator for Sorted {
    type Item = Result<Step>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((_, number)) = self.order.pop()?;
        self.advance(number).transpose()
    }
}

/// Reads the lines of a compressed file from its current position.
///
/// # Errors
/// The file cannot be read.
pub fn read_lines(file: File) -> Result<impl Iterator<Item = std::io::Result<Vec<u8>>>> {
    Ok(BufReader::new(zstd::Decoder::new(file)?).split(b'\n'))
}

/// Reads a step from its line.
///
/// # Errors
/// The line is damaged.
pub fn read_step(line: &[u8]) -> Result<Step> {
    serde_json::from_slice(line).context("is damaged")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(start: i64, sequence: u64) -> Step {
        let step = serde_json::json!({
            "start": start, "sequence": sequence, "session": 0, "is_last": false, "user": "", "database": "größe",
            "application": "", "fingerprint": u64::MAX, "error": "", "sql": "SELECT $1, '\n'", "params": ["1", null],
        });
        serde_json::from_value(step).unwrap()
    }

    #[test]
    fn steps_come_in_order_whatever_memory_there_is() {
        for memory in [1, 10_000, 1 << 20] {
            let mut sorter = Sorter::new(memory);
            let mut expected: Vec<_> = (0..500).map(|number| step((number * 7919 % 100) as i64, number)).collect();
            expected.iter().for_each(|step| sorter.add(step.clone()).unwrap());
            expected.sort_by_key(Step::key);
            let found: Vec<_> = sorter.finish().unwrap().map(Result::unwrap).collect();
            assert_eq!(found, expected, "{memory}");
        }
    }
}
