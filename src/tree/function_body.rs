//! Bodies of functions, procedures and DO blocks, which are strings to PostgreSQL's parser.

use super::{Statement, Tree};
use crate::convert::view::{DefElem, List, Node};
use crate::error::Error;
use crate::options::ParseOptions;
use crate::parse::tokens::scan;

/// The body of a function, a procedure or a DO block that is a string, from [`Statement::function_body`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionBody<'t> {
    /// The language as it is written, in small letters where it has no quotes. DO without LANGUAGE is in
    /// `plpgsql`; a function without is refused by the server.
    pub language: Option<&'t str>,
    /// The text of the body.
    pub text: &'t str,
}

impl FunctionBody<'_> {
    /// Returns the statements of a body in SQL; `None` for one in another language.
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
    /// As for [`Tree::parse`]; positions are those in [`FunctionBody::text`].
    #[must_use]
    pub fn parse_sql(self) -> Option<Result<Tree, Error>> {
        let is_sql = self.language.is_some_and(|language| language.eq_ignore_ascii_case("sql"));
        is_sql.then(|| Tree::parse(self.text, &ParseOptions::default()))
    }
}

impl<'t> Statement<'t> {
    /// Returns the body of CREATE FUNCTION, CREATE PROCEDURE or DO, where it is a string: not a body in SQL's own
    /// syntax (`BEGIN ATOMIC`), whose statements are in the tree, and not the name of a C function with its
    /// library.
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
    /// Returns the byte of the tree's text where byte `offset` of the body stands; the start of the body's literal
    /// where that is not certain.
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

/// Returns the byte of a literal where byte `offset` of its value stands; `None` for literals with escapes.
fn offset_in_literal(literal: &str, offset: usize) -> Option<usize> {
    if let Some(tag) = literal.strip_prefix('$') {
        return Some(tag.find('$')? + 2 + offset);
    }
    let mut at = literal.starts_with('\'').then_some(1)?;
    let bytes = literal.as_bytes();
    for _ in 0..offset {
        at += match bytes.get(at..)? {
            [b'\'', b'\'', ..] => 2,
            // The literal goes on in another line.
            [b'\'', ..] | [b'\\', ..] => return None,
            _ => 1,
        };
    }
    Some(at)
}

/// Returns the value of an option.
fn option<'t>(options: List<'t>, name: &str) -> Option<Node<'t>> {
    options.of_type::<DefElem<'t>>().find(|option| option.defname() == Some(name))?.arg()
}
