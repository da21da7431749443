//! Where the nodes of a tree are: in a memory context of the thread that parsed them, or in memory for this tree alone.

use crate::convert::{ArenaTree, Problem, relocate, relocate_owned};
use crate::sys::{BYTES_PER_LEVEL, ParseTree, Tokens, TreeRef};

pub(super) enum Memory {
    /// In a context, which the thread uses again. It is large.
    Context(ParseTree),
    /// In as much memory as the tree needs, or little more.
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

    /// Returns the text; empty for a tree without one.
    #[inline]
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Context(tree) => tree.text(),
            Self::Own(tree) => tree.text(),
        }
    }

    /// Makes `sql` the text of the tree, which was made from another one.
    pub(super) fn set_text(&mut self, sql: &str) {
        match self {
            Self::Context(tree) => tree.set_text(sql),
            Self::Own(tree) => tree.set_text(sql, false),
        }
    }

    /// Returns whether the locations are those of the text.
    pub(super) fn has_own_text(&self) -> bool {
        match self {
            Self::Context(tree) => tree.has_own_text(),
            Self::Own(tree) => tree.has_own_text(),
        }
    }

    /// Returns the tokens that the grammar made the tree of, if they are still there.
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

    /// Returns the tree is at most as deep as that of a text of this many bytes. `text` are the bytes of the part in question.
    pub(super) fn depth_bytes(&self, text: usize) -> usize {
        match self {
            Self::Context(_) => text,
            Self::Own(tree) if tree.has_own_text() => text,
            Self::Own(tree) => tree.depth() * BYTES_PER_LEVEL,
        }
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Context(tree) => tree.bytes(),
            Self::Own(tree) => tree.bytes(),
        }
    }
}
