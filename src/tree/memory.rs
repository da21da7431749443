//! The memory of a tree's nodes: a memory context of the thread that parsed the SQL, or an arena.

use crate::convert::{ArenaTree, Problem, relocate, relocate_owned};
use crate::sys::{BYTES_PER_LEVEL, ParseTree, Tokens, TreeRef};

pub(super) enum Memory {
    /// A large memory context, which the thread reuses.
    Context(ParseTree),
    /// An arena of about the size of the tree.
    Own(ArenaTree),
}

impl Memory {
    #[inline]
    pub(super) fn tree(&self) -> TreeRef<'_> {
        match self {
            Self::Context(tree) => tree.tree(),
            Self::Own(tree) => tree.tree(),
        }
    }

    /// Returns the SQL of the tree, or an empty string if the tree has no SQL.
    #[inline]
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Context(tree) => tree.text(),
            Self::Own(tree) => tree.text(),
        }
    }

    /// Stores `sql` as the tree's SQL, although the tree was not parsed from it.
    pub(super) fn set_text(&mut self, sql: &str) {
        match self {
            Self::Context(tree) => tree.set_text(sql),
            Self::Own(tree) => tree.set_text(sql, false),
        }
    }

    /// Returns whether the locations are offsets in the tree's current SQL.
    pub(super) fn has_own_text(&self) -> bool {
        match self {
            Self::Context(tree) => tree.has_own_text(),
            Self::Own(tree) => tree.has_own_text(),
        }
    }

    /// Returns the tokens that the tree was parsed from, if they are still in memory.
    pub(super) fn tokens(&self) -> Option<Tokens<'_>> {
        match self {
            Self::Context(tree) => tree.tokens(),
            Self::Own(_) => None,
        }
    }

    pub(super) fn relocate(&mut self, place: &dyn Fn(i32) -> i32) -> Result<(), Problem> {
        match self {
            Self::Context(tree) => relocate(tree, place),
            Self::Own(tree) => relocate_owned(tree, place),
        }
    }

    /// Returns the length of SQL, in bytes, that determines the stack size for deparsing a part of this tree. If the
    /// tree was parsed from its SQL, this is `text`, the length of the part's SQL. For other trees, the result is
    /// estimated from the depth of the whole tree.
    pub(super) fn depth_bytes(&self, text: usize) -> usize {
        match self {
            Self::Context(_) => text,
            Self::Own(tree) if tree.has_own_text() => text,
            Self::Own(tree) => tree.depth() * BYTES_PER_LEVEL,
        }
    }

    /// Returns the size of the memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Context(tree) => tree.bytes(),
            Self::Own(tree) => tree.bytes(),
        }
    }
}
