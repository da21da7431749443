//! A node of a tree, as a plain value. `src/tree/node_list.rs` lists those of a statement.

/// A node of a statement, from [`crate::Statement::for_each_node`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeInfo<'a> {
    /// Its number. A node comes before the nodes inside it.
    pub number: usize,
    /// The number of the node around it; `None` for the statement.
    pub parent: Option<usize>,
    /// The field of that node, as in libpg_query's JSON: `whereClause`. `stmt` for the statement,
    /// `items` in a list.
    pub field: &'static str,
    /// Its type, as in libpg_query's JSON: `SelectStmt`.
    pub node_type: &'static str,
    /// Where it is in the statement's text, in bytes; `None` if the parser does not know.
    pub location: Option<usize>,
    /// Its first text that is not empty: the name of a table or column, the value of a string. The
    /// names of its database, schema and namespace do not count.
    pub name: Option<&'a str>,
}
