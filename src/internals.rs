//! Private items, only for the tests in `tests/internals`. Each item may change or disappear at any time. The module
//! exists only with the feature `reference`.
#![allow(clippy::missing_errors_doc, clippy::missing_panics_doc)]

use std::ops::Range;

use crate::cache::InputScope;
use crate::cache::trees::place::KnownLiteral;
use crate::convert::normalize::collect_constants;
use crate::convert::{self, from_prost};
use crate::nodes::Node;
use crate::placeholders::search::search;
use crate::proto::RawStmt;
use crate::sys::{self, ParseTree, StatementRef, Subject};
use crate::{EditTree, Error, ParseOptions, PlaceholderStyle, Replaced, Statement, Tree};

pub use crate::cache::results::ResultCache;
pub use crate::cache::shape_key::Shape;
pub use crate::cache::shape_template::Templates;
pub use crate::cache::trees::place::Literal;
pub use crate::cache::trees::template::{Template, prefix};
pub use crate::convert::EmptyStrings;
pub use crate::convert::json::escape::{escape, is_clean};
pub use crate::convert::json::text::JsonText;
pub use crate::convert::normalize::literal::{constant, name_end};
pub use crate::format::check::script_difference;
pub use crate::format::layout::{Document as LayoutDocument, Style};
pub use crate::sys::NoTree;
pub use crate::sys::bindings::PgqToken;
#[cfg(all(feature = "cli", not(pgq_asan)))]
pub use crate::sys::block::Block;
pub use crate::sys::sort::{NumberedConstant, sort_by_location};
pub use crate::sys::stack::{HasStackGuard, StackGuard, on_segment, recurse};
pub use crate::sys::stack_segment::{here, remaining, reserve};
pub use crate::sys::token_stream::{Tokens, read};

/// Returns the template for `sql`. The tree cache uses this template to create the tree of any SQL that differs from
/// `sql` only in its literals. `sql` must parse.
pub fn template(sql: &str) -> Option<Template> {
    let tree = Tree::parse(sql, &ParseOptions::default()).expect("SQL that parses");
    let mut shape = Shape::default();
    shape.read(sql, InputScope::Text)?;
    let constants = tree.replaceable_constants(None).expect("a shallow tree")?;
    Template::new(sql, &shape, &KnownLiteral::all(&constants, &shape, 0)?)
}

/// Converts structs to a tree that has no SQL text.
pub fn tree_of_structs(statements: &[RawStmt]) -> Result<Tree, Error> {
    Ok(Tree::without_text(from_prost(statements)?))
}

/// Returns the first difference between two statements.
pub fn difference(left: Statement<'_>, right: Statement<'_>, strings: EmptyStrings) -> Option<String> {
    first_difference(left.raw(), right.raw(), strings)
}

/// Returns the first difference between a tree and an editable tree. An empty string differs from an absent string.
pub fn difference_to_edited(left: &Tree, right: &EditTree) -> Option<String> {
    let mut pairs = left.statements().zip(right.tree().statements());
    pairs.find_map(|(one, other)| first_difference(one.raw(), other, EmptyStrings::Distinct))
}

fn first_difference(left: StatementRef<'_>, right: StatementRef<'_>, strings: EmptyStrings) -> Option<String> {
    let found = convert::difference(left, right, strings).expect("trees within the stack limit");
    found.map(|difference| format!("{difference:?}"))
}

/// Returns the number of constants that normalizing collects in a statement.
pub fn count_constants(statement: Statement<'_>) -> usize {
    let collected = collect_constants(Subject::Statement(statement.raw()), 0, false);
    collected.expect("a tree within the stack limit").constants.len()
}

/// Returns whether the tree is edited in the parser's memory.
pub fn is_in_place(tree: &EditTree) -> bool {
    tree.is_in_place()
}

/// Returns whether the node is in the tree's memory.
pub fn holds(tree: &EditTree, node: Node<'_>) -> bool {
    tree.holds(node.c())
}

/// Returns the address of the node in memory.
pub fn address(node: Node<'_>) -> usize {
    node.c().addr()
}

/// Returns the byte ranges of all replacements, in the new SQL and in the original SQL.
pub fn replacements(replaced: &Replaced<'_>) -> Vec<(Range<usize>, Range<usize>)> {
    replaced.edits.iter().map(|edit| (edit.new.clone(), edit.old.clone())).collect()
}

/// Returns the byte ranges of the placeholders and escapes in `sql`, and the maximum n of its `$n`.
pub fn find_placeholders(sql: &str, style: PlaceholderStyle) -> (Vec<Range<usize>>, u32) {
    let found = search(sql, style);
    (found.edits.into_iter().map(|found| found.range).collect(), found.highest)
}

/// Parses `sql` with pgq's own lexer only.
pub fn parse_by_own_lexer(sql: &str) -> Result<(), NoTree> {
    ParseTree::parse(sql, 0, 0).map(|_| ())
}

/// Returns how many times this thread has parsed tokens of pgq's own lexer.
pub fn token_parses() -> usize {
    sys::token_parses()
}

/// Returns whether C code can allocate `bytes` bytes.
pub fn can_allocate(bytes: usize) -> bool {
    sys::memory::can_allocate(bytes)
}

/// Creates a guard for the calling thread's stack. `limit` replaces the limit on the total size of the stack, in bytes.
pub fn stack_guard(limit: Option<usize>) -> StackGuard {
    let mut guard = StackGuard::new();
    guard.limit = limit.unwrap_or(guard.limit);
    guard
}
