//! Writes the nodes of parse trees as rows of a table.

use pgq::Error;
use pgq_columns::{NodeColumn, NodeRow};

use crate::run::input::Granularity;
use crate::run::report::{RowBuffer, RowLayout, Rows};
use crate::run::statements::{Statement, StatementHandler};

/// Writes a row for each node.
pub struct NodeRows(RowBuffer<NodeColumn>);

impl NodeRows {
    pub fn new(layout: &RowLayout<NodeColumn>) -> Self {
        Self(RowBuffer::new(layout))
    }

    /// Appends the nodes of a statement that begins at byte `start` of its record. Nodes are
    /// numbered from `first`. Returns the number of the next statement's first node.
    fn append(&mut self, statement: &Statement<'_>, parsed: pgq::Statement<'_>, start: usize, first: usize) -> usize {
        let location = statement.location();
        let number = |value: usize| i64::try_from(value).ok();
        parsed.for_each_node(first, |node| {
            self.0.append(&NodeRow {
                file: Some(location.file),
                line: i64::try_from(location.line).ok(),
                offset: i64::try_from(location.offset).ok(),
                node: number(node.number),
                parent: node.parent.and_then(number),
                field: Some(node.field),
                node_type: Some(node.node_type),
                location: node.location.and_then(|location| number(start + location)),
                name: node.name,
            });
        })
    }
}

impl StatementHandler for NodeRows {
    type Output = Rows;

    const KEY: &'static str = "tree";
    const NEEDS_TREE: bool = true;
    const WITH_LOCATIONS: bool = true;

    fn statement(&mut self, statement: &Statement<'_>, _: bool, _: &mut Vec<u8>) -> Result<(), Error> {
        let (tree, index) = statement.tree();
        match statement.granularity {
            Granularity::Statement => {
                self.append(statement, tree.statement(index), 0, 0);
            }
            Granularity::Record => {
                let append =
                    |first, parsed: pgq::Statement<'_>| self.append(statement, parsed, parsed.range().start, first);
                tree.statements().fold(0, append);
            }
        }
        Ok(())
    }

    /// Returns false, because rows include the statement's position.
    fn depends_on_text_only(&self, _: Granularity) -> bool {
        false
    }

    fn take(&mut self, _: Vec<u8>) -> Rows {
        self.0.take()
    }
}
