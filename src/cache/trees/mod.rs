//! Parse trees shared by threads, for proxies and linters that derive something from repeated statements. Two caches:
//!
//! - [`TreeCache`] by text: each text has its own tree.
//! - [`ShapeCache`] by shape: texts that differ only in literals share the tree of their normalized text. It has `$n`
//!   in place of the literals, so no tree contains another text's value.
//!
//! Both have limits in bytes and entries. Both store a payload with each tree, for data that the program derives from
//! it.

mod limits;
mod literal;
mod place;
mod shapes;
mod store;
mod template;
mod texts;

pub use limits::{CacheLimits, CacheStatistics};
pub use shapes::{ShapeCache, ShapedTree};
pub use texts::{CachedTree, TreeCache};
