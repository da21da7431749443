//! Trees in memory of their own that threads can share.

use super::deparse;
use super::document::append_to;
use super::walk::Walk;
use super::{JsonStyle, Parsed, Tree, fingerprint_of};
use crate::convert::edit::{ConstantValues, EditTree};
use crate::convert::summary::Summary;
use crate::convert::view::{Node, RangeVar, RawStmt, node_of, raw_node_of};
use crate::convert::{self, ArenaTree, EmptyStrings, LocationShift, StatementPosition, relation_nodes, summarize};
use crate::error::Error;
use crate::options::{DeparseOptions, FingerprintOptions};
use crate::parse::into_string;
use crate::sys::{BYTES_PER_LEVEL, Subject};
use crate::tree::fingerprint::Fingerprinted;

/// A tree in memory of its own, `Send` and `Sync`: it may be kept in a cache, read by any number of
/// threads at once, and freed on any of them.
///
/// ```
/// use pgq::nodes::RangeVar;
///
/// let tree = pgq::Tree::parse("SELECT 1 FROM t", &Default::default())?.to_owned()?;
/// let tables = std::thread::scope(|scope| {
///     scope.spawn(|| tree.walk().filter(|visit| visit.node.downcast::<RangeVar>().is_some()).count()).join()
/// });
/// assert_eq!(tables.unwrap(), 1);
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct OwnedTree {
    inner: ArenaTree,
    sql: Box<str>,
}

impl Tree {
    /// A copy of the tree in memory of its own, which threads can share.
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    pub fn to_owned(&self) -> Result<OwnedTree, Error> {
        let inner = convert::copied_tree(self.inner.tree(), self.padding)?;
        Ok(OwnedTree::new(inner, self.sql().to_string()))
    }
}

impl OwnedTree {
    pub(super) fn new(inner: ArenaTree, sql: String) -> Self {
        Self { inner, sql: sql.into_boxed_str() }
    }

    /// The text that was parsed; empty for a tree that was edited.
    #[must_use]
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// About how many bytes of memory the tree takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.inner.bytes() + self.sql.len()
    }

    /// The number of statements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.tree().len()
    }

    /// Whether there is no statement.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node of statement `index`; `None` behind the last one.
    #[must_use]
    pub fn statement(&self, index: usize) -> Option<Node<'_>> {
        node_of(self.inner.tree().statements().nth(index)?, 0)
    }

    /// The nodes of all statements.
    pub fn statements(&self) -> impl Iterator<Item = Node<'_>> {
        self.inner.tree().statements().filter_map(|raw| node_of(raw, 0))
    }

    /// The nodes of all statements, each with the `RawStmt` around it, which has the statement's range in the text.
    pub fn raw_statements(&self) -> impl Iterator<Item = RawStmt<'_>> {
        self.inner.tree().statements().map(|raw| raw_node_of(raw, 0))
    }

    /// Every node of every statement, in the order of the text.
    #[must_use]
    pub fn walk(&self) -> Walk<'_> {
        Walk::new(self.statements())
    }

    /// What statement `index` refers to.
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    ///
    /// # Panics
    /// When there is no such statement.
    pub fn summary(&self, index: usize) -> Result<Summary, Error> {
        Ok(summarize(self.inner.tree().statement(index), 0)?)
    }

    /// The nodes of the tables of all statements, and of other relations: see
    /// [`Statement::table_nodes`](crate::Statement::table_nodes).
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    pub fn table_nodes(&self) -> Result<Vec<RangeVar<'_>>, Error> {
        Ok(relation_nodes(self.inner.tree().statements(), 0)?)
    }

    /// The fingerprint of all statements together.
    ///
    /// # Errors
    /// As for [`Tree::fingerprint`].
    pub fn fingerprint(&self, options: &FingerprintOptions) -> Result<Fingerprinted, Error> {
        fingerprint_of(Subject::Tree(self.inner.tree()), options)
    }

    /// libpg_query's JSON document of all statements.
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    pub fn to_json(&self, style: JsonStyle) -> Result<String, Error> {
        let mut out = Vec::new();
        append_to(&mut out, style, |writer| {
            writer.open();
            for (index, statement) in self.inner.tree().statements().enumerate() {
                if index > 0 {
                    writer.comma();
                }
                writer.statement(statement, LocationShift(0), StatementPosition::AsParsed);
            }
            writer.close();
        })?;
        Ok(into_string(out))
    }

    /// The tree as prost structs.
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    pub fn to_prost(&self) -> Result<Parsed, Error> {
        Parsed::new(convert::to_prost(self.inner.tree())?, Vec::new())
    }

    /// A copy that can be changed.
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    pub fn edit(&self) -> Result<EditTree, Error> {
        Ok(EditTree::copy_of(self.inner.tree(), 0)?)
    }

    /// [`OwnedTree::edit`] with other values of constants.
    pub(crate) fn edit_with_constants(&self, values: ConstantValues<'_>) -> Result<EditTree, Error> {
        Ok(EditTree::copy_with(self.inner.tree(), 0, Some(values))?)
    }

    /// All statements as SQL, joined by `; `.
    ///
    /// # Errors
    /// As for [`Tree::deparse`].
    pub fn deparse(&self, options: &DeparseOptions) -> Result<String, Error> {
        let tree = self.inner.tree();
        let depth = self.inner.depth() * BYTES_PER_LEVEL;
        deparse::joined(tree.statements(), options, EmptyStrings::Distinct, 0, depth)
    }
}
