//! PostgreSQL's own parser for Rust, without a Protobuf round trip.
//!
//! The grammar is PostgreSQL 18's, in C (libpg_query). Generated code reads the parse tree directly from C memory, and
//! every result equals libpg_query's byte for byte.
//!
//! There are two entry points: functions for one result ([`fingerprint()`], [`normalize`], [`reformat`], [`scan`]), and
//! [`Tree`] for several results from one parse. [`cache::AnswerCache`] avoids parsing repeated statements. A program
//! that needs only the library depends on it with `default-features = false`. The feature `proto` adds trees of structs
//! in libpg_query's Protobuf schema (`pgq::parse`, `pgq::deparse`, `pgq::proto`), and their conversion from JSON.
//!
//! For programs that work with trees: [`nodes`] are typed views of a [`Tree`], [`EditTree`] is a mutable tree,
//! [`Tree::parse_shared`] returns a tree that threads share, and [`cache::TreeCache`] caches the trees of repeated SQL.
//!
//! ```
//! let tree = pgq::Tree::parse("SELECT 1", &Default::default())?;
//! assert_eq!(tree.deparse(&Default::default())?, "SELECT 1");
//! assert_eq!(pgq::normalize("SELECT 1")?, "SELECT $1");
//! assert_eq!(pgq::fingerprint("SELECT 1")?, pgq::fingerprint("SELECT 2")?);
//! # Ok::<(), pgq::Error>(())
//! ```
//!
//! Node locations, ranges and token offsets are in **bytes**. An [`Error`]'s [`Position`] contains the offset in bytes,
//! the offset in characters, the line and the column. All functions may be called from any number of threads at the
//! same time, and from threads with small stacks. A statement gets up to 1 GiB of stack. If it needs more, the function
//! returns an error. Parentheses and subselects are limited by the grammar's own stack of 10,000 entries, which
//! suffices for about a thousand nested subselects.
#![deny(unsafe_code)]
#![deny(clippy::missing_errors_doc, clippy::missing_panics_doc)]

// Tests the examples of docs/migrating.md. The module requires a feature, because the published package lacks this
// file. The package's tests run without features, and therefore skip the module.
#[cfg(all(doctest, feature = "proto"))]
#[doc = include_str!("../docs/migrating.md")]
mod migrating {}

pub mod cache;
#[allow(unsafe_code)]
mod convert;
mod error;
mod format;
#[cfg(feature = "reference")]
#[doc(hidden)]
pub mod internals;
mod options;
mod parse;
pub mod placeholders;
#[cfg(feature = "proto")]
pub mod proto;
#[cfg(feature = "reference")]
#[doc(hidden)]
pub mod reference;
#[cfg(feature = "cli")]
pub mod secrets;
mod syntax;
#[allow(unsafe_code)]
mod sys;
mod tree;

use std::ops::Range;

/// Typed setters for new and existing nodes of an [`EditTree`].
pub use convert::edit;
pub use convert::edit::EditTree;
pub use convert::normalize::{Deviation, Normalized};
pub use convert::summary::{Access, Context, FilterColumn, Function, Relation, RelationKind, Summary, TableAlias};
/// Typed views of the nodes of a parse tree: [`nodes::Node`], and one struct per node type.
pub use convert::view as nodes;
pub use convert::view::node_info::NodeInfo;
pub use convert::view::{ChildNodes, Inside, Visit, Walk, walk};
pub use error::{Error, ErrorKind, Position, SqlState, Warning};
pub use format::{FormatOptions, Formatted, Kept, KeptReason, KeywordCase, format_script};
pub use options::{Comment, DeparseOptions, FingerprintOptions, ParseMode, ParseOptions, SplitMethod};
pub use parse::check_utf8;
pub use parse::tokens::{Token, comments, scan, scan_native};
pub use pgq_lexer::{FallbackReason, script, statement_keyword};
pub use placeholders::{Placeholder, PlaceholderStyle, Replaced, placeholders};
pub use syntax::{Symbol, SyntaxLeaf, SyntaxNode, SyntaxTree, symbol};
#[doc(hidden)] // the allocator of the program, which needs `unsafe`
pub use sys::memory;
pub use tree::{
    BodySql, Document, Fingerprint, Fingerprinted, FunctionBody, JsonStyle, LiteralValue, Parameter, PlpgsqlExpression,
    PlpgsqlFunction, SharedNode, Statement, Tree,
};
#[cfg(feature = "proto")]
pub use tree::{JsonTree, Parsed};

