//! PL/pgSQL functions: libpg_query's JSON, and the SQL in the function bodies.

use super::{Statement, Tree};
use crate::convert::view::Node;
use crate::error::{Error, Position, Warning};
use crate::options::{ParseMode, ParseOptions};
use crate::parse::check_for_scanner;
use crate::sys::{FunctionError, compile_plpgsql};

/// The result of compiling a function, procedure or DO block with PL/pgSQL's parser, from [`Statement::plpgsql`].
#[derive(Debug, Clone)]
pub struct PlpgsqlFunction {
    json: String,
    hidden: Vec<PlpgsqlExpression>,
    warnings: Vec<Warning>,
}

/// A piece of SQL in a PL/pgSQL function: a statement, an expression or an assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlpgsqlExpression {
    /// The SQL that PL/pgSQL passes to PostgreSQL's parser.
    pub query: String,
    /// The mode of the parser for this SQL.
    pub mode: ParseMode,
}

/// The start of an expression in the JSON. No string in the JSON contains this text, because quotes in strings are
/// escaped.
const EXPRESSION: &str = "\"PLpgSQL_expr\":{\"query\":";

/// JSON keys that occur only for SQL that is built at run time.
const DYNAMIC: [&str; 3] = ["\"PLpgSQL_stmt_dynexecute\":{", "\"PLpgSQL_stmt_dynfors\":{", "\"dynquery\":{"];

impl PlpgsqlFunction {
    /// Returns the function as libpg_query's JSON. The output of `pg_query_parse_plpgsql` is an array of such objects.
    /// For a function in another language, the object contains no variables and no statements.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Returns the SQL in the function: default values of variables, conditions, assignments, queries and commands.
    pub fn expressions(&self) -> impl Iterator<Item = PlpgsqlExpression> {
        let dumped = self.json.match_indices(EXPRESSION).filter_map(|(at, _)| {
            let (query, rest) = json_string(&self.json[at + EXPRESSION.len()..])?;
            let mode = rest.strip_prefix(",\"parseMode\":")?.chars().next()?.to_digit(10)?;
            Some(PlpgsqlExpression { query, mode: parse_mode(mode as u8)? })
        });
        dumped.chain(self.hidden.iter().cloned())
    }

    /// Returns the names of the function's variables and parameters, including `$1` and `found`.
    pub fn variables(&self) -> impl Iterator<Item = String> {
        const NAME: &str = "\"refname\":";
        self.json.match_indices(NAME).filter_map(|(at, _)| Some(json_string(&self.json[at + NAME.len()..])?.0))
    }

    /// Returns whether the function runs SQL that it builds at run time (`EXECUTE`, `FOR … IN
    /// EXECUTE`, `OPEN … FOR EXECUTE`, `RETURN QUERY EXECUTE`). [`PlpgsqlFunction::expressions`]
    /// does not contain such SQL.
    #[must_use]
    pub fn has_dynamic_sql(&self) -> bool {
        DYNAMIC.iter().any(|key| self.json.contains(key))
    }

    /// Returns PostgreSQL's warnings and notices.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns an outline of the function: its JSON without line numbers. Therefore line breaks in the function make no
    /// difference. Each piece of SQL is replaced with the result of `name`, such as its fingerprint.
    pub(super) fn outline(
        &self,
        mut name: impl FnMut(PlpgsqlExpression) -> Result<String, Error>,
    ) -> Result<String, Error> {
        const LINE: &str = "\"lineno\":";
        let (mut out, mut rest) = (String::new(), self.json.as_str());
        let mut expressions = self.expressions();
        while let Some(at) = rest.find(EXPRESSION) {
            let (before, after) = rest.split_at(at);
            let after = json_string(&after[EXPRESSION.len()..]);
            let (Some(expression), Some((_, after))) = (expressions.next(), after) else { break };
            push_without(LINE, before, &mut out);
            out.push_str(&name(expression)?);
            rest = after;
        }
        push_without(LINE, rest, &mut out);
        for expression in expressions {
            out.push_str(&name(expression)?);
        }
        Ok(out)
    }
}

/// Appends `json` to `out`, but omits every `key` and the number after it.
fn push_without(key: &str, json: &str, out: &mut String) {
    let mut parts = json.split(key);
    out.extend(parts.next());
    out.extend(parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())));
}

/// Parses the JSON string at the start of `json`. Returns the string, and the JSON after it.
fn json_string(json: &str) -> Option<(String, &str)> {
    let mut string = String::new();
    let mut rest = json.strip_prefix('"')?;
    loop {
        let special = rest.find(['"', '\\'])?;
        string.push_str(&rest[..special]);
        let (mark, after) = rest[special..].split_at(1);
        if mark == "\"" {
            return Some((string, after));
        }
        let escape = after.chars().next()?;
        rest = &after[escape.len_utf8()..];
        string.push(match escape {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            // libpg_query writes only control characters as `\uXXXX`, so an escape is never half of a surrogate pair.
            'u' => {
                let code = u32::from_str_radix(rest.get(..4)?, 16).ok()?;
                rest = &rest[4..];
                char::from_u32(code)?
            }
            other => other,
        });
    }
}

