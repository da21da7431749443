//! The walks over trees in memory of our own: from JSON to a C tree, to structs, to another C
//! tree and back. No C code runs, so that Miri can look at all of it (`.ci/miri`).

use super::arena::CTree;
use super::fingerprint::Made;
use super::json::{JsonWriter, Place};
use super::normalize::constants;
use super::relocate::relocate;
use super::same::{Strings, difference};
use super::*;
use crate::sys::FingerprintFlags;

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
                && let Ok(tree) = Tree::parse(&std::fs::read_to_string(path).unwrap(), &crate::ParseOptions::default())
            {
                let mut document = Document::lossless();
                document.append(&tree, 0).unwrap();
                documents.push(document.finish());
            }
        }
    }
    documents
}

fn json(tree: &CTree, mut writer: JsonWriter) -> String {
    writer.open();
    for (index, statement) in tree.statements().enumerate() {
        if index > 0 {
            writer.comma();
        }
        // SAFETY: the tree's own statement, valid while the tree is.
        unsafe { writer.statement(statement, Shift(0), Place::Kept) };
    }
    assert_eq!(writer.take_problem(), None);
    writer.close();
    String::from_utf8(writer.into_bytes()).unwrap()
}

/// What the walks that change nothing say of a statement.
fn said(statement: *const pg::RawStmt) -> (Made, Made, usize) {
    // SAFETY: callers pass statements of trees that live.
    unsafe {
        let node = statement.cast();
        let fingerprint = |full| fingerprint(node, 0, FingerprintFlags::default(), full).unwrap();
        (fingerprint(false), fingerprint(true), constants(node, 0, false).unwrap().located.len())
    }
}

#[test]
fn trees_of_our_own_come_back_the_same() {
    let documents = documents();
    let mut statements = 0;
    for text in &documents {
        let tree = from_json(text).unwrap();
        assert_eq!(&json(&tree, JsonWriter::lossless(Vec::new())), text);
        // SAFETY: the trees live to the end of this pass, and nobody else refers to them.
        unsafe {
            let structs = to_rust(tree.list()).unwrap();
            let copy = to_c(&structs.statements).unwrap();
            let plain = |tree| json(tree, JsonWriter::new(Vec::new()));
            assert_eq!(plain(&copy), plain(&tree));
            for (one, other) in tree.statements().zip(copy.statements()) {
                // The copy has none where a string was empty.
                assert_eq!(difference(other.cast(), one.cast(), Strings::NoneMayBeEmpty).unwrap(), None);
                let exact = difference(one.cast(), other.cast(), Strings::Exact).unwrap().is_none();
                assert!(said(one) == said(other) || !exact);
                statements += 1;
            }
            let before = plain(&copy);
            relocate(copy.list().cast_mut(), &|at| at + 7).unwrap();
            assert_eq!(plain(&copy) == before, copy.statements().len() == 0);
        }
    }
    println!("{} documents, {statements} statements", documents.len());
    assert!(statements > 0);
}

#[test]
fn what_is_no_tree_leaves_nothing_half_made() {
    for text in &documents() {
        let step = text.len() / if cfg!(miri) { 4 } else { 40 } + 1;
        for end in (0..text.len()).step_by(step).filter(|end| text.is_char_boundary(*end)) {
            assert!(from_json(&text[..end]).is_err());
        }
    }
}
