//! Parse trees that threads share, for proxies and linters that derive data from repeated statements. There are two
//! caches:
//!
//! - [`TreeCache`] by text: each text has its own tree.
//! - [`ShapeCache`] by shape: texts that differ only in literals share the tree of their normalized SQL. Normalized
//!   SQL has `$n` instead of literals. Therefore a shared tree contains no literals.
//!
//! Both caches have limits in bytes and entries. Both store a payload with each tree, for the data that the program
//! derives from the tree.

mod limits;
mod literal;
pub(crate) mod place;
mod shapes;
mod store;
pub(crate) mod template;
mod texts;

pub use limits::{CacheLimits, CacheStatistics};
pub use shapes::{ShapeCache, ShapedTree};
pub use texts::{CachedTree, TreeCache};
