//! A statement of a tree, and the operations on it.

use std::ops::Range;

use super::document::{JsonStyle, append_to};
use super::{Tree, deparse};
use crate::convert::normalize::Normalized;
use crate::convert::summary::{FilterColumn, Summary};
use crate::convert::view::Walk;
use crate::convert::view::{Node, RangeVar, RawStmt, node_of, raw_node_of};
use crate::convert::{LocationShift, StatementPosition, relation_nodes, statement_kind, summarize};
use crate::error::Error;
use crate::options::DeparseOptions;
use crate::parse::into_string;
use crate::sys::StatementRef;

/// A statement of a [`Tree`], from [`Tree::statement`].
///
/// Like a view ([`Node`]), a statement cannot be sent to another thread. To use it on another thread or after an
/// `.await`, keep the shared tree and the statement's index, and call [`Tree::statement`], which takes constant time.
///
/// ```
/// use std::sync::Arc;
/// use pgq::Tree;
///
/// let tree: Arc<Tree> = Tree::parse_shared("SELECT 1; DELETE FROM t")?;
/// let index = tree.statements().position(|statement| statement.kind() == "DeleteStmt").unwrap();
/// let thread = std::thread::spawn(move || tree.statement(index).sql().to_string());
/// assert_eq!(thread.join().unwrap(), "DELETE FROM t");
/// # Ok::<(), pgq::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Statement<'t> {
    tree: &'t Tree,
    raw: StatementRef<'t>,
    index: usize,
}

impl<'t> Statement<'t> {
    #[inline]
    pub(super) fn new(tree: &'t Tree, raw: StatementRef<'t>, index: usize) -> Self {
        Self { tree, raw, index }
    }

    #[inline]
    pub(crate) fn raw(self) -> StatementRef<'t> {
        self.raw
    }

    pub(super) fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Returns the statement's index in the tree.
    #[must_use]
    pub fn index(self) -> usize {
        self.index
    }

    /// Returns the statement's byte range in the tree's SQL, without the semicolon.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.tree.range(self.raw)
    }

    /// Returns the statement's SQL: the part of the tree's SQL in [`Statement::range`].
    #[must_use]
    pub fn sql(self) -> &'t str {
        &self.tree.sql()[self.range()]
    }

    /// Returns the name of the node type in PostgreSQL's sources and in JSON, such as `SelectStmt` or `CreateStmt`.
    #[must_use]
    pub fn kind(self) -> &'static str {
        statement_kind(self.raw)
    }

    /// Returns the statement's node, such as a `SelectStmt`, as a typed view.
    #[inline]
    #[must_use]
    pub fn node(self) -> Option<Node<'t>> {
        node_of(self.raw, self.tree.padding)
    }

    /// Returns the statement's `RawStmt`, which contains the node and its position in the SQL.
    #[must_use]
    pub fn raw_node(self) -> RawStmt<'t> {
        raw_node_of(self.raw, self.tree.padding)
    }

    /// Iterates over every node of the statement, in the order of [`Node::walk`].
    #[inline]
    #[must_use]
    pub fn walk(self) -> Walk<'t> {
        Walk::new(self.node())
    }

    /// Returns the references of the statement: tables, functions, WITH queries, and columns in WHERE clauses.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    pub fn summary(self) -> Result<Summary, Error> {
        Ok(summarize(self.raw, self.tree.padding)?)
    }

    /// Returns the names of the statement's tables, sorted and without duplicates; see [`crate::tables`].
    ///
    /// # Errors
    /// Same as for [`Statement::summary`].
    pub fn tables(self) -> Result<Vec<String>, Error> {
        Ok(self.summary()?.table_names())
    }

    /// Returns the nodes of the statement's tables and other relations, in the order of [`Summary::tables`]. Programs
    /// can use these nodes to rename or qualify tables. Excludes references to WITH queries, and the repeated names in
    /// FOR UPDATE. Also excludes names without a node, as in DROP or COMMENT. Only the summary contains such names.
    ///
    /// # Errors
    /// Same as for [`Statement::summary`].
    pub fn table_nodes(self) -> Result<Vec<RangeVar<'t>>, Error> {
        Ok(relation_nodes(std::iter::once(self.raw), self.tree.padding)?)
    }

    /// Returns the names of the statement's functions, sorted and without duplicates.
    ///
    /// # Errors
    /// Same as for [`Statement::summary`].
    pub fn functions(self) -> Result<Vec<String>, Error> {
        Ok(self.summary()?.function_names())
    }

    /// Returns the columns in the statement's WHERE clauses.
    ///
    /// # Errors
    /// Same as for [`Statement::summary`].
    pub fn filter_columns(self) -> Result<Vec<FilterColumn>, Error> {
        Ok(self.summary()?.filter_columns)
    }

    /// Returns the names of the statement's WITH queries.
    ///
    /// # Errors
    /// Same as for [`Statement::summary`].
    pub fn ctes(self) -> Result<Vec<String>, Error> {
        Ok(self.summary()?.ctes)
    }

    /// Returns the shift that converts locations in the tree to offsets in the statement's SQL.
    pub(super) fn shift(self) -> LocationShift {
        LocationShift(-((self.range().start + self.tree.padding) as i64))
    }

    /// Returns libpg_query's JSON document of this statement alone. It equals the output of `pg_query_parse` for
    /// [`Statement::sql`].
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    pub fn json(self, style: JsonStyle) -> Result<String, Error> {
        let mut out = Vec::new();
        self.write_json(style, &mut out)?;
        // `out` is UTF-8, because the strings of the tree are UTF-8 and the rest of the JSON is
        // ASCII.
        Ok(into_string(out))
    }

    /// Appends [`Statement::json`] to `out`.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit. In this case, `out` is unchanged.
    pub fn write_json(self, style: JsonStyle, out: &mut Vec<u8>) -> Result<(), Error> {
        let shift = self.shift();
        append_to(out, style, |writer| {
            writer.open();
            writer.statement(self.raw, shift, StatementPosition::Alone);
            writer.close();
        })
    }

    /// Normalizes this statement alone; see [`Tree::normalize`].
    ///
    /// # Errors
    /// Same as for [`Tree::normalize`].
    pub fn normalize(self, utility_only: bool) -> Result<Normalized, Error> {
        self.tree.normalize_subject(Some(self), utility_only)
    }

    /// Returns the statement as SQL. `options` contains the comments of the whole SQL. The statement gets the comments
    /// from the end of the previous statement to its own end.
    ///
    /// # Errors
    /// Same as for [`Tree::deparse`].
    pub fn deparse(self, options: &DeparseOptions) -> Result<String, Error> {
        let end_of = |index: usize| self.tree.statement(index).range().end;
        let from = if self.index == 0 { 0 } else { end_of(self.index - 1) };
        let to = if self.index + 1 == self.tree.len() { usize::MAX } else { self.range().end };
        if options.comments.is_empty() {
            return self.written(options);
        }
        let own = options.comments.iter().filter(|c| (from..to).contains(&c.position)).cloned().collect();
        let options = DeparseOptions { comments: own, ..options.clone() };
        self.written(&options)
    }

    fn written(self, options: &DeparseOptions) -> Result<String, Error> {
        let Tree { inner, padding, .. } = self.tree;
        let range = self.range();
        // Token positions are offsets in the parsed SQL. They match the range only if this SQL is still the tree's SQL.
        let tokens = inner.tokens().filter(|_| inner.has_own_text());
        let own = tokens.map(|tokens| tokens.within(range.start + padding..range.end + padding));
        deparse::of_parsed(std::iter::once(self.raw), options, *padding, inner.depth_bytes(range.len()), own)
    }
}
