//! Assembles records from batches of messages, independent of the log's format. Joins a statement with the duration,
//! the error and the parameters in other messages of its session.

pub(crate) mod assembler;
pub(crate) mod entry;
pub(crate) mod filter;
pub(crate) mod records;
pub(crate) mod stats;
