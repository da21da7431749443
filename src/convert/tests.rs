//! The walks over trees in memory of our own: from JSON to a C tree, to structs, to another C
//! tree and back. No C code runs, so that Miri can look at all of it (`.ci/miri`).

use super::fingerprint::TreeFingerprint;
use super::normalize::collect_constants;
use super::relocate::relocate_list;
use super::*;
use crate::sys::{FingerprintFlags, StatementRef, Subject};
use crate::{Document, JsonStyle, ParseOptions, Summary, Tree};

/// libpg_query's JSON with empty strings, a document a line: from the file that `PGQ_TREES`
/// names, or of the statements of fixtures/, where the parser can run.
fn documents() -> Vec<String> {
    if let Some(path) = std::env::var_os("PGQ_TREES") {
        return std::fs::read_to_string(path).unwrap().lines().map(String::from).collect();
    }
    if cfg!(miri) {
        panic!("PGQ_TREES must name a file: no C runs here");
    }
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"))];
    let mut documents = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "sql")
                && let Ok(tree) = Tree::parse(&std::fs::read_to_string(path).unwrap(), &ParseOptions::default())
            {
                let mut document = Document::new(JsonStyle::Lossless);
                document.append(&tree, 0).unwrap();
                documents.push(document.finish());
            }
        }
    }
    documents
}

fn json(tree: &ArenaTree, mut writer: JsonWriter) -> String {
    writer.open();
    for (index, statement) in tree.tree().statements().enumerate() {
        if index > 0 {
            writer.comma();
        }
        writer.statement(statement, LocationShift(0), StatementPosition::AsParsed);
    }
    assert_eq!(writer.take_problem(), None);
    writer.close();
    String::from_utf8(writer.into_bytes()).unwrap()
}

/// The results of the walks that change nothing: both fingerprints, how many constants, and the
/// summary.
fn results(statement: StatementRef<'_>) -> (TreeFingerprint, TreeFingerprint, usize, Summary) {
    let subject = Subject::Statement(statement);
    let fingerprint = |full| fingerprint(subject, FingerprintFlags::default(), full).unwrap();
    let constants = collect_constants(subject, 0, false).unwrap().constants.len();
    (fingerprint(false), fingerprint(true), constants, summarize(statement, 0).unwrap())
}

#[test]
fn trees_survive_the_way_through_structs_and_json() {
    let documents = documents();
    let mut statements = 0;
    for text in &documents {
        let tree = from_json(text).unwrap();
        assert_eq!(&json(&tree, JsonWriter::lossless(Vec::new())), text);
        let structs = to_prost(tree.tree()).unwrap();
        let copy = from_prost(&structs.statements).unwrap();
        let plain = |tree| json(tree, JsonWriter::new(Vec::new()));
        assert_eq!(plain(&copy), plain(&tree));
        for (one, other) in tree.tree().statements().zip(copy.tree().statements()) {
            // Structs hold no empty strings, and so the copy has none.
            assert_eq!(difference(other, one, EmptyStrings::MatchAbsent).unwrap(), None);
            let exact = difference(one, other, EmptyStrings::Distinct).unwrap().is_none();
            assert!(results(one) == results(other) || !exact);
            statements += 1;
        }
        let before = plain(&copy);
        // SAFETY: the copy's own list, which no reference is held to.
        unsafe { relocate_list(copy.tree().as_ptr().cast_mut(), &|at| at + 7).unwrap() };
        assert_eq!(plain(&copy) == before, copy.tree().len() == 0);
    }
    println!("{} documents, {statements} statements", documents.len());
    assert!(statements > 0);
}

#[test]
fn a_cut_document_is_an_error() {
    for text in &documents() {
        let step = text.len() / if cfg!(miri) { 4 } else { 40 } + 1;
        for end in (0..text.len()).step_by(step).filter(|end| text.is_char_boundary(*end)) {
            assert!(from_json(&text[..end]).is_err());
        }
    }
}
