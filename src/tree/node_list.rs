//! Lists the nodes of a statement as plain values, for output as a table with one row per node.

use super::Statement;
use crate::convert::view::node_info::NodeInfo;
use crate::convert::view::{Constant, FieldValue, Node};

/// A node that was not visited yet.
struct Pending<'t> {
    node: Node<'t>,
    parent: Option<usize>,
    field: &'static str,
}

/// Fields that qualify the name of a node.
const QUALIFIERS: [&str; 3] = ["catalogname", "schemaname", "defnamespace"];

impl Statement<'_> {
    /// Calls `visit` for each node of the statement, parents before children, in the order of [`Node::walk`]. Numbers
    /// the nodes from `first`. Returns the next free number.
    ///
    /// ```
    /// let tree = pgq::Tree::parse("SELECT a FROM t", &Default::default())?;
    /// let mut tables = Vec::new();
    /// tree.statement(0).for_each_node(0, |node| {
    ///     if node.node_type == "RangeVar" {
    ///         tables.push((node.name.unwrap_or_default().to_string(), node.location));
    ///     }
    /// });
    /// assert_eq!(tables, [("t".to_string(), Some(14))]);
    /// # Ok::<(), pgq::Error>(())
    /// ```
    pub fn for_each_node(self, first: usize, mut visit: impl FnMut(&NodeInfo<'_>)) -> usize {
        let root = self.node().map(|node| Pending { node, parent: None, field: "stmt" });
        let mut pending: Vec<Pending<'_>> = root.into_iter().collect();
        let mut next = first;
        while let Some(Pending { node, parent, field }) = pending.pop() {
            let number = next;
            next += 1;
            let (mut name, mut constant) = (None, Constant::Null);
            let siblings = pending.len();
            let mut push = |node, field| pending.push(Pending { node, parent: Some(number), field });
            node.for_each_field(|field| match field.value {
                FieldValue::Text(Some(text)) if name.is_none() && !QUALIFIERS.contains(&field.name) => {
                    name = Some(text).filter(|text| !text.is_empty());
                }
                FieldValue::Node(Some(child)) | FieldValue::Typed(Some(child)) | FieldValue::Embedded(child) => {
                    push(child, field.name);
                }
                FieldValue::List(list) => list.nodes().for_each(|child| push(child, field.name)),
                FieldValue::Constant(value) => constant = value,
                _ => {}
            });
            // Reverse the children, because the last element of `pending` is visited next.
            pending[siblings..].reverse();
            let location = usize::try_from(self.shift().apply(node.raw_location())).ok();
            visit(&NodeInfo { number, parent, field, node_type: node.name(), location, name });
            if let Some((node_type, field, name)) = value_node(constant) {
                visit(&NodeInfo { number: next, parent: Some(number), field, node_type, location: None, name });
                next += 1;
            }
        }
        next
    }
}

/// Returns the type, the field and the text of the node in which PostgreSQL stores a constant's
/// value.
fn value_node(value: Constant<'_>) -> Option<(&'static str, &'static str, Option<&str>)> {
    let (node_type, field, text) = match value {
        Constant::Null => return None,
        Constant::Integer(_) => ("Integer", "ival", ""),
        Constant::Float(text) => ("Float", "fval", text),
        Constant::Boolean(_) => ("Boolean", "boolval", ""),
        Constant::String(text) => ("String", "sval", text),
        Constant::BitString(text) => ("BitString", "bsval", text),
    };
    Some((node_type, field, Some(text).filter(|text| !text.is_empty())))
}
