//! Trees as owned prost structs.

use super::deparse::deparse_structs;
use crate::convert::ConvertedTree;
use crate::error::{Error, Warning};
use crate::options::DeparseOptions;
use crate::proto::ParseResult;
use crate::sys::{bindings as pg, stack};

/// A tree as owned structs, with PostgreSQL's warnings for its SQL.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The tree, in the structs of libpg_query's Protobuf schema.
    pub tree: ParseResult,
    depth: u32,
    warnings: Vec<Warning>,
}

/// Maximum stack size in bytes that is needed to drop one level of boxed structs.
const DROP_PER_LEVEL: usize = 512;

impl Parsed {
    pub(super) fn new(converted: ConvertedTree, warnings: Vec<Warning>) -> Result<Self, Error> {
        let ConvertedTree { statements, depth } = converted;
        let tree = ParseResult { version: pg::PG_VERSION_NUM as i32, stmts: statements };
        Ok(Self { tree, depth, warnings })
    }

    /// Returns statement `index` as SQL.
    ///
    /// # Errors
    /// Same as for [`crate::deparse`].
    ///
    /// # Panics
    /// Panics if there is no such statement.
    pub fn deparse_statement(&self, index: usize, options: &DeparseOptions) -> Result<String, Error> {
        deparse_structs(std::slice::from_ref(&self.tree.stmts[index]), options)
    }

    /// Returns PostgreSQL's warnings and notices for the SQL.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the depth of the tree in nodes. With tens of thousands of levels, recursive functions of the structs
    /// (`==`, `clone`, `Debug`) need a large stack.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the structs alone. Dropping the structs recurses as deep as the tree, and may overflow a small stack.
    /// Dropping a [`Parsed`] is safe, because its structs are dropped on a large enough stack.
    #[must_use]
    pub fn into_tree(mut self) -> ParseResult {
        std::mem::take(&mut self.tree)
    }
}

impl Drop for Parsed {
    fn drop(&mut self) {
        const SHALLOW: u32 = 64;
        if self.depth > SHALLOW {
            let mut tree = Some(std::mem::take(&mut self.tree));
            if stack::try_with_stack_for_levels(self.depth as usize, DROP_PER_LEVEL, || drop(tree.take())).is_none() {
                // Leak the structs. There is no memory for a larger stack, and dropping them would overflow this stack.
                std::mem::forget(tree);
            }
        }
    }
}
