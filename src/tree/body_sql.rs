//! Parses the SQL in the bodies of functions. Also computes summaries and fingerprints that include the bodies.

use xxhash_rust::xxh3::xxh3_64;

use super::{PlpgsqlFunction, Statement, Tree, fingerprint_of};
use crate::convert::edit::{EditTree, New};
use crate::convert::summary::Summary;
use crate::convert::view::{DefElem, FunctionParameter, Node};
use crate::error::{Error, ErrorKind, Position};
use crate::options::FingerprintOptions;
use crate::sys::Subject;
use crate::tree::fingerprint::{Fingerprint, Fingerprinted};

/// Maximum nesting depth of parsed bodies. The body of a function may define functions with further
/// bodies.
const DEEPEST: usize = 8;

/// The SQL in the body of a function, from [`Statement::body_sql`].
#[non_exhaustive]
pub struct BodySql {
    /// Trees of the body. A body in SQL has one tree. A body in PL/pgSQL has one tree per piece of SQL, in the order of
    /// libpg_query's JSON (declarations first).
    pub trees: Vec<Tree>,
    /// Whether the function runs SQL that is not in `trees`. This is the case if the function's language is neither SQL
    /// nor PL/pgSQL, or if the function builds SQL at run time (`EXECUTE`).
    pub has_hidden_sql: bool,
    /// Names of the function's parameters and PL/pgSQL variables. References to them in the
    /// function's SQL look like columns.
    pub variables: Vec<String>,
}

/// A parsed body. Each variant is a language.
enum Body {
    Sql(Tree),
    Plpgsql(PlpgsqlFunction),
    OtherLanguage,
}

impl Statement<'_> {
    /// Parses the body of CREATE FUNCTION, CREATE PROCEDURE or DO if the body is a string. Returns
    /// `None` for other statements. Also returns `None` for a body in SQL's own syntax (`BEGIN
    /// ATOMIC`, `RETURN`), because the tree already contains the parsed body.
    ///
    /// If `locates` is true, an error has a position. Computing the position takes time, because pgq counts the lines
    /// and the characters of the SQL that precedes the error.
    fn parsed_body(self, locates: bool) -> Option<Result<Body, Error>> {
        let body = self.function_body()?;
        let is = |language: &str| body.language.is_some_and(|named| named.eq_ignore_ascii_case(language));
        if let Some(tree) = body.parse_sql() {
            return Some(tree.map(Body::Sql).map_err(|error| self.body_error(error, locates)));
        }
        if is("plpgsql") { Some(self.compiled(locates).map(Body::Plpgsql)) } else { Some(Ok(Body::OtherLanguage)) }
    }

    /// Converts the position of an error in the body to its position in the tree's SQL.
    pub(super) fn body_error(self, error: Error, locates: bool) -> Error {
        let offset = error.position.filter(|_| locates).and_then(|position| self.body_offset(position.offset));
        Error { position: offset.map(|offset| Position::at(self.tree().sql(), offset)), ..error }
    }

    /// Parses the SQL in the body of CREATE FUNCTION, CREATE PROCEDURE or DO. Returns `None` for
    /// other statements. Also returns `None` for a body in SQL's own syntax (`BEGIN ATOMIC`),
    /// because the tree already contains the parsed body.
    ///
    /// ```
    /// let sql = "CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN DELETE FROM logs; EXECUTE 'x'; END $$";
    /// let tree = pgq::Tree::parse(sql, &Default::default())?;
    /// let body = tree.statement(0).body_sql()?.unwrap();
    /// assert_eq!(body.trees[0].sql(), "DELETE FROM logs");
    /// assert!(body.has_hidden_sql);
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the body does not parse. The position of the error is an offset in [`Tree::sql`].
    pub fn body_sql(self) -> Result<Option<BodySql>, Error> {
        let Some(body) = self.parsed_body(true) else { return Ok(None) };
        Ok(Some(match body? {
            Body::Sql(tree) => BodySql { trees: vec![tree], has_hidden_sql: false, variables: self.parameter_names() },
            Body::Plpgsql(function) => BodySql {
                trees: function.expressions().map(|expression| expression.parse()).collect::<Result<_, _>>()?,
                has_hidden_sql: function.has_dynamic_sql(),
                variables: function.variables().collect(),
            },
            Body::OtherLanguage => BodySql { trees: Vec::new(), has_hidden_sql: true, variables: Vec::new() },
        }))
    }

    /// Same as [`Statement::summary`], plus the references in function bodies in SQL and PL/pgSQL. References in bodies
    /// have no location. [`Summary::has_hidden_sql`] reports whether there may be more references.
    ///
    /// Parameters and variables in WHERE are not reported as filter columns. The type `t%ROWTYPE`
    /// is not reported as a reference to table `t`.
    ///
    /// # Errors
    /// Same as for [`Statement::summary`] and [`Statement::body_sql`].
    pub fn summary_with_bodies(self) -> Result<Summary, Error> {
        self.summary_down_to(DEEPEST)
    }

    /// Same as [`Statement::tables`], plus the tables in function bodies in SQL and PL/pgSQL. Tables in SQL that a
    /// function builds at run time are missing. [`Statement::summary_with_bodies`] reports whether there is such SQL.
    ///
    /// ```
    /// let sql = "DO $$ BEGIN UPDATE accounts SET n = n + 1; END $$";
    /// let tree = pgq::Tree::parse(sql, &Default::default())?;
    /// assert!(tree.statement(0).tables()?.is_empty());
    /// assert_eq!(tree.statement(0).tables_with_bodies()?, ["accounts"]);
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as for [`Statement::summary_with_bodies`].
    pub fn tables_with_bodies(self) -> Result<Vec<String>, Error> {
        Ok(self.summary_with_bodies()?.table_names())
    }

    /// Returns the statement's fingerprint. It equals the result of `pg_query_fingerprint` for [`Statement::sql`].
    ///
    /// # Errors
    /// Same as for [`Tree::fingerprint`].
    pub fn fingerprint(self, options: &FingerprintOptions) -> Result<Fingerprinted, Error> {
        match fingerprint_with_bodies(std::iter::once(self), options)? {
            Some(fingerprint) => Ok(fingerprint),
            None => fingerprint_of(Subject::Statement(self.raw()), options),
        }
    }

    fn parameter_names(self) -> Vec<String> {
        let Some(Node::CreateFunctionStmt(function)) = self.node() else { return Vec::new() };
        let parameters = function.parameters().of_type::<FunctionParameter<'_>>();
        parameters.filter_map(|parameter| parameter.name().map(str::to_string)).collect()
    }

    fn summary_down_to(self, levels: usize) -> Result<Summary, Error> {
        let mut summary = self.summary()?;
        if levels == 0 && self.function_body().is_some() {
            summary.has_hidden_sql = true;
            return Ok(summary);
        }
        let Some(body) = self.body_sql()? else { return Ok(summary) };
        summary.has_hidden_sql |= body.has_hidden_sql;
        for statement in body.trees.iter().flat_map(Tree::statements) {
            let inner = statement.summary_down_to(levels - 1).map_err(|error| Error { position: None, ..error })?;
            summary.append_body(inner, &body.variables);
        }
        Ok(summary)
    }
}

