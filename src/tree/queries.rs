//! Further questions about a statement: its parameters and columns, whether it is a utility statement, any of its nodes
//! as SQL, and a shortened text.

use super::Statement;
use super::deparse;
use crate::convert::EmptyStrings;
use crate::convert::edit::EditTree;
use crate::convert::view::{ColumnRef, Node, NodeType, ParamRef};
use crate::error::{Error, ErrorKind};
use crate::options::DeparseOptions;
use crate::sys::BYTES_PER_LEVEL;

impl<'t> Statement<'t> {
    /// Returns whether it is a utility statement: not SELECT, INSERT, UPDATE, DELETE or MERGE.
    #[must_use]
    pub fn is_utility(self) -> bool {
        use Node::{DeleteStmt, InsertStmt, MergeStmt, SelectStmt, UpdateStmt};
        !matches!(self.node(), Some(SelectStmt(_) | InsertStmt(_) | UpdateStmt(_) | DeleteStmt(_) | MergeStmt(_)))
    }

    /// Returns every occurrence of a parameter (`$1`), in the order of the text.
    pub fn params(self) -> impl Iterator<Item = ParamRef<'t>> {
        self.written_once()
    }

    /// Returns every reference to a column, in the order of the text. `t.*` is one reference.
    pub fn columns(self) -> impl Iterator<Item = ColumnRef<'t>> {
        self.written_once()
    }

    /// Returns the nodes of a type, once for each occurrence in the text.
    fn written_once<T: NodeType<'t>>(self) -> impl Iterator<Item = T> {
        self.walk().in_text_order().each_once().filter_map(|visit| visit.node.downcast())
    }

    /// Returns the statement in at most `limit` characters. Inner lists of columns, values and conditions are replaced
    /// by `...` until it fits, the deepest first. If it is still longer, its end is cut. The result is for people and
    /// need not parse.
    ///
    /// The time grows with the square of the depth of nested queries: a few hundred levels take tens of milliseconds.
    ///
    /// Equals libpg_query's `pg_query_summary` with a limit, except that the limit is in characters and not in bytes.
    ///
    /// ```
    /// let tree = pgq::Tree::parse("SELECT a, b, c, d, e FROM t WHERE x = 1", &Default::default())?;
    /// assert_eq!(tree.statement(0).truncate(32)?, "SELECT ... FROM t WHERE x = 1");
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// A tree that libpg_query's deparser rejects.
    pub fn truncate(self, limit: usize) -> Result<String, Error> {
        super::truncate::truncated(&self.edit()?, limit)
    }
}

impl Node<'_> {
    /// Returns the node as SQL. It may be a statement, an expression, an item of FROM, of a column list or of ORDER BY,
    /// a type, or a WITH query.
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
    /// A node of another kind, and a tree that libpg_query's deparser rejects.
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
