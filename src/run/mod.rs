//! What the commands share: input is read, cut into chunks, worked on by any number of jobs, and written in order.
//!
//! No command is named here, and no option: commands hand over plain values.

pub mod input;
pub mod pipeline;
pub mod report;
pub mod statements;
