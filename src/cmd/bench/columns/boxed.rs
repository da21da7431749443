//! Boxed Arrow builders. Code that handles arbitrary messages does not know the column types at compile time. Therefore
//! it stores each builder as `Box<dyn ArrayBuilder>`, and downcasts the builder for every value.

use arrow_array::RecordBatch;
use arrow_array::builder::{ArrayBuilder, Int64Builder, StringBuilder, make_builder};

use super::{Table, schema_of};

/// Builders for tokens and nodes.
pub struct BoxedBuilders {
    tokens: Vec<Box<dyn ArrayBuilder>>,
    nodes: Vec<Box<dyn ArrayBuilder>>,
    /// Number of the next node in its statement.
    pub next_node: usize,
}

fn builders(table: Table) -> Vec<Box<dyn ArrayBuilder>> {
    schema_of(table).fields().iter().map(|field| make_builder(field.data_type(), 0)).collect()
}

impl BoxedBuilders {
    pub fn new() -> Self {
        Self { tokens: builders(Table::Tokens), nodes: builders(Table::Nodes), next_node: 0 }
    }

    fn of(&mut self, table: Table) -> &mut [Box<dyn ArrayBuilder>] {
        match table {
            Table::Tokens => &mut self.tokens,
            Table::Nodes => &mut self.nodes,
        }
    }

    fn column<B: ArrayBuilder>(&mut self, table: Table, column: usize) -> &mut B {
        self.of(table)[column].as_any_mut().downcast_mut().expect("the builder of the column's type")
    }

    pub fn append_number(&mut self, table: Table, column: usize, value: Option<i64>) {
        self.column::<Int64Builder>(table, column).append_option(value);
    }

    pub fn append_text(&mut self, table: Table, column: usize, value: Option<&str>) {
        self.column::<StringBuilder>(table, column).append_option(value);
    }

    pub fn rows(&self, table: Table) -> usize {
        match table {
            Table::Tokens => self.tokens[0].len(),
            Table::Nodes => self.nodes[0].len(),
        }
    }

    pub fn finish(&mut self, table: Table) -> RecordBatch {
        let arrays = self.of(table).iter_mut().map(|builder| builder.finish()).collect();
        RecordBatch::try_new(schema_of(table), arrays).expect("columns of the schema's types")
    }
}
