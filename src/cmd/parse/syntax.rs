//! `pgq parse --syntax`: concrete syntax trees, as JSON.

use pgq::{Error, SyntaxTree};

use crate::run::report::indent;
use crate::run::statements::{Statement, StatementHandler};

/// Prints the syntax tree of each statement.
#[derive(Clone)]
pub struct SyntaxPrinter {
    pub indented: bool,
}

impl StatementHandler for SyntaxPrinter {
    const KEY: &'static str = "syntax";
    const NEEDS_TREE: bool = false;
    const WITH_COMMENTS: bool = true;

    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        SyntaxTree::parse(statement.text)?.write_json(0, out);
        Ok(())
    }

    fn text(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut json = Vec::new();
        self.json(statement, &mut json)?;
        match self.indented {
            true => indent(&json, out),
            false => out.extend_from_slice(&json),
        }
        out.push(b'\n');
        Ok(())
    }
}
