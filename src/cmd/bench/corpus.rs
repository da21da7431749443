//! The statements to measure: every *.sql below the named folders, split like any script.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::{From, InputArgs};
use crate::input::{Flow, Piece, Sink, for_each_piece};
use crate::output::Messages;

/// What is measured.
#[derive(Default)]
pub struct Corpus {
    pub files: usize,
    /// Statements that PostgreSQL's parser accepts.
    pub statements: Vec<String>,
    /// Bytes of `statements`.
    pub bytes: usize,
    /// Why statements were left out, and how many for each reason.
    pub skipped: Vec<(String, usize)>,
}

/// Reads and splits everything under `paths`.
///
/// # Errors
/// A folder that cannot be walked; no statement at all.
pub fn read(paths: &[PathBuf], messages: &Messages) -> Result<Corpus> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() { walk(path, &mut files)? } else { files.push(path.clone()) }
    }
    anyhow::ensure!(paths.is_empty() || !files.is_empty(), "no *.sql file in the folders named");
    let mut corpus = Corpus { files: files.len().max(1), ..Corpus::default() };
    let input = InputArgs { files, from: From::Sql, null: false, fail_fast: false, log: Default::default() };
    for_each_piece(&input, messages, &mut corpus)?;
    anyhow::ensure!(!corpus.statements.is_empty(), "no statement that parses: nothing to measure");
    Ok(corpus)
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    // Everything, whatever an ignore file says: a corpus is named on purpose.
    let mut walker = ignore::WalkBuilder::new(dir);
    walker.standard_filters(false).sort_by_file_path(Ord::cmp);
    for entry in walker.build() {
        let entry = entry?;
        let is_sql = entry.path().extension().is_some_and(|e| e.eq_ignore_ascii_case("sql"));
        if is_sql && entry.file_type().is_some_and(|t| t.is_file()) {
            files.push(entry.into_path());
        }
    }
    Ok(())
}

impl Corpus {
    fn skip(&mut self, reason: &str) {
        match self.skipped.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => self.skipped.push((reason.to_string(), 1)),
        }
    }
}

impl Sink for Corpus {
    fn piece(&mut self, piece: &Piece<'_>) -> Result<Flow> {
        for index in 0..piece.statements.len() {
            let alone = piece.alone(index, false);
            match pgq::check_utf8(&alone.bytes) {
                Err(_) => self.skip("not UTF-8"),
                Ok(text) => {
                    let text = text.strip_suffix(';').unwrap_or(text).trim_end();
                    self.bytes += text.len();
                    self.statements.push(text.to_string());
                }
            }
        }
        Ok(Flow::Continue)
    }

    fn idle(&mut self) -> Result<()> {
        Ok(())
    }
}
