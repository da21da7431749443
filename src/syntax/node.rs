//! Nodes and leaves of a syntax tree. They borrow the tree. A node is as large as two pointers.

use std::fmt;
use std::ops::Range;

use super::automaton::symbol;
use super::{Symbol, SyntaxTree};

/// A node of a [`SyntaxTree`]: a token, or a grammar symbol with child nodes.
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

    /// Returns the node's grammar symbol.
    #[must_use]
    pub fn symbol(self) -> Symbol {
        self.data().symbol
    }

    /// Returns whether the node is a token. Tokens have no children.
    #[must_use]
    pub fn is_token(self) -> bool {
        self.data().size == 1 && self.symbol().is_terminal()
    }

    /// Returns the range of the node's leaves in [`SyntaxTree::leaves`], including the comments between its tokens.
    #[must_use]
    pub fn leaf_range(self) -> Range<usize> {
        self.data().first as usize..self.data().end as usize
    }

    /// Returns the node's byte range, without the comments before and after it.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        let leaves = &self.tree.leaves[self.leaf_range()];
        match (leaves.first(), leaves.last()) {
            (Some(first), Some(last)) => first.start as usize..last.end as usize,
            _ => 0..0,
        }
    }

    /// Returns the node's text as written.
    #[must_use]
    pub fn text(self) -> &'t str {
        &self.tree.sql[self.range()]
    }

    /// Returns the parent node.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        (self.index > 0).then(|| Self { index: self.data().parent, ..self })
    }

    /// Returns the children in the order of the input. Empty symbols, such as omitted clauses, are not included.
    pub fn children(self) -> impl Iterator<Item = Self> + 't {
        let end = self.index + self.data().size;
        let first = (self.index + 1 < end).then_some(Self { index: self.index + 1, ..self });
        std::iter::successors(first, move |child| {
            let index = child.index + child.data().size;
            (index < end).then_some(Self { index, ..self })
        })
    }

    /// Returns the node and its descendants in preorder.
    pub fn descendants(self) -> impl Iterator<Item = Self> + 't {
        (self.index..self.index + self.data().size).map(move |index| Self { index, ..self })
    }

    /// Returns the first child with this symbol.
    #[must_use]
    pub fn child(self, symbol: Symbol) -> Option<Self> {
        self.children().find(|child| child.symbol() == symbol)
    }

    /// Returns the comments before the node's first token, on that token's line or on earlier
    /// lines.
    pub fn leading_comments(self) -> impl Iterator<Item = SyntaxLeaf<'t>> {
        let leaves = &self.tree.leaves;
        let (first, sql) = (self.data().first as usize, self.tree.sql);
        let comments = leaves[..first].iter().rev().take_while(|leaf| leaf.is_comment()).count();
        let before = &leaves[first - comments..first];
        // Skip the trailing comments of the previous token, because they belong to that token.
        let trailing = match (first - comments).checked_sub(1) {
            Some(token) => self.tree.trailing(token),
            None => 0,
        };
        before[trailing..].iter().map(move |leaf| SyntaxLeaf { sql, leaf: *leaf })
    }

    /// Returns the comments after the node's last token, on that token's last line.
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

    /// Returns the terminal symbol. For comments, this is `SQL_COMMENT` or `C_COMMENT`.
    #[must_use]
    pub fn symbol(self) -> Symbol {
        self.leaf.symbol
    }

    /// Returns the leaf's byte range.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.leaf.start as usize..self.leaf.end as usize
    }

    /// Returns the leaf's text as written.
    #[must_use]
    pub fn text(self) -> &'t str {
        &self.sql[self.range()]
    }

    /// Returns whether the leaf is a `--` or `/* */` comment.
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
