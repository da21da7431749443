//! Timestamps and their zones. Knows no messages.

pub(crate) mod clock;
pub(crate) mod timestamp;
pub(crate) mod zone;
