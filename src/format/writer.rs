//! Writes the tokens of a statement into a document, in order, with their comments and spaces. The rules decide where
//! lines may break.

use super::bodies::Bodies;
use super::layout::Document;
use super::trivia::Trivia;
use super::{FormatOptions, spacing};
use crate::syntax::{Symbol, SyntaxNode, SyntaxTree, symbol};
use crate::sys::stack::with_more_stack;

/// Maximum stack size in bytes that one layout rule needs.
const RULE: usize = 128 << 10;

/// Builds the document of a statement.
pub(super) struct Writer<'t> {
    pub(super) document: Document<'t>,
    trivia: Trivia<'t>,
    /// Index of the next leaf to write.
    next: usize,
    /// The most recently written token, and the symbol of its parent.
    last: Option<(SyntaxNode<'t>, Symbol)>,
    pub(super) comma_first: bool,
    pub(super) align_types: bool,
    /// Additional spaces before the next token.
    pub(super) padding: usize,
    /// For the most recent list of columns: the index of its first leaf, and the number of characters in its longest
    /// column name.
    pub(super) longest_name: Option<(usize, usize)>,
}

/// The spaces that may precede a token: one space, and up to 63 more that align the type of a column. (The name of a
/// column has at most 63 bytes.)
const SPACES: &str = "                                                                ";

impl<'t> Writer<'t> {
    /// Creates a writer. `text` is the statement to print. In the tree's SQL, placeholders and templates are masked. In
    /// `text`, they are not, and keywords may have a different case.
    pub(super) fn new(tree: &'t SyntaxTree<'t>, text: &'t str, bodies: &'t Bodies, options: &FormatOptions) -> Self {
        let trivia = Trivia::new(tree, text, bodies);
        Self {
            document: Document::new(),
            trivia,
            next: 0,
            last: None,
            comma_first: options.comma_first,
            align_types: options.align_types,
            padding: 0,
            longest_name: None,
        }
    }

    /// Writes the comments after the last token.
    pub(super) fn finish(mut self) -> Document<'t> {
        self.comments_up_to(self.trivia.len());
        self.document
    }

    pub(super) fn node(&mut self, node: SyntaxNode<'t>) {
        if node.is_token() {
            return self.token(node);
        }
        // First write the comments that precede the node. If the node then begins a group, these comments are outside
        // of the group and cannot break it.
        self.comments_before(node);
        with_more_stack(RULE, || super::write_node(self, node));
    }

    /// Writes the comments before a token, a space if necessary, the token, and the comments after it on its line.
    pub(super) fn token(&mut self, token: SyntaxNode<'t>) {
        let leaf = token.leaf_range().start;
        self.comments_up_to(leaf);
        let parent = token.parent().map_or(symbol::parse_toplevel, SyntaxNode::symbol);
        if let Some((last, of)) = self.last {
            let touch = self.trivia.touches_next(last.leaf_range().start);
            // Write no space in `id=%s`, which PostgreSQL reads as `id`, the operator `=%` and `s`. With the usual
            // space before an operator (`id =%s`), the placeholder `%s` would be hard to recognize.
            let begins_placeholder =
                || self.trivia.touches_next(leaf) && spacing::may_begin_placeholder(token, self.trivia.text(leaf + 1));
            let is_glued = touch && (begins_placeholder() || self.ends_placeholder(last, token));
            let has_space = !is_glued && spacing::has_space((last, of), (token, parent), touch);
            if has_space || self.trivia.would_merge(last, token) {
                self.document.text(&SPACES[..SPACES.len().min(1 + std::mem::take(&mut self.padding))]);
            }
            let opens = matches!(last.text(), "(" | "[");
            if self.trivia.blank_before(leaf) && !opens && !matches!(token.text(), ")" | "]" | ";" | ",") {
                self.document.blank_line();
            }
        }
        self.document.text(self.trivia.text(leaf));
        self.last = Some((token, parent));
        self.next = leaf + 1;
        self.trailing_comments();
    }

    /// Returns whether `token` is the last letter of a placeholder, such as the `s` in `%(name)s`. `last` is the
    /// preceding token.
    fn ends_placeholder(&self, last: SyntaxNode<'t>, token: SyntaxNode<'t>) -> bool {
        let opens = last.parent().map_or(0, |parent| parent.leaf_range().start);
        last.text() == ")"
            && token.text().len() == 1
            && opens > 0
            && self.trivia.touches_next(opens - 1)
            && self.trivia.text(opens - 1).ends_with('%')
    }

    /// Writes the comments before a leaf.
    pub(super) fn comments_up_to(&mut self, leaf: usize) {
        while self.next < leaf {
            self.comment();
        }
    }

    /// Writes the remaining comments before a node's first token.
    pub(super) fn comments_before(&mut self, node: SyntaxNode<'t>) {
        self.comments_up_to(node.leaf_range().start);
    }

    fn trailing_comments(&mut self) {
        while self.next < self.trivia.len() && self.trivia.is_comment(self.next) && !self.trivia.begins_line(self.next)
        {
            self.comment();
        }
    }

    /// Writes the next comment.
    fn comment(&mut self) {
        let leaf = self.next;
        self.next += 1;
        let begins_line = self.trivia.begins_line(leaf);
        if begins_line {
            if leaf > 0 {
                self.document.begin_line();
                if self.trivia.blank_before(leaf) && self.last.is_none_or(|(last, _)| last.text() != "(") {
                    self.document.blank_line();
                }
            }
        } else if self.trivia.is_line_comment(leaf) {
            return self.document.comment(self.trivia.text(leaf), self.trivia.block(leaf));
        } else {
            self.document.text(" ");
        }
        self.document.text(self.trivia.text(leaf));
        // Only a line comment, or a comment alone on its line, must end its line. A token may follow any other comment.
        match self.trivia.is_line_comment(leaf) || (begins_line && self.trivia.ends_line(leaf)) {
            true => self.document.begin_line(),
            false => self.document.text(" "),
        }
    }

    /// Returns whether a token of a node has several lines.
    pub(super) fn has_long_tokens(&self, node: SyntaxNode<'t>) -> bool {
        node.leaf_range().any(|leaf| !self.trivia.is_comment(leaf) && self.trivia.text(leaf).contains('\n'))
    }

    /// Returns whether `comma` begins a line. This is the case if a comment precedes it, or if the option `comma_first`
    /// is set and no comment follows the comma on its line.
    pub(super) fn begins_with_comma(&self, comma: SyntaxNode<'t>) -> bool {
        let (leaf, next) = (comma.leaf_range().start, comma.leaf_range().end);
        let has_comment_behind =
            next < self.trivia.len() && self.trivia.is_comment(next) && !self.trivia.begins_line(next);
        let is_behind_comment = self.next < leaf || (leaf > 0 && self.trivia.is_line_comment(leaf - 1));
        is_behind_comment || (self.comma_first && !has_comment_behind)
    }

    /// Writes the output of `write` as a group.
    pub(super) fn group(&mut self, write: impl FnOnce(&mut Self)) {
        self.document.begin_group();
        write(self);
        self.document.end_group();
    }

    /// Indents the output of `write` by one level.
    pub(super) fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.document.indent();
        write(self);
        self.document.dedent();
    }

    /// Allows a line break here. A line break replaces the space before the next token.
    pub(super) fn break_line(&mut self) {
        self.document.soft_break();
    }
}
