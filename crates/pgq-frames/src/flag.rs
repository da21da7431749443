//! Flags of requests, answers and items.

/// No flag.
pub const NONE: u8 = 0;
/// The body has items.
pub const BATCH: u8 = 1;
/// More frames of this answer follow; in an item: the next item continues it.
pub const MORE: u8 = 2;
/// The tree is deeper than fingerprints look at.
pub const TRUNCATED: u8 = 4;
/// Constants were left in the normalized text.
pub const KEPT: u8 = 8;
/// Strings became `'$1'`, in quotes.
pub const QUOTED: u8 = 16;
/// PostgreSQL has warnings on the text, or a server sent notices.
pub const WARNINGS: u8 = 32;
/// The last item before a Sync.
pub const SYNC: u8 = 64;
