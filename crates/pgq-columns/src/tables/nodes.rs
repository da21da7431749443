//! The table of parse-tree nodes, with one row per node.

use crate::kinds::{BigInt, Text};
use crate::table::columns;

columns! {
    /// A column of the table of nodes.
    NodeColumn, NodeRow, NodeBuilders;
    file File: Text, "", "input", "Name of the file";
    line Line: BigInt, "", "input", "Line in the file where the statement, or its log record, starts, from 1";
    offset Offset: BigInt, "bytes", "input", "Offset in the file where the statement, or its log record, starts";
    node Node: BigInt, "", "parser", "Number of the node in its statement, from 0: a node comes before what is inside it";
    parent Parent: BigInt, "", "parser", "Number of the parent node; NULL for a statement";
    field Field: Text, "", "parser", "Field of the parent node that contains this node, as in the JSON tree";
    node_type NodeType: Text, "", "parser", "Type of the node, such as SelectStmt";
    location Location: BigInt, "bytes", "parser", "Offset of the node in the statement";
    name Name: Text, "", "parser", "The node's first text that is not empty, except the names of its database, schema or namespace";
}
