//! `$n` in place of the constants of a text, in three steps: collect the constants of the tree
//! ([`collect`]), find how far each goes in the text ([`literal`]), substitute parameters
//! ([`substitute`]). Equals `pg_query_normalize` and `pg_query_normalize_utility`, but where their
//! text is wrong: [`Deviation`] says how.

mod children_table;
mod collect;
mod constants;
mod literal;
mod normalized;
mod substitute;

pub(crate) use collect::collect_constants;
pub(crate) use constants::CollectedConstants;
pub use normalized::{Deviation, Normalized};
pub(crate) use substitute::{
    ConservativeRewrite, ReplacedConstant, conservative, libpg_compatible, plain, plain_constants, with_words,
};
