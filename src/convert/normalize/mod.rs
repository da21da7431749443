//! Replaces the constants of SQL with `$n` in three steps. `collect` finds the constants in the tree, `literal` finds
//! the extent of each constant in the SQL, and `substitute` inserts the parameters. The result is the same as from
//! `pg_query_normalize` and `pg_query_normalize_utility`, unless libpg_query's result is wrong. [`Deviation`] lists the
//! differences.

mod children_table;
mod collect;
mod constants;
mod group_by;
pub(crate) mod literal;
mod normalized;
mod substitute;

pub(crate) use collect::collect_constants;
pub(crate) use constants::CollectedConstants;
pub use normalized::{Deviation, Normalized};
pub(crate) use substitute::{
    ConservativeRewrite, ReplacedConstant, conservative, libpg_compatible, plain, plain_constants, with_words,
};
