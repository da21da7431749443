//! Nodes and leaves of a syntax tree. They are references into it, as large as two pointers.

use std::fmt;
use std::ops::Range;

use super::automaton::symbol;
use super::{Symbol, SyntaxTree};

/// A node of a [`SyntaxTree`]: a symbol of the grammar, made of tokens and of other symbols; or a token.
#[derive(Clone, Copy)]
pub struct SyntaxNode<'t> {
    pub(super) tree: &'t SyntaxTree<'t>,
    pub(super) index: u32,
}

/// A token or comment of a [`SyntaxTree`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SyntaxLeaf<'t> {
    sql: &'t str,
    pub(super) leaf: super::Leaf,
}

impl<'t> SyntaxNode<'t> {
    fn data(self) -> &'t super::NodeData {
        &self.tree.nodes[self.index as usize]
    }

    /// Returns the symbol of the grammar.
    #[must_use]
    pub fn symbol(self) -> Symbol {
        self.data().symbol
    }

    /// Returns whether it is a token. Tokens have no children.
    #[must_use]
    pub fn is_token(self) -> bool {
        self.data().size == 1 && self.symbol().is_terminal()
    }

    /// Returns the indices of its leaves in [`SyntaxTree::leaves`]: from its first token to its last, with the comments between.
    #[must_use]
    pub fn leaf_range(self) -> Range<usize> {
        self.data().first as usize..self.data().end as usize
    }

    /// Returns its bytes in the text, without the comments before and after it.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        let leaves = &self.tree.leaves[self.leaf_range()];
        match (leaves.first(), leaves.last()) {
            (Some(first), Some(last)) => first.start as usize..last.end as usize,
            _ => 0..0,
        }
    }

    /// Returns its text, as written.
    #[must_use]
    pub fn text(self) -> &'t str {
        &self.tree.sql[self.range()]
    }

    /// Returns the node that it is a part of.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        (self.index > 0).then(|| Self { index: self.data().parent, ..self })
    }

    /// Returns its parts in the order of the text. A symbol made of nothing, as a clause that is left out, is not among them.
    pub fn children(self) -> impl Iterator<Item = Self> + 't {
        let end = self.index + self.data().size;
        let first = (self.index + 1 < end).then_some(Self { index: self.index + 1, ..self });
        std::iter::successors(first, move |child| {
            let index = child.index + child.data().size;
            (index < end).then_some(Self { index, ..self })
        })
    }

    /// Returns the node and all nodes below it, each before its children.
    pub fn descendants(self) -> impl Iterator<Item = Self> + 't {
        (self.index..self.index + self.data().size).map(move |index| Self { index, ..self })
    }

    /// Returns the first part that is a `symbol`.
    #[must_use]
    pub fn child(self, symbol: Symbol) -> Option<Self> {
        self.children().find(|child| child.symbol() == symbol)
    }

    /// Returns the comments before its first token: those on the lines before it, and on its line before it.
    pub fn leading_comments(self) -> impl Iterator<Item = SyntaxLeaf<'t>> {
        let leaves = &self.tree.leaves;
        let (first, sql) = (self.data().first as usize, self.tree.sql);
        let comments = leaves[..first].iter().rev().take_while(|leaf| leaf.is_comment()).count();
        let before = &leaves[first - comments..first];
        // Those on the line of the token before them belong to that one.
        let trailing = match (first - comments).checked_sub(1) {
            Some(token) => self.tree.trailing(token),
            None => 0,
        };
        before[trailing..].iter().map(move |leaf| SyntaxLeaf { sql, leaf: *leaf })
    }

    /// Returns the comments after its last token, on the line where that ends.
    pub fn trailing_comments(self) -> impl Iterator<Item = SyntaxLeaf<'t>> {
        let end = self.data().end as usize;
        let count = end.checked_sub(1).map_or(0, |token| self.tree.trailing(token));
        let sql = self.tree.sql;
        self.tree.leaves[end..end + count].iter().map(move |leaf| SyntaxLeaf { sql, leaf: *leaf })
    }
}

impl<'t> SyntaxLeaf<'t> {
    pub(super) fn new(sql: &'t str, leaf: super::Leaf) -> Self {
        Self { sql, leaf }
    }

    /// Returns the terminal of the grammar, `SQL_COMMENT` or `C_COMMENT`.
    #[must_use]
    pub fn symbol(self) -> Symbol {
        self.leaf.symbol
    }

    /// Returns its bytes in the text.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.leaf.start as usize..self.leaf.end as usize
    }

    /// Returns its text, as written.
    #[must_use]
    pub fn text(self) -> &'t str {
        &self.sql[self.range()]
    }

    /// Returns whether it is a comment of either form.
    #[must_use]
    pub fn is_comment(self) -> bool {
        matches!(self.symbol(), symbol::SQL_COMMENT | symbol::C_COMMENT)
    }
}

impl fmt::Debug for SyntaxNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{:?}", self.symbol().name(), self.range())
    }
}

impl fmt::Debug for SyntaxLeaf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.symbol().name(), self.text())
    }
}
