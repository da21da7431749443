//! Reads, replaces and deparses nodes of editable trees. The setters are in src/convert/edit.

use std::ops::ControlFlow;
use std::str::FromStr;

use super::deparse;
use super::memory::Memory;
use super::{Statement, Tree};
use crate::convert::edit::{Any, Child, EditTree, NotReplaced};
use crate::convert::view::{Inside, MultiAssignRef, Node, NodeType, RangeVar, Visit, Walk};
use crate::convert::{EmptyStrings, relation_nodes};
use crate::error::{Error, ErrorKind};
use crate::options::{DeparseOptions, ParseOptions};

impl Tree {
    /// Copies the tree to new memory. Returns the copy as an editable tree.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    pub fn edit(&self) -> Result<EditTree, Error> {
        Ok(EditTree::copy_of(self.inner.tree(), self.padding)?)
    }

    /// Makes this tree editable in the parser's memory. Copies the tree only if its memory is not contiguous, or if the
    /// tree contains a node twice (`SET (a, b) = …`).
    ///
    /// # Errors
    /// Returns an error if the tree must be copied and is deeper than the stack limit.
    pub fn into_edit(self) -> Result<EditTree, Error> {
        match self.inner {
            Memory::Context(tree) => Ok(EditTree::of_parsed(tree, self.padding)?),
            Memory::Own(_) => self.edit(),
        }
    }
}

impl Statement<'_> {
    /// Returns an editable copy of this statement alone. The nodes of the copy have no locations.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    pub fn edit(self) -> Result<EditTree, Error> {
        let tree = EditTree::empty();
        tree.push(self.node());
        checked(&tree)?;
        Ok(tree)
    }
}

impl Default for EditTree {
    fn default() -> Self {
        Self::new()
    }
}

impl EditTree {
    /// Creates a tree without statements.
    #[must_use]
    pub fn new() -> Self {
        Self::empty()
    }

    /// Parses `sql` into an editable tree.
    ///
    /// # Errors
    /// Same as for [`Tree::parse`].
    pub fn parse(sql: &str, options: &ParseOptions) -> Result<Self, Error> {
        Tree::parse(sql, options)?.into_edit()
    }

