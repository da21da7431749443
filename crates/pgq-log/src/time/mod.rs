//! Timestamps and their zones.

pub(crate) mod clock;
pub(crate) mod timestamp;
pub(crate) mod zone;
