//! Sorts the steps of a plan by start in bounded memory. Sorted parts go to temporary files, which are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Seek, Write};

use anyhow::{Context, Result};

use super::step::Step;

/// Maximum bytes sorted in memory.
const MEMORY: usize = 64 << 20;
/// Maximum number of open parts.
const MAX_PARTS: usize = 256;

/// Sort key of a step: start and sequence number.
type Key = (i64, u64);

/// Accepts steps in any order.
pub struct Sorter {
    memory: usize,
    bytes: Vec<u8>,
    /// The key and the offset of each step in `bytes`.
    steps: Vec<(Key, usize)>,
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
        Self { memory, bytes: Vec::new(), steps: Vec::new(), parts: Vec::new() }
    }

    /// Adds a step.
    ///
    /// # Errors
    /// A temporary file cannot be written.
    pub fn add(&mut self, step: &Step) -> Result<()> {
        self.steps.push(((step.start, step.sequence), self.bytes.len()));
        step.write(&mut self.bytes);
        if self.bytes.len() + self.steps.len() * size_of::<(Key, usize)>() >= self.memory {
            self.write_part()?;
        }
        Ok(())
    }

    fn write_part(&mut self) -> Result<()> {
        self.steps.sort_unstable();
        let mut writer = PartWriter::new()?;
        for (_, at) in &self.steps {
            let line = self.bytes[*at..].split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
            writer.write_all(line)?;
        }
        self.parts.push(writer.finish()?);
        self.bytes.clear();
        self.steps.clear();
        if self.parts.len() == MAX_PARTS {
            let mut merged = Sorted::new(std::mem::take(&mut self.parts))?;
            let (mut writer, mut bytes) = (PartWriter::new()?, Vec::new());
            while let Some(step) = merged.next()? {
                bytes.clear();
                step.write(&mut bytes);
                writer.write_all(&bytes)?;
            }
            self.parts.push(writer.finish()?);
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
struct PartWriter(zstd::Encoder<'static, BufWriter<File>>);

impl PartWriter {
    fn new() -> Result<Self> {
        let file = tempfile::tempfile().context("could not make a temporary file")?;
        Ok(Self(zstd::Encoder::new(BufWriter::new(file), 1)?))
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.write_all(bytes).context("could not write a temporary file")
    }

    fn finish(self) -> Result<File> {
        let file = self.0.finish()?.into_inner().map_err(std::io::IntoInnerError::into_error);
        let mut file = file.context("could not write a temporary file")?;
        file.rewind()?;
        Ok(file)
    }
}

/// Iterates over sorted steps.
pub struct Sorted {
    parts: Vec<StepReader>,
    /// The next step of each part.
    heads: Vec<Option<Step>>,
    order: BinaryHeap<Reverse<(Key, usize)>>,
}

impl Sorted {
    fn new(parts: Vec<File>) -> Result<Self> {
        let parts: Vec<_> = parts.into_iter().map(StepReader::new).collect::<Result<_>>()?;
        let mut sorted = Self { heads: vec![None; parts.len()], parts, order: BinaryHeap::new() };
        (0..sorted.parts.len()).try_for_each(|number| sorted.advance(number).map(drop))?;
        Ok(sorted)
    }

    /// Reads the next step of a part. Returns the previous one.
    fn advance(&mut self, number: usize) -> Result<Option<Step>> {
        let next = self.parts[number].next::<Step>()?;
        self.order.extend(next.iter().map(|step| Reverse(((step.start, step.sequence), number))));
        Ok(std::mem::replace(&mut self.heads[number], next))
    }

    /// Returns the next step.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub fn next(&mut self) -> Result<Option<Step>> {
        let Some(Reverse((_, number))) = self.order.pop() else { return Ok(None) };
        self.advance(number)
    }
}

/// Reads compressed lines of JSON.
pub struct StepReader {
    source: BufReader<zstd::Decoder<'static, BufReader<File>>>,
    line: Vec<u8>,
}

impl StepReader {
    /// Reads `file` from its current position.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn new(file: File) -> Result<Self> {
        Ok(Self { source: BufReader::new(zstd::Decoder::new(file)?), line: Vec::new() })
    }

    /// Returns the value of the next line. This is a step, except for the head of a plan file.
    ///
    /// # Errors
    /// The file cannot be read or is damaged.
    pub fn next<T: serde::de::DeserializeOwned>(&mut self) -> Result<Option<T>> {
        self.line.clear();
        if self.source.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        serde_json::from_slice(&self.line).map(Some).context("is damaged")
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::step;
    use super::*;

    #[test]
    fn steps_come_in_order_whatever_memory_there_is() {
        for memory in [1, 1000, 1 << 20] {
            let mut sorter = Sorter::new(memory);
            let mut expected = Vec::new();
            for number in 0..500_u64 {
                let step = step((number * 7919 % 100) as i64, number);
                sorter.add(&step).unwrap();
                expected.push(step);
            }
            expected.sort_by_key(|step| (step.start, step.sequence));
            let mut sorted = sorter.finish().unwrap();
            let found: Vec<_> = std::iter::from_fn(|| sorted.next().unwrap()).collect();
            assert_eq!(found, expected, "{memory}");
        }
    }
}
