//! Assembles records from batches of messages, independent of the log's format. A statement's duration, error and
//! parameters may be in other messages of its session. This module joins them with the statement.

pub(crate) mod assembler;
pub(crate) mod entry;
pub(crate) mod filter;
pub(crate) mod records;
pub(crate) mod stats;
