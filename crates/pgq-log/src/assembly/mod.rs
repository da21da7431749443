//! Batches of messages in, records out: a statement is joined with the duration, the error and the parameters that the
//! log has in other messages of its session. Knows no format.

pub(crate) mod assembler;
pub(crate) mod entry;
pub(crate) mod filter;
pub(crate) mod records;
pub(crate) mod stats;
