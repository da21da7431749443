//! Outcomes of deparsing many statements.

use pgq::{DeparseOptions, Error, JsonTree, ParseOptions, Tree};

use crate::common::tally::Tally;
use crate::meaning::{meaning, meaning_of};

/// A route from a tree to SQL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    /// Deparses the C tree.
    Direct,
    /// Deparses the C tree to indented SQL with comments.
    Pretty,
    /// Deparses Rust structs, which cannot represent empty strings.
    Structs,
    /// Deparses JSON that contains empty strings.
    Json,
}

impl Route {
    pub const ALL: [Self; 4] = [Self::Direct, Self::Pretty, Self::Structs, Self::Json];
}

/// Outcomes of one route.
#[derive(Default)]
pub struct Outcomes {
    pub equal: usize,
    /// SQL with a different meaning.
    pub different: Vec<String>,
    /// Trees that cannot be written as SQL.
    pub refused: Vec<String>,
}

impl Tally for Outcomes {
    fn merge(&mut self, following: Self) {
        self.equal += following.equal;
        self.different.extend(following.different);
        self.refused.extend(following.refused);
    }
}

/// The meaning of a statement, for all routes.
pub struct Meanings {
    with_empty_strings: String,
    without: String,
}

impl Meanings {
    pub fn new(tree: &Tree) -> Self {
        Self { with_empty_strings: meaning_of(tree, true), without: meaning_of(tree, false) }
    }
}

impl Outcomes {
    /// Deparses the tree of `sql` and compares the meaning of the result with `meanings`. Ignores empty strings if the
    /// route cannot represent them.
    pub fn check(&mut self, route: Route, sql: &str, tree: &Tree, meanings: &Meanings) {
        let empty_strings = route != Route::Structs;
        let expected = if empty_strings { &meanings.with_empty_strings } else { &meanings.without };
        match deparsed(route, sql, tree) {
            Ok(deparsed) if meaning(&deparsed, empty_strings) == *expected => self.equal += 1,
            Ok(deparsed) => self.different.push(format!("{route:?}: {sql}\n  deparsed: {deparsed}")),
            Err(error) => self.refused.push(format!("{route:?}: {sql}\n  {error}")),
        }
    }
}

fn deparsed(route: Route, sql: &str, tree: &Tree) -> Result<String, Error> {
    let mut options = DeparseOptions::default();
    options.verify = true;
    match route {
        Route::Direct => tree.deparse(&options),
        Route::Pretty => {
            options.pretty = true;
            options.comments = pgq::comments(sql).expect("what parses also scans");
            tree.deparse(&options)
        }
        Route::Structs => pgq::deparse_with(&tree.to_prost()?.tree, &options),
        Route::Json => {
            let mut document = pgq::Document::new(pgq::JsonStyle::Lossless);
            document.append(tree, 0)?;
            JsonTree::read(&document.finish())?.deparse(&options)
        }
    }
}

/// Returns the tree of a statement; `None` if it does not parse.
pub fn parsed(sql: &str) -> Option<Tree> {
    Tree::parse(sql, &ParseOptions::default()).ok()
}
