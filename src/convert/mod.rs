//! Conversions of parse trees: from C memory to structs, JSON, fingerprints, constants and summaries, and from structs
//! and JSON back to C memory.
//!
//! [`nodes`] is the table of all nodes, generated from libpg_query's own tables. Each conversion
//! defines one action for each kind of field. Only constants and lists are special cases, because a
//! constant's C struct contains a union, and a list's C struct contains cells.
//!
//! A conversion does not return early: it records the first [`Problem`] and continues with empty
//! values. Parsing and the library's options are in other modules.

mod arena;
mod compare;
pub mod edit;
mod enums;
mod field_table;
mod fingerprint;
pub(crate) mod json;
mod nodes;
pub(crate) mod normalize;
mod problem;
#[cfg(feature = "proto")]
mod prost;
mod relocate;
mod row;
pub mod summary;
pub mod view;

pub(crate) use arena::ArenaTree;
pub use compare::EmptyStrings;
pub(crate) use compare::{Difference, difference, statement_kind};
pub(crate) use fingerprint::fingerprint;
pub(crate) use json::escape as write_json_string;
#[cfg(feature = "proto")]
pub(crate) use json::from_json;
pub(crate) use json::{JsonWriter, LocationShift, StatementPosition};
pub(crate) use problem::Problem;
#[cfg(feature = "reference")]
pub(crate) use prost::list_prost_nodes;
#[cfg(feature = "proto")]
pub(crate) use prost::{ConvertedTree, from_prost, to_prost};
pub(crate) use relocate::{relocate, relocate_owned};
pub(crate) use summary::{relation_nodes, summarize};

/// Copies a tree, without its SQL, to new memory. A location in `tree` is an offset in the SQL plus `padding`.
pub(crate) fn copied_tree(tree: crate::sys::TreeRef<'_>, padding: usize) -> Result<ArenaTree, Problem> {
    // SAFETY: the copy is entirely in the arena.
    unsafe { ArenaTree::build_in(arena::Arena::with_min_align(), |arena| edit::copy_tree(tree, padding, arena)) }
}
