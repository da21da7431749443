//! The statements to measure: those of all *.sql files below the named folders, split like any
//! script.

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Result;
use pgq_log::is_script_name;

use crate::run::input::{Data, InputOptions, StatementBatch, files_below};
use crate::run::report::Diagnostics;
use crate::run::statements::{ChunkReport, Job, LogReports, run_jobs};

/// The statements to measure.
#[derive(Default)]
pub struct Corpus {
    pub files: usize,
    pub statements: Vec<String>,
    /// Bytes of `statements`.
    pub bytes: usize,
    /// Reasons for which statements were left out, with their numbers.
    pub skipped: Vec<(String, usize)>,
}

/// Reads and splits all files in `paths` and below.
///
/// # Errors
/// A folder that cannot be read, or no statement at all.
pub fn read(paths: &[PathBuf], diagnostics: &Diagnostics) -> Result<Corpus> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => files.extend(files_below(path, |_, name| is_script_name(name))?.files),
            false => files.push(path.clone()),
        }
    }
    anyhow::ensure!(paths.is_empty() || !files.is_empty(), "no *.sql file in the folders named");
    let mut corpus = Corpus { files: files.len().max(1), ..Corpus::default() };
    let workers = std::iter::once(StatementCollector::default());
    let input = InputOptions::scripts(files);
    for collector in run_jobs(input, workers, &mut (), LogReports::default(), diagnostics)?.jobs {
        corpus.bytes = collector.statements.iter().map(String::len).sum();
        corpus.statements = collector.statements;
        if collector.not_utf8 > 0 {
            corpus.skipped.push(("not UTF-8".into(), collector.not_utf8));
        }
    }
    anyhow::ensure!(!corpus.statements.is_empty(), "no statement that parses: nothing to measure");
    Ok(corpus)
}

/// Collects the statements of scripts.
#[derive(Default)]
struct StatementCollector {
    statements: Vec<String>,
    not_utf8: usize,
}

impl StatementCollector {
    fn add(&mut self, batch: &StatementBatch<'_>) {
        for index in 0..batch.len() {
            match pgq::check_utf8(batch.single(index, false).bytes) {
                Err(_) => self.not_utf8 += 1,
                Ok(text) => self.statements.push(text.strip_suffix(';').unwrap_or(text).trim_end().to_string()),
            }
        }
    }
}

impl Job for StatementCollector {
    type Output = ();

    fn work(&mut self, file: &str, data: &Data, _: &mut ChunkReport) {
        let _ = data.try_for_each_batch(file, |batch| {
            self.add(batch);
            ControlFlow::Continue(())
        });
    }
}