/// The PostgreSQL version of the grammar, such as `18.6`.
pub const POSTGRES_VERSION: &str = version(sys::bindings::PG_VERSION);

const fn version(c_text: &'static [u8]) -> &'static str {
    match std::str::from_utf8(c_text.split_at(c_text.len() - 1).0) {
        Ok(text) => text,
        Err(_) => panic!("pg_query.h contains a version in ASCII"),
    }
}

/// Parses statements into owned structs. Node locations are byte offsets in `sql`.
///
/// The result equals the decoded output of `pg_query_parse_protobuf`.
///
/// # Errors
/// Returns an error if PostgreSQL's parser rejects the SQL, if the SQL contains a NUL byte or is longer than 1 GB, or
/// if the tree is deeper than the stack limit.
#[cfg(feature = "proto")]
pub fn parse(sql: &str) -> Result<Parsed, Error> {
    parse_with(sql, &ParseOptions::default())
}

/// Parses with options; see [`parse`].
///
/// # Errors
/// Same as for [`parse`].
#[cfg(feature = "proto")]
pub fn parse_with(sql: &str, options: &ParseOptions) -> Result<Parsed, Error> {
    Tree::parse(sql, options)?.into_prost()
}

/// Parses statements into libpg_query's JSON. The result equals the result of `pg_query_parse`.
///
/// # Errors
/// Same as for [`Tree::parse`].
pub fn parse_to_json(sql: &str) -> Result<String, Error> {
    Tree::parse(sql, &ParseOptions::default())?.to_json()
}

/// Compiles the functions that `sql` defines (CREATE FUNCTION, CREATE PROCEDURE) or runs (DO), with PL/pgSQL's own
/// parser. Returns the same JSON as `pg_query_parse_plpgsql`. Functions in other languages appear in this JSON without
/// variables and statements. [`Statement::plpgsql`] returns the SQL in one function.
///
/// ```
/// let json = pgq::parse_plpgsql("DO $$ BEGIN PERFORM 1; END $$")?;
/// assert!(json.contains(r#""PLpgSQL_stmt_perform":{"lineno":1,"expr":{"PLpgSQL_expr":{"query":"SELECT 1""#));
/// # Ok::<(), pgq::Error>(())
/// ```
///
/// # Errors
/// Returns an error if PostgreSQL's parser rejects the SQL, or if PL/pgSQL rejects a function body.
pub fn parse_plpgsql(sql: &str) -> Result<String, Error> {
    Tree::parse(sql, &ParseOptions::default())?.plpgsql_json()
}

/// Reads a tree from libpg_query's JSON; see [`parse_to_json`].
///
/// # Errors
/// Returns an error if the document is not a tree. Unknown keys, node types or enum names, and values of a wrong type,
/// are reported with their path in the document.
#[cfg(feature = "proto")]
pub fn from_json(json: &str) -> Result<Parsed, Error> {
    JsonTree::read(json)?.to_prost()
}

/// Deparses a tree on one line. Several statements are joined by `; `. The result equals the result of
/// `pg_query_deparse_protobuf`.
///
/// # Errors
/// Returns an error if libpg_query's deparser rejects the tree, or if C cannot represent a value.
#[cfg(feature = "proto")]
pub fn deparse(tree: &proto::ParseResult) -> Result<String, Error> {
    deparse_with(tree, &DeparseOptions::default())
}

/// Deparses with options; see [`deparse`].
///
/// # Errors
/// Same as for [`deparse`].
#[cfg(feature = "proto")]
pub fn deparse_with(tree: &proto::ParseResult, options: &DeparseOptions) -> Result<String, Error> {
    tree::deparse_structs(&tree.stmts, options)
}

/// Checks that `sql` parses to `tree`, ignoring positions. Structs cannot distinguish an empty string from an absent
/// one, so the two count as equal. [`Tree::verify`] distinguishes them.
///
/// # Errors
/// Returns an error if the SQL does not parse, or parses to another tree ([`ErrorKind::RoundTripMismatch`]). The
/// message contains the path of the first difference. Also returns an error if C cannot represent a value of the tree.
#[cfg(feature = "proto")]
pub fn verify(tree: &proto::ParseResult, sql: &str) -> Result<(), Error> {
    tree::verify_structs(&tree.stmts, sql)
}

/// Parses SQL and deparses the C tree directly. Unlike a round trip through structs, this function distinguishes an
/// empty string from an absent string. The SQL may be normalized ([`ParseOptions::normalized`]).
///
/// # Errors
/// Same as for [`Tree::parse`] and [`Tree::deparse`].
pub fn reformat(sql: &str, options: &DeparseOptions) -> Result<String, Error> {
    Tree::parse(sql, &ParseOptions::normalized())?.deparse(options)
}

/// Returns one fingerprint for all statements of `sql` together. It equals the result of `pg_query_fingerprint`.
///
/// # Errors
/// Same as for [`Tree::parse`].
pub fn fingerprint(sql: &str) -> Result<Fingerprint, Error> {
    fingerprint_with(sql, &FingerprintOptions::default())
}

/// Computes the fingerprint with options; see [`fingerprint`].
///
/// # Errors
/// Same as for [`Tree::parse`].
pub fn fingerprint_with(sql: &str, options: &FingerprintOptions) -> Result<Fingerprint, Error> {
    Ok(Tree::parse(sql, &options.parse)?.fingerprint(options)?.fingerprint)
}

/// Returns the names of the tables in `sql`, sorted and without duplicates. A name includes the schema if `sql`
/// specifies it. Includes tables and views that are read, written, created or dropped, and excludes names of WITH
/// queries. [`Statement::summary`] returns more details.
///
/// # Errors
/// Same as for [`Tree::parse`].
pub fn tables(sql: &str) -> Result<Vec<String>, Error> {
    let tree = Tree::parse(sql, &ParseOptions::default())?;
    let mut names = Vec::new();
    for statement in tree.statements() {
        names.extend(statement.tables()?);
    }
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

/// Replaces the constants of `sql` with `$n`. The result equals the result of `pg_query_normalize`, if that result
/// parses and has the same fingerprint as `sql`. Otherwise the result differs in the ways that [`Deviation`] lists.
///
/// # Errors
/// Same as for [`Tree::parse`].
pub fn normalize(sql: &str) -> Result<String, Error> {
    Ok(Tree::parse(sql, &ParseOptions::normalized())?.normalize(false)?.text)
}

/// Normalizes utility statements and keeps other statements verbatim; see [`normalize`]. The result equals the result
/// of `pg_query_normalize_utility`, with the same deviations as in [`normalize`].
///
/// # Errors
/// Same as for [`Tree::parse`].
pub fn normalize_utility(sql: &str) -> Result<String, Error> {
    Ok(Tree::parse(sql, &ParseOptions::normalized())?.normalize(true)?.text)
}

/// Returns the byte range of each statement. The result equals the result of `pg_query_split_with_parser` or
/// `pg_query_split_with_scanner`. A range from the parser begins at the first token of the statement. A range from the
/// scanner begins after the preceding semicolon.
///
/// For psql scripts, and for scripts that may have errors, use [`script::script_parts`], and parse each part
/// separately. `Position::at(script, part_start + offset)` converts the offset of an error in a part to its position in
/// the script.
///
/// # Errors
/// Returns an error if the script does not parse or does not scan.
pub fn split(sql: &str, method: SplitMethod) -> Result<Vec<Range<usize>>, Error> {
    parse::check_for_scanner(sql)?;
    let ranges = sys::split(sql, method == SplitMethod::Scanner);
    let ranges = ranges.map_err(|report| Error::from_diagnostic(report, sql, 0))?;
    Ok(ranges.into_iter().map(|(start, len)| start..start + len).collect())
}
