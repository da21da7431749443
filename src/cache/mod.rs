//! Caches results, so that repeated statements need no parsing. A lookup is by exact text or by shape. A shape is the
//! sequence of tokens without the values of literals. [`AnswerCache`] combines the two kinds of lookup.

mod answers;
mod bytes;
mod functions;
mod literals;
pub(crate) mod results;
mod shape;
mod shape_entry;
pub(crate) mod shape_key;
pub(crate) mod shape_template;
pub(crate) mod trees;

pub use crate::tree::LiteralValue;
pub use answers::{AnswerCache, AnswerCacheOptions, AnswerLookup, CacheKeys};
pub use bytes::ByteCache;
pub use functions::{FingerprintCache, KnownFingerprint, NormalizeCache};
pub use shape::KnownShape;
pub use shape_key::InputScope;
pub use trees::{CacheLimits, CacheStatistics, CachedTree, ShapeCache, ShapedTree, TreeCache};
