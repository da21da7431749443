//! What came of a run over many statements, counted and printed.

use pgq::{DeparseOptions, Error, JsonTree, ParseOptions, Tree};

use crate::said::said;

/// One way from a tree to SQL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Straight from the C tree.
    Direct,
    /// The same, indented and with the comments of the text.
    Pretty,
    /// Over structs, which have no empty strings.
    Structs,
    /// Over the JSON that has them.
    Json,
}

impl Way {
    pub const ALL: [Self; 4] = [Self::Direct, Self::Pretty, Self::Structs, Self::Json];
}

/// Counts of one way, over one set.
#[derive(Default)]
pub struct Count {
    equal: usize,
    /// Errors that say that the tree cannot be written.
    refused: usize,
    /// SQL that says something else.
    different: Vec<String>,
    refusals: Vec<String>,
}

impl Count {
    pub fn add(&mut self, other: Self) {
        self.equal += other.equal;
        self.refused += other.refused;
        self.different.extend(other.different);
        self.refusals.extend(other.refusals);
    }

    /// Writes the tree of `sql` and looks at what came out, with eyes other than the library's.
    /// Structs have no empty strings, so these are not looked at there.
    pub fn check(&mut self, way: Way, sql: &str, tree: &Tree) {
        let empty_strings = way != Way::Structs;
        match written(way, sql, tree) {
            Ok(again) if said(&again, empty_strings) == said(sql, empty_strings) => self.equal += 1,
            Ok(again) => self.different.push(format!("{way:?}: {sql}\n  written: {again}")),
            Err(error) => {
                self.refused += 1;
                self.refusals.push(format!("{way:?}: {sql}\n  {error}"));
            }
        }
    }

    /// Prints the counts; `may_refuse` says whether the way has things that it cannot say.
    pub fn report(self, name: &str, way: Way, may_refuse: bool, failed: &mut Vec<String>) {
        println!("{name}: {way:?}: {} equal, {} refused, {} different", self.equal, self.refused, self.different.len());
        failed.extend(self.different);
        if !may_refuse {
            failed.extend(self.refusals);
        }
    }
}

fn written(way: Way, sql: &str, tree: &Tree) -> Result<String, Error> {
    let mut options = DeparseOptions::default();
    options.verify = true;
    match way {
        Way::Direct => tree.deparse(&options),
        Way::Pretty => {
            options.pretty = true;
            options.comments = pgq::comments(sql).expect("what parses scans");
            tree.deparse(&options)
        }
        Way::Structs => pgq::deparse_with(&tree.to_prost()?.tree, &options),
        Way::Json => {
            let mut document = pgq::Document::new(pgq::JsonStyle::Lossless);
            document.append(tree, 0)?;
            JsonTree::read(&document.finish())?.deparse(&options)
        }
    }
}

/// The tree of a text, if it parses.
pub fn parsed(sql: &str) -> Option<Tree> {
    Tree::parse(sql, &ParseOptions::default()).ok()
}
