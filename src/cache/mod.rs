//! Answers for statements that were seen before, so that they are not parsed again: by the exact
//! text, or by the shape (its tokens without the values of literals). [`AnswerCache`] is both in front of the parser.

mod answers;
mod bytes;
mod results;
mod shape;
mod shape_entry;
mod shape_key;

pub use answers::{AnswerCache, AnswerCacheOptions, AnswerLookup, CacheKeys};
pub use bytes::ByteCache;
pub use shape::KnownShape;
pub use shape_key::InputScope;
