//! `pgq parse --syntax`: prints concrete syntax trees in JSON.

use pgq::{Error, SyntaxTree};

use crate::run::report::indent;
use crate::run::statements::{Statement, StatementHandler};

#[derive(Clone)]
pub struct SyntaxPrinter {
    pub indented: bool,
}

impl StatementHandler for SyntaxPrinter {
    type Output = Vec<u8>;

    const KEY: &'static str = "syntax";
    const NEEDS_TREE: bool = false;
    const WITH_COMMENTS: bool = true;

    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        let tree = SyntaxTree::parse(statement.text)?;
        if json {
            tree.write_json(0, out);
            return Ok(());
        }
        let mut compact = Vec::new();
        tree.write_json(0, &mut compact);
        match self.indented {
            true => indent(&compact, out),
            false => out.extend_from_slice(&compact),
        }
        out.push(b'\n');
        Ok(())
    }

    fn take(&mut self, text: Vec<u8>) -> Vec<u8> {
        text
    }
}
