//! Batches of messages in, records out: joins a statement with the duration, the error and the parameters in other
//! messages of its session. Independent of the format.

pub(crate) mod assembler;
pub(crate) mod entry;
pub(crate) mod filter;
pub(crate) mod records;
pub(crate) mod stats;