/// Converts PostgreSQL's RawParseMode (parser/parser.h).
fn parse_mode(number: u8) -> Option<ParseMode> {
    match number {
        0 => Some(ParseMode::Statements),
        1 => Some(ParseMode::TypeName),
        2 => Some(ParseMode::PlpgsqlExpression),
        3..=5 => Some(ParseMode::PlpgsqlAssignment(number - 2)),
        _ => None,
    }
}

impl PlpgsqlExpression {
    /// Parses the SQL. An expression becomes a SELECT, and an assignment becomes a `PLAssignStmt`.
    ///
    /// # Errors
    /// Same as for [`Tree::parse`]. Positions are offsets in [`PlpgsqlExpression::query`].
    pub fn parse(&self) -> Result<Tree, Error> {
        Tree::parse(&self.query, &ParseOptions { mode: self.mode, ..ParseOptions::default() })
    }
}

impl Statement<'_> {
    /// Compiles the function that the statement defines (CREATE FUNCTION, CREATE PROCEDURE) or runs (DO), using
    /// PL/pgSQL's own parser. Returns `None` for other statements.
    ///
    /// ```
    /// let sql = "DO $$ BEGIN IF now() > '2030-01-01' THEN DELETE FROM logs; END IF; END $$";
    /// let tree = pgq::Tree::parse(sql, &Default::default())?;
    /// let function = tree.statement(0).plpgsql().unwrap()?;
    /// let queries: Vec<_> = function.expressions().map(|expression| expression.query).collect();
    /// assert_eq!(queries, ["now() > '2030-01-01'", "DELETE FROM logs"]);
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if PL/pgSQL rejects the function. The position is an offset in [`Tree::sql`]. libpg_query has
    /// no catalog, therefore it accepts any name as the type of a parameter or result.
    #[must_use]
    pub fn plpgsql(self) -> Option<Result<PlpgsqlFunction, Error>> {
        matches!(self.node()?, Node::CreateFunctionStmt(_) | Node::DoStmt(_)).then(|| self.compiled(true))
    }

    /// Compiles the function. If `locates` is true, an error has a position. Computing the position takes time, because
    /// pgq counts the lines and the characters of the SQL that precedes the error.
    pub(super) fn compiled(self, locates: bool) -> Result<PlpgsqlFunction, Error> {
        if let Some(body) = self.function_body() {
            // PostgreSQL's scanner reads the body, but limits neither the body's length nor the time for scanning the
            // body. Therefore check both here.
            check_for_scanner(body.text).map_err(|error| self.body_error(error, locates))?;
        }
        let function =
            compile_plpgsql(self.raw(), self.range().len()).map_err(|error| self.function_error(error, locates))?;
        let warning = |report| Warning::from_diagnostic(report, "", 0, Position::START);
        let hidden = function.hidden.into_iter();
        Ok(PlpgsqlFunction {
            json: function.json,
            hidden: hidden
                .filter_map(|(mode, query)| Some(PlpgsqlExpression { query, mode: parse_mode(mode)? }))
                .collect(),
            warnings: function.warnings.into_iter().map(warning).collect(),
        })
    }

    /// Converts an error of PL/pgSQL's compiler. Its position becomes an offset in the tree's SQL.
    fn function_error(self, error: FunctionError, locates: bool) -> Error {
        let body = self.function_body().map_or("", |body| body.text);
        let place = match (error.body_cursor.checked_sub(1), error.body_line.checked_sub(1)) {
            (Some(character), _) => Some(body.char_indices().nth(character).map_or(body.len(), |(at, _)| at)),
            (None, Some(line)) => Some(start_of_line(body, line)),
            (None, None) => None,
        };
        let offset = place.filter(|_| locates).and_then(|place| self.body_offset(place));
        let mut report = Error::from_diagnostic(error.report, "", 0);
        report.position = offset.map(|offset| Position::at(self.tree().sql(), offset));
        report
    }
}

/// Returns the offset of the first word of a line. Lines are counted from 0.
fn start_of_line(text: &str, line: usize) -> usize {
    let start = line.checked_sub(1).and_then(|before| memchr::memchr_iter(b'\n', text.as_bytes()).nth(before));
    let start = start.map_or(0, |newline| newline + 1);
    start + text[start..].find(|c: char| c != ' ' && c != '\t').unwrap_or(0)
}

impl Tree {
    /// Returns the functions that the SQL defines or runs, as libpg_query's JSON; see [`crate::parse_plpgsql`].
    ///
    /// # Errors
    /// Same as for [`Statement::plpgsql`], for the first function that PL/pgSQL rejects.
    pub fn plpgsql_json(&self) -> Result<String, Error> {
        let mut functions = Vec::new();
        for statement in self.statements() {
            if let Some(function) = statement.plpgsql() {
                functions.push(function?.json);
            }
        }
        Ok(if functions.is_empty() { "[]".to_string() } else { format!("[\n{}\n]", functions.join(",\n")) })
    }
}
