//! Parse trees as safe values over C memory. SQL is parsed once, and its tree can produce several results. This module
//! has no `unsafe`; the code that follows C pointers is in src/convert.
//!
//! Public positions are byte offsets in the parsed SQL.
#![forbid(unsafe_code)]

mod body_sql;
pub(crate) mod comments;
mod debug;
mod deparse;
mod document;
mod edit;
pub(crate) mod fingerprint;
mod fragment;
mod function_body;
#[cfg(feature = "proto")]
mod json_tree;
mod literal;
mod make;
mod memory;
mod node_list;
mod normalize;
mod parameters;
#[cfg(feature = "proto")]
mod parsed;
mod plpgsql;
mod queries;
mod shared_node;
mod statement;
mod truncate;
mod truncation;
mod verify;

use std::ops::{ControlFlow, Range};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use crate::convert::view::{Inside, Node, NodeType, RangeVar, Walk};
use crate::convert::{self, ArenaTree, fingerprint, relation_nodes};
use crate::error::{Error, Warning};
use crate::options::{DeparseOptions, FingerprintOptions, ParseOptions};
use crate::parse;
use crate::sys::{ParseTree, StatementRef, Subject};
use memory::Memory;
use truncation::place_truncations;

pub use body_sql::BodySql;
#[cfg(feature = "proto")]
pub(crate) use deparse::deparse_structs;
pub use document::{Document, JsonStyle};
pub use fingerprint::{Fingerprint, Fingerprinted};
pub use function_body::FunctionBody;
#[cfg(feature = "proto")]
pub use json_tree::JsonTree;
pub use literal::LiteralValue;
pub use parameters::Parameter;
#[cfg(feature = "proto")]
pub use parsed::Parsed;
pub use plpgsql::{PlpgsqlExpression, PlpgsqlFunction};
pub use shared_node::SharedNode;
pub use statement::Statement;
#[cfg(feature = "proto")]
pub(crate) use verify::verify_structs;

/// The statements of parsed SQL, in C memory.
///
/// Trees are `Send` and `Sync`. [`Tree::parse`] is intended for short-lived trees, because it uses one of the thread's
/// memory contexts. A thread's first four contexts have 256 kB each. Each further context has at least 4 kB. Dropping
/// the tree recycles the context. To keep a tree or send it to another thread, use [`Tree::parse_shared`] or
/// [`Tree::to_owned`], which allocate separate memory for the tree.
///
/// ```
/// let tree = pgq::Tree::parse("SELECT 1; DELETE FROM t", &Default::default())?;
/// let kinds: Vec<_> = tree.statements().map(|statement| statement.kind()).collect();
/// assert_eq!(kinds, ["SelectStmt", "DeleteStmt"]);
/// assert_eq!(tree.statement(1).sql(), "DELETE FROM t");
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct Tree {
    inner: Memory,
    /// Number of spaces before the SQL in the parser's input.
    padding: usize,
    backslash_escapes: bool,
    warnings: Vec<Warning>,
    /// The first computed fingerprint, cached because normalization may need it again.
    fingerprint: OnceLock<(FingerprintOptions, Fingerprinted)>,
}

/// Number of spaces before each piece of a longer text. Because of the space, no token has location 0. Therefore a
/// location of 0 always means "not set", and all other locations can be shifted.
const PIECE_PADDING: usize = 1;

impl Tree {
    /// Parses `sql`.
    ///
    /// # Errors
    /// Returns an error if PostgreSQL's parser rejects the SQL. Also returns an error if the SQL contains a NUL byte or
    /// is longer than 1 GB.
    pub fn parse(sql: &str, options: &ParseOptions) -> Result<Self, Error> {
        Self::padded(sql, 0, options)
    }

    /// Parses `sql` with the default options into separate memory. The tree can be kept and shared by threads. The call
    /// takes about as long as [`Tree::parse`].
    ///
    /// ```
    /// use pgq::nodes::RangeVar;
    ///
    /// let tree = pgq::Tree::parse_shared("SELECT 1 FROM t")?;
    /// let tables = std::thread::spawn(move || tree.find::<RangeVar>().count());
    /// assert_eq!(tables.join().unwrap(), 1);
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as for [`Tree::parse`].
    #[inline]
    pub fn parse_shared(sql: &str) -> Result<Arc<Self>, Error> {
        parse::check_text(sql)?;
        let options = ParseOptions::default();
        match ArenaTree::parsed(sql, false) {
            Some(tree) => Ok(Arc::new(Self::new(Memory::Own(tree), 0, &options))),
            None => Ok(Arc::new(Self::parse(sql, &options)?.to_owned()?)),
        }
    }

