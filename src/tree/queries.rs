//! Further properties of a statement: its parameters and columns, whether it is a utility statement, its nodes as SQL,
//! and shortened SQL.

use super::Statement;
use super::deparse;
use crate::convert::EmptyStrings;
use crate::convert::edit::EditTree;
use crate::convert::view::{ColumnRef, Node, NodeType, ParamRef};
use crate::error::{Error, ErrorKind};
use crate::options::DeparseOptions;
use crate::sys::BYTES_PER_LEVEL;

impl<'t> Statement<'t> {
    /// Returns whether the statement is a utility statement: any statement except SELECT, INSERT, UPDATE, DELETE and
    /// MERGE.
    #[must_use]
    pub fn is_utility(self) -> bool {
        use Node::{DeleteStmt, InsertStmt, MergeStmt, SelectStmt, UpdateStmt};
        !matches!(self.node(), Some(SelectStmt(_) | InsertStmt(_) | UpdateStmt(_) | DeleteStmt(_) | MergeStmt(_)))
    }

    /// Returns every occurrence of a parameter (`$1`), in the order of the SQL.
    pub fn params(self) -> impl Iterator<Item = ParamRef<'t>> {
        self.written_once()
    }

    /// Returns every reference to a column, in the order of the SQL. `t.*` is one reference.
    pub fn columns(self) -> impl Iterator<Item = ColumnRef<'t>> {
        self.written_once()
    }

    /// Returns the nodes of type `T`, once for each occurrence in the SQL.
    fn written_once<T: NodeType<'t>>(self) -> impl Iterator<Item = T> {
        self.walk().in_text_order().each_once().filter_map(|visit| visit.node.downcast())
    }

    /// Returns the statement in at most `limit` characters. Replaces lists of columns, lists of values, conditions and
    /// WITH queries with `...`, the deepest ones first, until the statement fits. If the statement is still too long,
    /// cuts it at the end. The result is intended for display, and can be invalid SQL.
    ///
    /// The time is quadratic in the depth of nested queries. A few hundred levels take tens of milliseconds.
    ///
    /// The result equals the result of libpg_query's `pg_query_summary` with a limit, except that `limit` is in
    /// characters instead of bytes.
    ///
    /// ```
    /// let tree = pgq::Tree::parse("SELECT a, b, c, d, e FROM t WHERE x = 1", &Default::default())?;
    /// assert_eq!(tree.statement(0).truncate(32)?, "SELECT ... FROM t WHERE x = 1");
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if libpg_query's deparser rejects the tree.
    pub fn truncate(self, limit: usize) -> Result<String, Error> {
        super::truncate::truncated(&self.edit()?, limit)
    }
}

impl Node<'_> {
    /// Returns the node as SQL. The node may be a statement, an expression, a type, a WITH query,
    /// or an item of FROM, of ORDER BY or of a column list.
    ///
    /// ```
    /// use pgq::nodes::AExpr;
    ///
    /// let tree = pgq::Tree::parse("SELECT 1 FROM t WHERE a = 1 AND b > 2", &Default::default())?;
    /// let conditions = tree.statement(0).node().unwrap().find::<AExpr>();
    /// let conditions: Result<Vec<_>, _> = conditions.map(|node| pgq::nodes::Node::from(node).deparse()).collect();
    /// assert_eq!(conditions?, ["a = 1", "b > 2"]);
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error for other nodes, and for a tree that libpg_query's deparser rejects.
    pub fn deparse(self) -> Result<String, Error> {
        let tree = EditTree::new();
        let (prefix, suffix) = super::fragment::wrap(&tree, self);
        if let Some(problem) = tree.problem() {
            return Err(problem.into());
        }
        let depth = self.walk().map(|visit| visit.depth).max().unwrap_or(0) + 4;
        let options = DeparseOptions::default();
        let statements = tree.tree().statements();
        let sql = deparse::joined(statements, &options, EmptyStrings::Distinct, 0, depth * BYTES_PER_LEVEL)?;
        if prefix.is_empty() && suffix.is_empty() {
            return Ok(sql);
        }
        match sql.strip_prefix(prefix).and_then(|sql| sql.strip_suffix(suffix)) {
            Some(sql) => Ok(sql.to_string()),
            None => Err(Error::new(ErrorKind::Tree, format!("{} cannot be written as SQL alone", self.name()))),
        }
    }
}
