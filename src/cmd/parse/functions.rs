//! `pgq parse --plpgsql`: prints PL/pgSQL functions in libpg_query's JSON.

use pgq::{Error, Tree};

use super::document::Framing;
use crate::run::input::{Granularity, StatementBatch};
use crate::run::statements::{Statement, StatementHandler};

/// Prints the PL/pgSQL functions that CREATE FUNCTION and CREATE PROCEDURE define, and the blocks of DO statements.
#[derive(Clone)]
pub struct Functions {
    /// Whether all functions of a script are members of one JSON document.
    pub is_document: bool,
}

/// Writes brackets around functions and commas between them, as libpg_query's `pg_query_parse_plpgsql` does.
pub struct FunctionList;

impl Framing for FunctionList {
    const SEPARATOR: &'static [u8] = b",\n";

    fn open(&self, has_members: bool, out: &mut Vec<u8>) {
        out.extend_from_slice(if has_members { b"[\n" } else { b"[" });
    }

    fn close(&self, has_members: bool, out: &mut Vec<u8>) {
        out.extend_from_slice(if has_members { b"\n]" } else { b"]" });
    }
}

impl Functions {
    /// Appends the functions of `statements`.
    fn append<'t>(
        statements: impl Iterator<Item = pgq::Statement<'t>>,
        separator: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let start = out.len();
        for function in statements.filter_map(pgq::Statement::plpgsql) {
            if out.len() > start {
                out.extend_from_slice(separator);
            }
            out.extend_from_slice(function?.json().as_bytes());
        }
        Ok(())
    }
}

impl StatementHandler for Functions {
    type Output = Vec<u8>;

    const KEY: &'static str = "functions";
    const NEEDS_TREE: bool = true;

    /// Writes the functions of a statement or record on one line.
    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        let (tree, index) = statement.tree();
        out.push(b'[');
        match statement.granularity {
            Granularity::Statement => Self::append(std::iter::once(tree.statement(index)), b",", out)?,
            Granularity::Record => Self::append(tree.statements(), b",", out)?,
        }
        out.push(b']');
        if !json {
            out.push(b'\n');
        }
        Ok(())
    }

    fn take(&mut self, text: Vec<u8>) -> Vec<u8> {
        text
    }

    /// Writes the functions of a script as members of one document.
    fn batch(
        &mut self,
        batch: &StatementBatch<'_>,
        _: &str,
        tree: &Tree,
        out: &mut Vec<u8>,
    ) -> Option<Result<(), Error>> {
        if !self.is_document || batch.granularity == Granularity::Record {
            return None;
        }
        let start = out.len();
        if start > 0 {
            out.extend_from_slice(FunctionList::SEPARATOR);
        }
        let members = out.len();
        let appended = Self::append(tree.statements(), FunctionList::SEPARATOR, out);
        if appended.is_err() || out.len() == members {
            out.truncate(start);
        }
        Some(appended)
    }
}
