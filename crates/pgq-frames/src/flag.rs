//! Flags of requests, answers and items.

/// No flag.
pub const NONE: u8 = 0;
/// In a request, the body is a batch of texts. In an answer, the body is a list of items.
pub const BATCH: u8 = 1;
/// More frames of this answer follow. In an item, this flag means that the next item continues this
/// item.
pub const MORE: u8 = 2;
/// The tree has more levels than a fingerprint covers.
pub const TRUNCATED: u8 = 4;
/// The normalized text still contains constants.
pub const KEPT: u8 = 8;
/// The normalized text has `'$1'`, with quotes, in place of string constants.
pub const QUOTED: u8 = 16;
/// The parser issued warnings, or the PostgreSQL server sent notices.
pub const WARNINGS: u8 = 32;
/// In an answer to `execute`, the item is the last one before a Sync message, which ends an implicit transaction.
pub const SYNC: u8 = 64;
