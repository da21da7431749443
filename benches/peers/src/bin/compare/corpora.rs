//! The statements for all parsers: PostgreSQL's regression SQL, the project's fixtures, and the test files of another
//! parser, squawk-parser.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use tempfile::NamedTempFile;
use walkdir::WalkDir;

use crate::packages::Packages;

pub struct Corpus {
    pub name: &'static str,
    /// The description of the corpus on the page.
    pub about: String,
    pub statements: Vec<String>,
    /// A file with the statements, in the format of the parsers' programs.
    pub file: NamedTempFile,
}

/// Returns all corpora. If a corpus has more than `most` statements, takes only every second, third or n-th statement,
/// so that at most `most` remain.
pub fn corpora(packages: &Packages, most: usize) -> Result<Vec<Corpus>> {
    let (fixtures, regression): (Vec<_>, Vec<_>) =
        pgq_corpus::sets().into_iter().partition(|set| set.name == "fixtures");
    let squawk = packages.find("squawk-parser").context("the package squawk-parser is not there")?;
    let statements = |sets: Vec<pgq_corpus::Set>| sets.into_iter().flat_map(|set| set.statements).collect();
    Ok(vec![
        corpus("regression", "PostgreSQL's regression SQL and libpg_query's tests", statements(regression), most)?,
        corpus("fixtures", "this project's `fixtures`", statements(fixtures), most)?,
        corpus(
            "squawk",
            &format!("the SQL in the tests of squawk's parser (squawk-parser {})", squawk.version),
            folder(&squawk.folder.join("tests/data/ok"))?,
            most,
        )?,
    ])
}

/// Returns the statements of the SQL files in a directory.
fn folder(folder: &Path) -> Result<Vec<String>> {
    let mut statements = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        if entry.path().extension().is_some_and(|extension| extension == "sql") {
            statements.extend(pgq_corpus::statements(entry.path()));
        }
    }
    Ok(statements)
}

fn corpus(name: &'static str, about: &str, mut statements: Vec<String>, most: usize) -> Result<Corpus> {
    statements.retain(|sql| !sql.is_empty() && !sql.contains('\0'));
    let all = statements.len();
    ensure!(all > 0, "the corpus {name} is empty");
    let step = all.div_ceil(most);
    let statements: Vec<String> = statements.into_iter().step_by(step).collect();
    let about = match step {
        1 => about.to_string(),
        _ => format!("{about}: one in {step} of {all} statements"),
    };
    let mut file = NamedTempFile::new()?;
    statements.iter().try_for_each(|sql| write!(file, "{sql}\0"))?;
    file.flush()?;
    Ok(Corpus { name, about, statements, file })
}

#[test]
fn a_large_corpus_is_thinned_out() {
    let statements = || (0..10).map(|n| format!("SELECT {n}")).chain([String::new()]).collect();
    let corpus_of = |most| corpus("c", "numbers", statements(), most).expect("it is written");
    assert_eq!(corpus_of(10).statements.len(), 10);
    assert_eq!(corpus_of(10).about, "numbers");
    assert_eq!(corpus_of(4).statements, ["SELECT 0", "SELECT 3", "SELECT 6", "SELECT 9"]);
    assert_eq!(corpus_of(4).about, "numbers: one in 3 of 10 statements");
    let written = std::fs::read_to_string(corpus_of(4).file.path()).expect("it is there");
    assert_eq!(written, "SELECT 0\0SELECT 3\0SELECT 6\0SELECT 9\0");
}
