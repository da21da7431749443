//! SQL from SQL.

use pgq::{DeparseOptions, Error, Tree};

use crate::input::Granularity;
use crate::report::quote;
use crate::statements::{Statement, StatementHandler};

/// Writes SQL anew.
#[derive(Clone)]
pub struct Reformatter {
    pub options: DeparseOptions,
    pub keep_comments: bool,
}

impl Reformatter {
    fn deparse(&self, statement: &Statement<'_>) -> Result<String, Error> {
        let (tree, index) = statement.tree();
        match statement.granularity {
            Granularity::Statement => tree.statement(index).deparse(&self.options),
            Granularity::Record => tree.deparse(&self.options),
        }
    }
}

impl StatementHandler for Reformatter {
    const KEY: &'static str = "sql";
    const NEEDS_TREE: bool = true;

    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        quote(&self.deparse(statement)?, out);
        Ok(())
    }

    fn text(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let sql = self.deparse(statement)?;
        out.extend_from_slice(sql.as_bytes());
        // A `--` comment must not swallow the semicolon.
        let ends_in_comment = self.keep_comments && pgq::scan(&sql)?.last().is_some_and(pgq::Token::is_comment);
        out.extend_from_slice(if ends_in_comment { b"\n;\n" } else { b";\n" });
        Ok(())
    }

    /// Comments are those of the whole batch.
    fn depends_on_text_only(&self) -> bool {
        !self.keep_comments
    }

    /// Collects the comments of the batch; its statements follow one by one.
    fn batch(&mut self, text: &str, _: &Tree, _: usize, _: &mut Vec<u8>) -> Option<Result<(), Error>> {
        if self.keep_comments {
            match pgq::comments(text) {
                Ok(comments) => self.options.comments = comments,
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}
