//! Shared by the commands: input is read, cut into chunks, processed by any number of jobs, and written in order.
//!
//! This room knows no command and no option: commands pass plain values.

pub mod input;
pub mod pipeline;
pub mod report;
pub mod statements;