/// Returns a fingerprint that includes the function bodies of the statements. Returns `None` if there is no body.
///
/// The hash has two inputs: the fingerprint that ignores the bodies, and an outline of each body. The outline contains
/// the fingerprints of the body's SQL. The outline of a PL/pgSQL body also contains the control statements around the
/// SQL. If a body does not parse, its text is hashed instead of an outline.
#[inline]
pub(super) fn fingerprint_with_bodies<'t>(
    statements: impl Iterator<Item = Statement<'t>> + Clone,
    options: &FingerprintOptions,
) -> Result<Option<Fingerprinted>, Error> {
    if options.function_bodies { look_into_bodies(statements, options) } else { Ok(None) }
}

#[inline(never)]
fn look_into_bodies<'t>(
    statements: impl Iterator<Item = Statement<'t>> + Clone,
    options: &FingerprintOptions,
) -> Result<Option<Fingerprinted>, Error> {
    let (mut outlines, mut outlined, mut truncated) = (String::new(), Vec::new(), false);
    for (index, statement) in statements.clone().enumerate() {
        let Some(body) = statement.function_body() else { continue };
        let outline = match statement.parsed_body(false) {
            Some(Ok(parsed)) => outline(parsed, options, &mut truncated),
            _ => Ok(None),
        };
        match outline {
            Ok(Some(outline)) => outlines.push_str(&outline),
            Err(error) if error.kind == ErrorKind::OutOfMemory => return Err(error),
            Ok(None) | Err(_) => outlines.push_str(&format!("{:016x}", xxh3_64(body.text.as_bytes()))),
        }
        outlined.push(index);
    }
    if outlined.is_empty() {
        return Ok(None);
    }
    let copy = EditTree::new();
    for statement in statements {
        copy.push(statement.node());
    }
    for option in outlined.into_iter().filter_map(|index| copy.statement(index)).flat_map(body_options) {
        copy.edit(option).arg(None::<New<'_>>);
    }
    let plain = FingerprintOptions { function_bodies: false, ..*options };
    let of_rest = copy.freeze()?.fingerprint(&plain)?;
    let hashed = format!("{}{outlines}", of_rest.fingerprint);
    let fingerprint = Fingerprint(xxh3_64(hashed.as_bytes()));
    Ok(Some(Fingerprinted { fingerprint, truncated: truncated || of_rest.truncated }))
}

/// Returns the options that contain the body of a function.
fn body_options(node: Node<'_>) -> Vec<DefElem<'_>> {
    let options = match node {
        Node::CreateFunctionStmt(function) => function.options(),
        Node::DoStmt(block) => block.args(),
        _ => return Vec::new(),
    };
    options.of_type::<DefElem<'_>>().filter(|option| option.defname() == Some("as")).collect()
}

/// Returns the outline of a body for the fingerprint, or `None` if the body's text must be hashed instead.
fn outline(body: Body, options: &FingerprintOptions, truncated: &mut bool) -> Result<Option<String>, Error> {
    let mut fingerprint = |tree: &Tree| {
        let of_tree = tree.fingerprint(&FingerprintOptions { function_bodies: false, ..*options })?;
        *truncated |= of_tree.truncated;
        Ok::<_, Error>(of_tree.fingerprint.to_string())
    };
    match body {
        Body::Sql(tree) => fingerprint(&tree).map(Some),
        Body::Plpgsql(function) => function.outline(|expression| fingerprint(&expression.parse()?)).map(Some),
        Body::OtherLanguage => Ok(None),
    }
}
