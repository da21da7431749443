//! Bodies of functions, procedures and DO blocks. PostgreSQL's parser reads such a body as a string
//! and does not parse its content.

use super::{Statement, Tree};
use crate::convert::view::{DefElem, List, Node};
use crate::error::Error;
use crate::options::ParseOptions;
use crate::parse::tokens::scan;

/// The body of a function, procedure or DO block, written as a string; from
/// [`Statement::function_body`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionBody<'t> {
    /// Name of the language, in lower case unless the SQL quotes it. For DO without LANGUAGE, the name is `plpgsql`.
    /// For a function without LANGUAGE, which the server rejects, the name is `None`.
    pub language: Option<&'t str>,
    /// Text of the body.
    pub text: &'t str,
}

impl FunctionBody<'_> {
    /// Parses a body in SQL. Returns `None` for other languages.
    ///
    /// ```
    /// let sql = "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT count(*) FROM orders'";
    /// let tree = pgq::Tree::parse(sql, &Default::default())?;
    /// let body = tree.statement(0).function_body().unwrap().parse_sql().unwrap()?;
    /// assert_eq!(body.statement(0).tables()?, ["orders"]);
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as for [`Tree::parse`]. Positions are offsets in [`FunctionBody::text`].
    #[must_use]
    pub fn parse_sql(self) -> Option<Result<Tree, Error>> {
        let is_sql = self.language.is_some_and(|language| language.eq_ignore_ascii_case("sql"));
        is_sql.then(|| Tree::parse(self.text, &ParseOptions::default()))
    }
}

impl<'t> Statement<'t> {
    /// Returns the body of CREATE FUNCTION, CREATE PROCEDURE or DO if the body is a string. Returns
    /// `None` for a body in SQL's own syntax (`BEGIN ATOMIC`), because the tree already contains
    /// the parsed body. Also returns `None` for a C function with two strings after AS (`AS
    /// 'object_file', 'symbol'`).
    #[must_use]
    pub fn function_body(self) -> Option<FunctionBody<'t>> {
        let (options, default) = match self.node()? {
            Node::CreateFunctionStmt(function) => (function.options(), None),
            Node::DoStmt(block) => (block.args(), Some("plpgsql")),
            _ => return None,
        };
        let text = match option(options, "as")? {
            Node::String(text) => text.sval(),
            Node::List(parts) if parts.len() == 1 => parts.strings().next()?,
            _ => return None,
        };
        let language = match option(options, "language") {
            Some(Node::String(language)) => Some(language.sval()),
            _ => default,
        };
        Some(FunctionBody { language, text })
    }
}

impl Statement<'_> {
    /// Converts an offset in the body to an offset in the tree's SQL. If the offset is uncertain, returns the start of
    /// the body's literal.
    pub(super) fn body_offset(self, offset: usize) -> Option<usize> {
        let options = match self.node()? {
            Node::CreateFunctionStmt(function) => function.options(),
            Node::DoStmt(block) => block.args(),
            _ => return None,
        };
        let place = options.of_type::<DefElem<'_>>().find(|option| option.defname() == Some("as"))?.location()?;
        let sql = &self.tree().sql()[place..self.range().end];
        let literal = scan(sql).ok()?.into_iter().find(|token| token.name() == "SCONST")?;
        let inside = offset_in_literal(&sql[literal.start..literal.end], offset).unwrap_or(0);
        Some(place + literal.start + inside)
    }
}

/// Converts an offset in a literal's value to an offset in the literal. For example, offset 2 in the value `a'b` is
/// offset 4 in the literal `'a''b'`. Returns `None` if the result is uncertain.
fn offset_in_literal(literal: &str, offset: usize) -> Option<usize> {
    if let Some(tag) = literal.strip_prefix('$') {
        return Some(tag.find('$')? + 2 + offset);
    }
    let mut at = literal.starts_with('\'').then_some(1)?;
    let bytes = literal.as_bytes();
    for _ in 0..offset {
        at += match bytes.get(at..)? {
            [b'\'', b'\'', ..] => 2,
            // The offset is uncertain after an escape, or if the literal continues on another line.
            [b'\'', ..] | [b'\\', ..] => return None,
            _ => 1,
        };
    }
    Some(at)
}

fn option<'t>(options: List<'t>, name: &str) -> Option<Node<'t>> {
    options.of_type::<DefElem<'t>>().find(|option| option.defname() == Some(name))?.arg()
}
