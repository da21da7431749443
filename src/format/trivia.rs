//! Comments, line breaks and empty lines between the tokens of the original statement.

use std::ops::Range;

use super::bodies::Bodies;
use super::line_ends;
use crate::syntax::{SyntaxLeaf, SyntaxNode, SyntaxTree, symbol};

/// The leaves of a tree, with the line breaks before them.
pub(super) struct Trivia<'t> {
    text: &'t str,
    leaves: Vec<LeafTrivia>,
    bodies: &'t Bodies,
}

struct LeafTrivia {
    range: Range<usize>,
    is_comment: bool,
    /// Whether the leaf is a `--` comment.
    is_line_comment: bool,
    /// Number of line breaks before the leaf, at most 2.
    breaks: u8,
    /// Whether the leaf (a token or a comment) directly follows the previous leaf, without white space.
    touches: bool,
    /// Number of the block of aligned comments to which this leaf belongs; 0 if it belongs to no block.
    block: u32,
}

impl<'t> Trivia<'t> {
    pub(super) fn new(tree: &'t SyntaxTree<'t>, text: &'t str, bodies: &'t Bodies) -> Self {
        let mut end = 0;
        let leaf = |leaf: SyntaxLeaf<'_>| {
            let range = leaf.range();
            let gap = &text[end..range.start];
            let touches = gap.is_empty() && end > 0;
            end = range.end;
            LeafTrivia {
                is_comment: leaf.is_comment(),
                is_line_comment: leaf.symbol() == symbol::SQL_COMMENT,
                breaks: line_ends::count(gap).min(2) as u8,
                touches,
                block: 0,
                range,
            }
        };
        let mut leaves: Vec<LeafTrivia> = tree.leaves().map(leaf).collect();
        if leaves.iter().any(|leaf| leaf.is_line_comment) {
            find_blocks(text, &mut leaves);
        }
        Self { text, leaves, bodies }
    }

    pub(super) fn len(&self) -> usize {
        self.leaves.len()
    }

    /// Returns the text to print for a leaf.
    pub(super) fn text(&self, leaf: usize) -> &'t str {
        if let Some(body) = self.bodies.formatted.get(&leaf) {
            return body;
        }
        &self.text[self.leaves[leaf].range.clone()]
    }

    pub(super) fn is_comment(&self, leaf: usize) -> bool {
        self.leaves[leaf].is_comment
    }

    /// Returns whether a leaf is the first on its line.
    pub(super) fn begins_line(&self, leaf: usize) -> bool {
        leaf == 0 || self.leaves[leaf].breaks > 0
    }

    /// Returns whether the next leaf begins a line.
    pub(super) fn ends_line(&self, leaf: usize) -> bool {
        self.leaves.get(leaf + 1).is_some_and(|next| next.breaks > 0)
    }

    /// Returns whether a leaf is a `--` comment.
    pub(super) fn is_line_comment(&self, leaf: usize) -> bool {
        self.leaves[leaf].is_line_comment
    }

    pub(super) fn blank_before(&self, leaf: usize) -> bool {
        self.leaves[leaf].breaks > 1
    }

    pub(super) fn block(&self, leaf: usize) -> u32 {
        self.leaves[leaf].block
    }

    /// Returns whether the next leaf directly follows this leaf, without white space.
    pub(super) fn touches_next(&self, leaf: usize) -> bool {
        self.leaves.get(leaf + 1).is_some_and(|next| next.touches)
    }

    /// Returns whether the scanner would read two tokens differently without white space between them.
    pub(super) fn would_merge(&self, last: SyntaxNode<'t>, next: SyntaxNode<'t>) -> bool {
        let text = |node: SyntaxNode<'t>| self.text(node.leaf_range().start).as_bytes();
        let (Some(&end), Some(&start)) = (text(last).last(), text(next).first()) else { return false };
        let is_operator = |byte: u8| b"~!@#^&|`?+-*/%<>=:".contains(&byte);
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'_' | b'$');
        let is_prefix = || matches!(text(last), b"e" | b"E" | b"b" | b"B" | b"x" | b"X");
        (is_word(end) && is_word(start))
            || (matches!(start, b'\'' | b'"') && is_prefix())
            || (start == b'.' && text(last).iter().all(u8::is_ascii_digit))
            || (is_operator(end) && is_operator(start) && !spacing_is_exact(text(last), text(next)))
            || (matches!(end, b'\'' | b'"') && end == start)
            || (end == b'.' && start.is_ascii_digit())
    }
}

/// Returns whether the scanner certainly reads two operators as two tokens if no white space separates them. Usually it
/// may read one longer operator instead. The exception is `::` before any operator except `:` and `=`.
fn spacing_is_exact(last: &[u8], next: &[u8]) -> bool {
    last == b"::" && next != b":" && next != b"="
}

/// Numbers the blocks of trailing comments. The comments of a block are on successive lines, in the same column.
fn find_blocks(text: &str, leaves: &mut [LeafTrivia]) {
    // Line, column and index of the last trailing comment.
    let mut last: Option<(usize, usize, usize)> = None;
    let (mut line, mut line_start, mut scanned, mut blocks) = (0, 0, 0, 0);
    for index in 0..leaves.len() {
        let start = leaves[index].range.start;
        for (at, _) in text[scanned..start].match_indices('\n') {
            line += 1;
            line_start = scanned + at + 1;
        }
        scanned = start;
        if !leaves[index].is_line_comment || leaves[index].breaks > 0 {
            continue;
        }
        let column = text[line_start..start].chars().count();
        if let Some((at_line, at_column, before)) = last
            && (at_line + 1, at_column) == (line, column)
        {
            if leaves[before].block == 0 {
                blocks += 1;
                leaves[before].block = blocks;
            }
            leaves[index].block = leaves[before].block;
        }
        last = Some((line, column, index));
    }
}
