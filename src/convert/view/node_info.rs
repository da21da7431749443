//! A node of a tree as a plain value. `src/tree/node_list.rs` lists the nodes of a statement.

/// A node of a statement, from [`crate::Statement::for_each_node`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeInfo<'a> {
    /// Its number. Parents have lower numbers than their children.
    pub number: usize,
    /// Number of its parent; `None` for the statement's node.
    pub parent: Option<usize>,
    /// The parent's field that contains it, as in libpg_query's JSON: `whereClause`. `stmt` for the statement's node,
    /// `items` for a member of a nested list.
    pub field: &'static str,
    /// Its type, as in libpg_query's JSON: `SelectStmt`.
    pub node_type: &'static str,
    /// Byte offset in the statement's text; `None` if the parser does not know it.
    pub location: Option<usize>,
    /// Its first string that is not empty: the name of a table or column, or the value of a string. Database, schema
    /// and namespace do not count.
    pub name: Option<&'a str>,
}