    /// Like [`Tree::parse_shared`], for SQL that pgq normalized. Returns `None` if the SQL does not
    /// parse. This happens if a parameter replaced a constant where the grammar accepts no
    /// parameter.
    pub(crate) fn shared_if_valid(sql: &str) -> Option<Arc<Self>> {
        let options = ParseOptions::normalized();
        match ArenaTree::parsed(sql, true) {
            Some(tree) => Some(Arc::new(Self::new(Memory::Own(tree), 0, &options))),
            None => Some(Arc::new(Self::parse_if_valid(sql, &options)?.to_owned().ok()?)),
        }
    }

    /// Returns a copy of the tree in separate memory.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    pub fn to_owned(&self) -> Result<Self, Error> {
        let mut copy = convert::copied_tree(self.inner.tree(), self.padding)?;
        copy.set_text(self.sql(), self.inner.has_own_text());
        let options = ParseOptions { backslash_escapes: self.backslash_escapes, ..ParseOptions::default() };
        let copy = Self::new(Memory::Own(copy), 0, &options);
        Ok(Self { warnings: self.warnings.clone(), ..copy })
    }

    /// Creates a tree without SQL.
    pub(crate) fn without_text(tree: ArenaTree) -> Self {
        Self::new(Memory::Own(tree), 0, &ParseOptions::default())
    }

    /// Parses a piece of a longer text. [`Document::append`] accepts the tree and the offset of the piece.
    ///
    /// # Errors
    /// Same as for [`Tree::parse`].
    pub fn parse_piece(sql: &str, options: &ParseOptions) -> Result<Self, Error> {
        Self::padded(sql, PIECE_PADDING, options)
    }

    /// Parses a piece of SQL with several statements. Returns `None` if a statement has an error, a
    /// warning, or a token that only PostgreSQL's scanner can read. In this case, call
    /// [`Tree::parse_piece`] for each statement. No error message is built, because building the
    /// message takes longer than parsing.
    ///
    /// ```
    /// let parsed = |sql| pgq::Tree::parse_batch(sql, &Default::default()).map(|tree| tree.len());
    /// assert_eq!(parsed("SELECT 1; SELECT 2"), Some(2));
    /// assert_eq!(parsed("SELECT 1; SELECT FROM WHERE"), None);
    /// ```
    #[must_use]
    pub fn parse_batch(sql: &str, options: &ParseOptions) -> Option<Self> {
        let tree =
            Self::with_warnings(parse::parse_fast(sql, PIECE_PADDING, options.bits())?, sql, PIECE_PADDING, options);
        tree.warnings.is_empty().then_some(tree)
    }

    // Inlined, so that the tree is built in the caller's memory and not copied.
    #[inline(always)]
    fn padded(sql: &str, padding: usize, options: &ParseOptions) -> Result<Self, Error> {
        Ok(Self::with_warnings(parse::parse(sql, padding, options.bits())?, sql, padding, options))
    }

    #[inline(always)]
    fn with_warnings(mut inner: ParseTree, sql: &str, padding: usize, options: &ParseOptions) -> Self {
        let reports = inner.take_warnings();
        let mut tree = Self::new(Memory::Context(inner), padding, options);
        if !reports.is_empty() {
            tree.warnings = parse::warnings(reports, sql, padding);
            place_truncations(&mut tree.warnings, sql);
        }
        tree
    }

    #[inline]
    fn new(inner: Memory, padding: usize, options: &ParseOptions) -> Self {
        let backslash_escapes = options.backslash_escapes;
        Self { inner, padding, backslash_escapes, warnings: Vec::new(), fingerprint: OnceLock::new() }
    }

    /// Like [`Tree::parse_piece`], but does not build error messages and warnings.
    fn parse_if_valid(sql: &str, options: &ParseOptions) -> Option<Self> {
        let inner = parse::parse_if_valid(sql, PIECE_PADDING, options.bits())?;
        Some(Self::new(Memory::Context(inner), PIECE_PADDING, options))
    }

    /// Returns the parsed SQL. It is empty for a tree from [`EditTree::freeze`](crate::EditTree::freeze).
    #[must_use]
    pub fn sql(&self) -> &str {
        self.inner.text()
    }

    /// Returns PostgreSQL's warnings and notices for the SQL.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns whether pgq's own lexer read the SQL. This lexer is faster than PostgreSQL's scanner, and leads to the
    /// same tree.
    #[must_use]
    pub fn used_native_lexer(&self) -> bool {
        match &self.inner {
            Memory::Context(tree) => tree.used_native_lexer(),
            Memory::Own(tree) => tree.has_own_text(),
        }
    }

    /// Returns the approximate memory of the tree in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.inner.bytes()
    }

    /// Returns the number of statements.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.tree().len()
    }

    /// Returns whether the tree has no statements. An example is SQL that consists of comments.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns statement `index`, counted from 0.
    ///
    /// # Panics
    /// Panics if there is no such statement.
    #[inline]
    #[must_use]
    pub fn statement(&self, index: usize) -> Statement<'_> {
        Statement::new(self, self.inner.tree().statement(index), index)
    }

    /// Iterates over every node of every statement, in the order of [`Node::walk`].
    #[inline]
    #[must_use]
    pub fn walk(&self) -> Walk<'_> {
        Walk::of_all(self.nodes())
    }

    /// Iterates over every node of type `T`, in the order of [`Node::walk`].
    pub fn find<'t, T: NodeType<'t>>(&'t self) -> impl Iterator<Item = T> + use<'t, T> {
        self.walk().filter_map(|visit| T::from_node(visit.node))
    }

    /// Calls `f` with every node of every statement until `f` breaks; see [`Node::visit`].
    #[inline]
    pub fn visit<'t, B>(&'t self, mut f: impl FnMut(Node<'t>) -> ControlFlow<B, Inside>) -> ControlFlow<B> {
        self.nodes().try_for_each(|node| node.visit(&mut f))
    }

    /// Returns the first node of type `T`, in the order of [`Node::walk`].
    #[inline]
    #[must_use]
    pub fn first<'t, T: NodeType<'t>>(&'t self) -> Option<T> {
        self.nodes().find_map(Node::first)
    }

    /// Returns whether `f` returns true for any node. Stops at the first such node.
    #[inline]
    pub fn any<'t>(&'t self, mut f: impl FnMut(Node<'t>) -> bool) -> bool {
        self.nodes().any(|node| node.any(&mut f))
    }

    /// Returns the nodes of the tables and other relations of all statements; see [`Statement::table_nodes`].
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    pub fn table_nodes(&self) -> Result<Vec<RangeVar<'_>>, Error> {
        Ok(relation_nodes(self.inner.tree().statements(), self.padding)?)
    }

    /// Returns the statements in order.
    #[inline]
    pub fn statements(&self) -> impl DoubleEndedIterator<Item = Statement<'_>> + ExactSizeIterator + Clone {
        self.inner.tree().statements().enumerate().map(|(index, raw)| Statement::new(self, raw, index))
    }

    /// Returns the nodes of all statements.
    #[inline]
    fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        self.statements().filter_map(Statement::node)
    }

    /// Returns the byte range of `raw` in the SQL, without the semicolon.
    fn range(&self, raw: StatementRef<'_>) -> Range<usize> {
        let start = usize::try_from(raw.location()).unwrap_or(0).saturating_sub(self.padding);
        let end = match usize::try_from(raw.len()) {
            Ok(len) if len > 0 => start + len,
            _ => self.sql().len(),
        };
        if !self.inner.has_own_text() {
            // The positions may be beyond the end of the current SQL. For example, the SQL of an edited tree is empty.
            return start.min(self.sql().len())..end.min(self.sql().len());
        }
        start..end
    }

    /// Returns libpg_query's JSON document of all statements, as `pg_query_parse` returns it.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    pub fn to_json(&self) -> Result<String, Error> {
        let mut document = Document::for_text(JsonStyle::Compatible, self.sql().len());
        document.append(self, 0)?;
        Ok(document.finish())
    }

    /// Changes the locations of the tree to offsets in `original`, from which the tree's SQL was derived. `offset` maps
    /// a byte offset in the tree's SQL to an offset in `original`, and must be monotonic. Afterwards [`Tree::sql`], the
    /// statements' ranges, JSON and prost structs refer to `original`, and the tree cannot be normalized.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    pub fn relocate(&mut self, original: &str, offset: &dyn Fn(usize) -> usize) -> Result<(), Error> {
        let padding = self.padding;
        let place = |location: i32| (offset((location as usize).saturating_sub(padding)) + padding) as i32;
        self.inner.relocate(&place)?;
        self.inner.set_text(original);
        Ok(())
    }

    /// Returns the tree as prost structs. They equal the decoded output of `pg_query_parse_protobuf`.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    #[cfg(feature = "proto")]
    pub fn to_prost(&self) -> Result<Parsed, Error> {
        Parsed::new(convert::to_prost(self.inner.tree())?, self.warnings.clone())
    }

    /// Like [`Tree::to_prost`], but consumes the tree.
    #[cfg(feature = "proto")]
    #[inline]
    pub(crate) fn into_prost(mut self) -> Result<Parsed, Error> {
        let warnings = std::mem::take(&mut self.warnings);
        Parsed::new(convert::to_prost(self.inner.tree())?, warnings)
    }

    /// Returns all statements as SQL, joined by `; `.
    ///
    /// # Errors
    /// Returns an error if libpg_query's deparser rejects the tree.
    pub fn deparse(&self, options: &DeparseOptions) -> Result<String, Error> {
        let (statements, length) = (self.inner.tree().statements(), self.inner.depth_bytes(self.sql().len()));
        deparse::of_parsed(statements, options, self.padding, length, self.inner.tokens())
    }

    /// Checks that `sql` parses to this tree, ignoring positions. An empty string differs from an absent string.
    ///
    /// # Errors
    /// Returns an error if the SQL does not parse, or parses to another tree ([`crate::ErrorKind::RoundTripMismatch`]).
    /// The message contains the path of the first difference in the tree.
    pub fn verify(&self, sql: &str) -> Result<(), Error> {
        parse::check_text(sql)?;
        verify::verify(
            self.inner.tree().statements(),
            sql,
            convert::EmptyStrings::Distinct,
            "the SQL",
            self.inner.tokens(),
        )
    }

    /// Returns one fingerprint for all statements together. It equals the result of `pg_query_fingerprint` for the SQL.
    /// [`FingerprintOptions::parse`] is ignored, because the SQL is already parsed.
    ///
    /// # Errors
    /// Returns an error if PostgreSQL's parser never produces such a tree. With [`FingerprintOptions::full_depth`],
    /// also returns an error if the tree is deeper than the stack limit.
    #[inline]
    pub fn fingerprint(&self, options: &FingerprintOptions) -> Result<Fingerprinted, Error> {
        if let Some((_, known)) = self.fingerprint.get().filter(|(of, _)| of == options) {
            return Ok(*known);
        }
        let fingerprint = match body_sql::fingerprint_with_bodies(self.statements(), options)? {
            Some(fingerprint) => fingerprint,
            None => fingerprint_of(Subject::Tree(self.inner.tree()), options)?,
        };
        _ = self.fingerprint.set((*options, fingerprint));
        Ok(fingerprint)
    }
}

/// Parses with the default options.
///
/// ```
/// let tree: pgq::Tree = "SELECT 1".parse()?;
/// assert_eq!(tree.len(), 1);
/// # Ok::<(), pgq::Error>(())
/// ```
impl FromStr for Tree {
    type Err = Error;
    fn from_str(sql: &str) -> Result<Self, Error> {
        Self::parse(sql, &ParseOptions::default())
    }
}

#[inline]
fn fingerprint_of(subject: Subject<'_>, options: &FingerprintOptions) -> Result<Fingerprinted, Error> {
    let of_tree = fingerprint(subject, options.flags(), options.full_depth)?;
    Ok(Fingerprinted { fingerprint: Fingerprint(of_tree.hash), truncated: of_tree.truncated })
}
