//! Trees that were read from JSON.

use super::parsed::Parsed;
use super::{Tree, deparse};
use crate::convert::{self, ArenaTree, EmptyStrings};
use crate::error::Error;
use crate::options::DeparseOptions;
use crate::sys::BYTES_PER_LEVEL;

/// A tree that was read from JSON. Unlike prost structs, it distinguishes an empty string from an absent string (see
/// [`crate::JsonStyle::Lossless`]).
pub struct JsonTree {
    inner: ArenaTree,
}

impl JsonTree {
    /// Reads libpg_query's JSON document in either style.
    ///
    /// # Errors
    /// Same as for [`crate::from_json`].
    pub fn read(json: &str) -> Result<Self, Error> {
        convert::from_json(json).map(|inner| Self { inner }).map_err(|problem| problem.into_error(json))
    }

    /// Returns the number of statements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.tree().len()
    }

    /// Returns whether the tree has no statements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the tree as prost structs. The structs do not distinguish an empty string from an absent string.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    pub fn to_prost(&self) -> Result<Parsed, Error> {
        Parsed::new(convert::to_prost(self.inner.tree())?, Vec::new())
    }

    /// Converts the tree to a [`Tree`] with empty SQL.
    #[must_use]
    pub fn into_tree(self) -> Tree {
        Tree::without_text(self.inner)
    }

    /// Returns all statements as SQL, joined by `; `. libpg_query's JSON omits empty strings, so a string that the JSON
    /// lacks may be an empty string. Therefore, with [`DeparseOptions::verify`], an absent string of this tree counts
    /// as equal to an empty string in the SQL.
    ///
    /// # Errors
    /// Same as for [`crate::deparse`].
    pub fn deparse(&self, options: &DeparseOptions) -> Result<String, Error> {
        let tree = self.inner.tree();
        deparse::joined(tree.statements(), options, EmptyStrings::MatchAbsent, 0, self.depth_bytes())
    }

    /// Returns statement `index` as SQL.
    ///
    /// # Errors
    /// Same as for [`JsonTree::deparse`].
    ///
    /// # Panics
    /// Panics if there is no such statement.
    pub fn deparse_statement(&self, index: usize, options: &DeparseOptions) -> Result<String, Error> {
        let statement = self.inner.tree().statement(index);
        deparse::joined(std::iter::once(statement), options, EmptyStrings::MatchAbsent, 0, self.depth_bytes())
    }

    fn depth_bytes(&self) -> usize {
        self.inner.depth() * BYTES_PER_LEVEL
    }
}
