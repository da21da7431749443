//! A node of a tree as a plain value. `src/tree/node_list.rs` produces these values.

/// A node of a statement, from [`crate::Statement::for_each_node`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeInfo<'a> {
    /// Number of the node. A parent has a lower number than its children.
    pub number: usize,
    /// Number of the parent; `None` for the statement's node.
    pub parent: Option<usize>,
    /// Name, in libpg_query's JSON, of the parent's field that contains the node, such as `whereClause`. It is `stmt`
    /// for the statement's node, and `items` for a member of a nested list.
    pub field: &'static str,
    /// The node type in libpg_query's JSON, such as `SelectStmt`.
    pub node_type: &'static str,
    /// Byte offset in the statement's SQL; `None` if the parser does not know it.
    pub location: Option<usize>,
    /// The node's first non-empty string, such as the name of a table or column, or the value of a string. The names of
    /// databases, schemas and namespaces do not count.
    pub name: Option<&'a str>,
}