    /// Returns the number of statements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.raw_list().len()
    }

    /// Returns whether the tree has no statements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the node of statement `index`; `None` if there is no such statement.
    #[inline]
    #[must_use]
    pub fn statement(&self, index: usize) -> Option<Node<'_>> {
        statement_node(self.raw_list().get(index)?)
    }

    /// Returns the nodes of all statements.
    #[inline]
    pub fn statements(&self) -> impl Iterator<Item = Node<'_>> {
        self.raw_list().nodes().filter_map(statement_node)
    }

    /// Iterates over every node of every statement. If a node is replaced during the walk, the walk visits the nodes
    /// inside the old node, and not the new node.
    ///
    /// The expression of `SET (a, b) = (SELECT …)` belongs to all columns, but the walk visits it only with the first
    /// column.
    ///
    /// To wrap a node, put a copy of it into the new node. Later edits of the old node do not change the copy.
    /// Therefore edit inner nodes before outer nodes.
    ///
    /// ```
    /// use pgq::nodes::Node;
    ///
    /// let tree = pgq::EditTree::parse("SELECT a FROM t WHERE a IN (SELECT b FROM u WHERE c)", &Default::default())?;
    /// let visits: Vec<_> = tree.walk().collect();
    /// for visit in visits.into_iter().rev() {
    ///     let Node::SelectStmt(select) = visit.node else { continue };
    ///     let tenant = tree.equals(tree.column(["tenant"]), tree.integer(7));
    ///     if let Some(condition) = select.where_clause() {
    ///         tree.edit(select).where_clause(tree.and([tree.copied(condition), tenant]));
    ///     }
    /// }
    /// let sql = tree.deparse(&Default::default())?;
    /// assert_eq!(sql, "SELECT a FROM t WHERE a IN (SELECT b FROM u WHERE c AND tenant = 7) AND tenant = 7");
    /// # Ok::<(), pgq::Error>(())
    /// ```
    #[must_use]
    pub fn walk(&self) -> Walk<'_> {
        Walk::of_all(self.statements()).each_once()
    }

    /// Calls `f` with every node of every statement until `f` breaks; see [`Node::visit`]. `f` may edit the tree. If it
    /// changes nodes inside or after the current node, the new nodes are visited instead of the old ones.
    #[inline]
    pub fn visit<'t, B>(&'t self, mut f: impl FnMut(Node<'t>) -> ControlFlow<B, Inside>) -> ControlFlow<B> {
        self.statements().try_for_each(|node| node.visit(&mut f))
    }

    /// Iterates over every node of type `T`.
    pub fn find<'t, T: NodeType<'t>>(&'t self) -> impl Iterator<Item = T> + use<'t, T> {
        self.walk().filter_map(|visit| T::from_node(visit.node))
    }

    /// Returns the nodes of the tables and other relations of all statements; see [`Statement::table_nodes`].
    ///
    /// ```
    /// let sql = "WITH recent AS (SELECT * FROM orders) SELECT * FROM recent \
    ///            JOIN users USING (id) FOR UPDATE OF users";
    /// let tree = pgq::EditTree::parse(sql, &Default::default())?;
    /// for table in tree.table_nodes()? {
    ///     tree.edit(table).schemaname("shop");
    /// }
    /// let sql = tree.deparse(&Default::default())?;
    /// let expected = "WITH recent AS (SELECT * FROM shop.orders) SELECT * FROM recent \
    ///                 JOIN shop.users USING (id) FOR UPDATE OF users";
    /// assert_eq!(sql, expected);
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    pub fn table_nodes(&self) -> Result<Vec<RangeVar<'_>>, Error> {
        Ok(relation_nodes(self.tree().statements(), 0)?)
    }

    /// Replaces a node that [`EditTree::walk`] has returned. To wrap the node, pass a new node that contains a copy of
    /// it.
    ///
    /// ```
    /// use pgq::nodes::Node;
    ///
    /// let tree = pgq::EditTree::parse("SELECT * FROM t WHERE a OR b", &Default::default())?;
    /// for visit in tree.walk() {
    ///     if visit.field == "whereClause" {
    ///         let tenant = tree.equals(tree.column(["tenant"]), tree.integer(7));
    ///         tree.replace(visit, tree.and([tree.copied(visit.node), tenant]))?;
    ///     }
    /// }
    /// let sql = tree.deparse(&Default::default())?;
    /// assert_eq!(sql, "SELECT * FROM t WHERE (a OR b) AND tenant = 7");
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the node belongs to another tree or has moved, or if the field requires a different type.
    pub fn replace<'a>(&'a self, visit: Visit<'_>, new: impl Child<'a, Any>) -> Result<(), Error> {
        let refused = |message: String| Err(Error::new(ErrorKind::Tree, message));
        let Some(parent) = visit.parent else {
            let index = self.statements().position(|node| std::ptr::eq(node.c(), visit.node.c()));
            return match index {
                Some(index) if self.put_statement(index, new) => Ok(()),
                Some(_) => refused("a statement cannot be replaced by nothing".into()),
                None => refused(format!("the {} is not a statement of this tree", visit.node.name())),
            };
        };
        match self.put((parent, visit.field, visit.index), visit.node, new) {
            Ok(()) => {
                if let Node::MultiAssignRef(column) = parent {
                    self.replace_in_other_columns(visit.node, column);
                }
                Ok(())
            }
            Err(NotReplaced::Moved) => {
                refused(format!("the {} is not in {} of this tree any more", visit.node.name(), visit.field))
            }
            Err(NotReplaced::WrongType) => {
                refused(format!("{} of {} accepts only nodes of its own type", visit.field, parent.name()))
            }
        }
    }

    /// Replaces `old` in the remaining columns of `SET (a, b) = …`, which share one expression.
    /// `old` was already replaced in `column`.
    fn replace_in_other_columns(&self, old: Node<'_>, column: MultiAssignRef<'_>) {
        for other in self.find::<MultiAssignRef<'_>>() {
            if other.source().is_some_and(|source| source.c() == old.c()) {
                self.share_source(column, other);
            }
        }
    }

    /// Checks all edits up to now. Reports only the first problem.
    ///
    /// # Errors
    /// Returns an error if a view of another tree was edited, a string contains a NUL byte, or a number is out of
    /// range.
    pub fn check(&self) -> Result<(), Error> {
        checked(self)
    }

    /// Returns all statements as SQL, joined by `; `. With [`DeparseOptions::verify`] the SQL is parsed again and
    /// compared with the tree.
    ///
    /// # Errors
    /// Returns an error if an edit was invalid or if libpg_query's deparser rejects the tree. With verification, also
    /// returns an error if the parser never produces such a tree.
    pub fn deparse(&self, options: &DeparseOptions) -> Result<String, Error> {
        checked(self)?;
        deparse::joined(self.tree().statements(), options, EmptyStrings::Distinct, 0, self.depth_bytes())
    }

    /// Converts the tree to an immutable tree that threads can share. The new tree has no SQL, therefore it cannot be
    /// normalized.
    ///
    /// # Errors
    /// Returns an error if an edit was invalid.
    pub fn freeze(self) -> Result<Tree, Error> {
        checked(&self)?;
        Ok(Tree::without_text(self.to_arena_tree()?))
    }
}

/// Parses with the default options.
impl FromStr for EditTree {
    type Err = Error;
    fn from_str(sql: &str) -> Result<Self, Error> {
        Self::parse(sql, &ParseOptions::default())
    }
}

fn checked(tree: &EditTree) -> Result<(), Error> {
    tree.problem().map_or(Ok(()), |problem| Err(problem.into()))
}

fn statement_node(raw: Node<'_>) -> Option<Node<'_>> {
    match raw {
        Node::RawStmt(raw) => raw.stmt(),
        _ => None,
    }
}
