//! The statements to measure: every *.sql below the named folders, split like any script.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cli::{From, LogArgs};
use crate::cmd::printer::Quiet;
use crate::input::{Input, Piece, Wish};
use crate::output::Messages;
use crate::pipeline::{self, Told, Work, Worker};

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
    let input = Input::new(&Wish::new(&files, Some(From::Sql), &LogArgs::default()))?;
    for texts in pipeline::run(input, vec![Texts::default()], &mut Quiet::new(false, messages))? {
        corpus.bytes = texts.texts.iter().map(String::len).sum();
        corpus.statements = texts.texts;
        if texts.not_utf8 > 0 {
            corpus.skipped.push(("not UTF-8".into(), texts.not_utf8));
        }
    }
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

/// Gathers the statements of scripts.
#[derive(Clone, Default)]
struct Texts {
    texts: Vec<String>,
    not_utf8: usize,
}

impl Worker for Texts {
    type Made = ();

    fn work(&mut self, file: &str, work: &Work, _: &mut Told) {
        let Work::Statements(s) = work else { unreachable!("scripts were asked for") };
        let piece = Piece::of_script(file, &s.bytes, s.start, &s.ranges);
        for index in 0..piece.len() {
            match pgq::check_utf8(piece.alone(index, false).bytes) {
                Err(_) => self.not_utf8 += 1,
                Ok(text) => self.texts.push(text.strip_suffix(';').unwrap_or(text).trim_end().to_string()),
            }
        }
    }

    fn weight((): &()) -> usize {
        0
    }
}
