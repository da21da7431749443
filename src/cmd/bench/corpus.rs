//! Reads the statements to measure from scripts, logs and tables.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Result;
use pgq::{ParseOptions, Tree};

use crate::run::input::{Data, EscapeStrings, InputOptions, StatementBatch};
use crate::run::report::Diagnostics;
use crate::run::statements::{ChunkReport, Job, LogReports, run_jobs};

/// The statements to measure.
#[derive(Default)]
pub struct Corpus {
    /// Number of inputs: the named files and folders, or 1 for standard input.
    pub inputs: usize,
    pub statements: Vec<String>,
    /// Total bytes of `statements`.
    pub bytes: usize,
    /// Number of skipped statements for each reason.
    pub skipped: Vec<(&'static str, usize)>,
}

/// Reads all inputs, including the scripts and logs in folders. The run will replace the file `output`, so this file
/// must not be an input.
///
/// # Errors
/// An input cannot be read, `output` is an input, or no statement parses.
pub fn read(paths: &[PathBuf], output: Option<&Path>, diagnostics: &Diagnostics) -> Result<Corpus> {
    let outputs = output.into_iter().map(Path::to_path_buf).collect();
    let input = InputOptions::of_files(paths.to_vec(), outputs);
    let collector = std::iter::once(StatementCollector::default());
    let mut collectors = run_jobs(input, collector, &mut (), LogReports::default(), diagnostics)?.jobs;
    let StatementCollector { statements, skipped } = collectors.pop().unwrap_or_default();
    let parses = |sql: &String| Tree::parse(sql, &ParseOptions::normalized()).is_ok();
    anyhow::ensure!(statements.iter().any(parses), "there is no statement that parses: nothing to measure");
    let bytes = statements.iter().map(String::len).sum();
    Ok(Corpus { inputs: paths.len().max(1), statements, bytes, skipped: skipped.into_iter().collect() })
}

#[derive(Default)]
struct StatementCollector {
    statements: Vec<String>,
    skipped: BTreeMap<&'static str, usize>,
}

impl StatementCollector {
    fn add(&mut self, batch: &StatementBatch<'_>) {
        for index in 0..batch.len() {
            let reason = match pgq::check_utf8(batch.single(index, false).bytes) {
                Err(_) => "not UTF-8",
                Ok(_) if batch.log.is_some_and(|entry| entry.is_truncated()) => "cut off by the log",
                Ok(text) => {
                    self.statements.push(text.strip_suffix(';').unwrap_or(text).trim_end().to_string());
                    continue;
                }
            };
            *self.skipped.entry(reason).or_default() += 1;
        }
    }
}

impl Job for StatementCollector {
    type Output = ();

    fn work(&mut self, file: &str, data: &Data, _: &mut ChunkReport) {
        let _ = data.try_for_each_batch(file, EscapeStrings::AsWritten, |batch| {
            self.add(batch);
            ControlFlow::Continue(())
        });
    }
}
