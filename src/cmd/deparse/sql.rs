//! Reformats SQL.

use pgq::{DeparseOptions, Error, Tree};

use crate::run::input::{Granularity, StatementBatch};
use crate::run::report::quote;
use crate::run::statements::{Statement, StatementHandler, SurroundingComments};

/// Reformats statements.
#[derive(Clone)]
pub struct Reformatter {
    pub options: DeparseOptions,
    pub keep_comments: bool,
    surrounding: SurroundingComments,
}

impl Reformatter {
    pub fn new(options: DeparseOptions, keep_comments: bool) -> Self {
        Self { options, keep_comments, surrounding: SurroundingComments::default() }
    }

    fn deparse(&mut self, statement: &Statement<'_>) -> Result<String, Error> {
        let sql = self.deparse_with(statement, &self.options)?;
        if self.keep_comments && !self.has_all_comments(&sql)? {
            // The deparser could not place all comments. Therefore all comments are written before the statement.
            let mut bare = self.options.clone();
            bare.comments.clear();
            let mut all: String = self.options.comments.iter().map(|comment| comment.text.clone() + "\n").collect();
            all += &self.deparse_with(statement, &bare)?;
            return Ok(all);
        }
        Ok(sql)
    }

    fn deparse_with(&self, statement: &Statement<'_>, options: &DeparseOptions) -> Result<String, Error> {
        let (tree, index) = statement.tree();
        match statement.granularity {
            Granularity::Statement => tree.statement(index).deparse(options),
            Granularity::Record => tree.deparse(options),
        }
    }

    /// Whether `sql` has all comments of the batch (the statements parsed together), in order.
    fn has_all_comments(&self, sql: &str) -> Result<bool, Error> {
        let written = pgq::scan(sql)?.into_iter().filter(pgq::Token::is_comment);
        let written = written.map(|token| sql[token.start..token.end].trim_end());
        Ok(written.eq(self.options.comments.iter().map(|comment| comment.text.trim_end())))
    }
}

impl StatementHandler for Reformatter {
    type Output = Vec<u8>;

    const KEY: &'static str = "sql";
    const NEEDS_TREE: bool = true;

    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        let SurroundingComments { before, after } = std::mem::take(&mut self.surrounding);
        let sql = self.deparse(statement)?;
        if json {
            quote(&(before + &sql + &after), out);
            return Ok(());
        }
        if self.keep_comments && statement.tree().0.is_empty() {
            out.extend_from_slice(sql.trim_end().as_bytes()); // the record has only comments
            out.push(b'\n');
            return Ok(());
        }
        out.extend_from_slice(before.as_bytes());
        out.extend_from_slice(sql.as_bytes());
        // A `--` comment must not swallow the semicolon.
        let ends_in_comment = self.keep_comments && pgq::scan(&sql)?.last().is_some_and(pgq::Token::is_comment);
        out.extend_from_slice(if ends_in_comment { b"\n;" } else { b";" });
        out.extend_from_slice(after.as_bytes());
        out.push(b'\n');
        Ok(())
    }

    fn take(&mut self, text: Vec<u8>) -> Vec<u8> {
        text
    }

    fn keeps_comments(&self) -> bool {
        self.keep_comments
    }

    fn surround(&mut self, comments: SurroundingComments) {
        self.surrounding = comments;
    }

    /// Returns true by default. Returns false with `--keep-comments`, because the result of a statement then also
    /// depends on the comments of its batch (the statements parsed together).
    fn depends_on_text_only(&self, _: Granularity) -> bool {
        !self.keep_comments
    }

    /// Collects the comments of the batch (the statements parsed together). The statements are written later, one at
    /// a time.
    fn batch(&mut self, _: &StatementBatch<'_>, text: &str, _: &Tree, _: &mut Vec<u8>) -> Option<Result<(), Error>> {
        if self.keep_comments {
            match pgq::comments(text) {
                Ok(comments) => self.options.comments = comments,
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}
