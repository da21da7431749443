//! Writes the tokens of statements as rows of a table.

use pgq::Error;
use pgq_columns::{TokenColumn, TokenRow};

use crate::run::report::{RowBuffer, RowLayout, Rows};
use crate::run::statements::{Statement, StatementHandler};

/// Writes a row for each token.
pub struct TokenRows(RowBuffer<TokenColumn>);

impl TokenRows {
    pub fn new(layout: &RowLayout<TokenColumn>) -> Self {
        Self(RowBuffer::new(layout))
    }
}

impl StatementHandler for TokenRows {
    type Output = Rows;

    const KEY: &'static str = "tokens";
    const NEEDS_TREE: bool = false;
    const WITH_COMMENTS: bool = true;

    fn statement(&mut self, statement: &Statement<'_>, _: bool, _: &mut Vec<u8>) -> Result<(), Error> {
        let location = statement.location();
        for token in pgq::scan(statement.text)? {
            self.0.append(&TokenRow {
                file: Some(location.file),
                line: i64::try_from(location.line).ok(),
                offset: i64::try_from(location.offset).ok(),
                start: i64::try_from(statement.original_offset(token.start)).ok(),
                end: i64::try_from(statement.original_offset(token.end)).ok(),
                token: Some(token.name()),
                keyword: Some(token.keyword_name()),
                text: Some(&statement.text[token.start..token.end]),
            });
        }
        Ok(())
    }

    fn take(&mut self, _: Vec<u8>) -> Rows {
        self.0.take()
    }
}
