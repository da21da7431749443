//! Shared by the commands: reads input, splits it into chunks, processes them in several jobs, and writes results in
//! order.
//!
//! This module knows no commands or command-line options. Commands pass plain values.

pub mod input;
pub mod pipeline;
pub mod report;
pub mod statements;
