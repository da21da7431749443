//! Trees that threads share, for what a proxy or a linter keeps of statements that repeat. Two caches:
//!
//! - [`TreeCache`] by text: a tree is the text's own.
//! - [`ShapeCache`] by shape: texts that differ in literals alone share the tree of their normalized text. It has `$n`
//!   where the texts have literals, so that no tree contains another text's value.
//!
//! Both have limits in bytes and entries, and a payload for each tree, for what a program derives from it.

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
