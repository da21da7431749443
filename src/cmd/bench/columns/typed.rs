//! Statically typed Arrow builders for messages decoded by prost, for the C tree, and for the tokens of pgq's lexer.

use arrow_array::RecordBatch;
use pgq::proto::{KeywordKind, Token};
use pgq::{Error, NodeInfo, ParseOptions, Tree, reference};
use pgq_columns::{NodeColumn, NodeRow, RowBuilder, TokenColumn, TokenRow};

use super::{NODE_COLUMNS, TOKEN_COLUMNS, Table, UNKNOWN, schema_of};

/// Builders for tokens and nodes.
pub struct TypedBuilders {
    tokens: RowBuilder<TokenColumn>,
    nodes: RowBuilder<NodeColumn>,
}

impl TypedBuilders {
    pub fn new() -> Self {
        Self {
            tokens: RowBuilder::new(&TOKEN_COLUMNS, schema_of(Table::Tokens)),
            nodes: RowBuilder::new(&NODE_COLUMNS, schema_of(Table::Nodes)),
        }
    }

    /// Appends the tokens of pgq's lexer.
    pub fn append_raw_tokens(&mut self, sql: &str) -> Result<(), Error> {
        for token in pgq::scan(sql)? {
            self.append_token(token.start as i64, token.end as i64, token.name(), token.keyword_name());
        }
        Ok(())
    }

    /// Appends the nodes of the C tree.
    pub fn append_raw_nodes(&mut self, sql: &str) -> Result<(), Error> {
        let tree = Tree::parse(sql, &ParseOptions::normalized())?;
        tree.statements()
            .fold(0, |first, statement| statement.for_each_node(first, |node| append_node(&mut self.nodes, node)));
        Ok(())
    }

    /// Decodes Protobuf bytes and appends their tokens.
    pub fn append_decoded_tokens(&mut self, bytes: &[u8]) -> Result<(), Error> {
        for token in reference::decode_tokens(bytes)?.tokens {
            let name = Token::try_from(token.token).map_or(UNKNOWN, |token| token.as_str_name());
            let keyword = KeywordKind::try_from(token.keyword_kind).map_or(UNKNOWN, |keyword| keyword.as_str_name());
            self.append_token(token.start.into(), token.end.into(), name, keyword);
        }
        Ok(())
    }

    /// Decodes Protobuf bytes and appends their nodes.
    pub fn append_decoded_nodes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let tree = reference::decode_tree(bytes)?;
        reference::for_each_node(&tree, |node| append_node(&mut self.nodes, node))
    }

    fn append_token(&mut self, start: i64, end: i64, token: &str, keyword: &str) {
        self.tokens.append(&TokenRow {
            start: Some(start),
            end: Some(end),
            token: Some(token),
            keyword: Some(keyword),
            ..TokenRow::default()
        });
    }

    pub fn rows(&self, table: Table) -> usize {
        match table {
            Table::Tokens => self.tokens.len(),
            Table::Nodes => self.nodes.len(),
        }
    }

    pub fn finish(&mut self, table: Table) -> RecordBatch {
        let rows = match table {
            Table::Tokens => self.tokens.finish(),
            Table::Nodes => self.nodes.finish(),
        };
        rows.map_or_else(|| RecordBatch::new_empty(schema_of(table)), |rows| rows.into_batch())
    }
}

#[inline]
fn append_node(nodes: &mut RowBuilder<NodeColumn>, node: &NodeInfo<'_>) {
    nodes.append(&NodeRow {
        node: Some(node.number as i64),
        parent: node.parent.map(|parent| parent as i64),
        field: Some(node.field),
        node_type: Some(node.node_type),
        location: node.location.map(|location| location as i64),
        name: node.name,
        ..NodeRow::default()
    });
}
