//! Code that all commands share. Reads input, splits it into chunks, processes the chunks in several jobs (threads),
//! and writes results in order.
//!
//! This module does not depend on commands or command-line options. Commands pass plain values to it.

pub mod input;
pub mod pipeline;
pub mod report;
pub mod statements;
