//! A generic pipeline: source -> stage -> worker -> reorder buffer -> sink.
//!
//! A job is a thread that takes its chunks through all steps:
//!
//! 1. It reads and numbers a chunk while it holds the source's lock.
//! 2. It runs the parallel part of the stage.
//! 3. It waits for the chunk's turn in the ordered part of the stage. This part is short.
//! 4. It runs the worker, and passes the output to the reorder buffer.
//!
//! The output does not depend on the number of jobs. The required memory depends on the size of the chunks, and not on
//! the size of the input. There are no separate threads for reading and writing. Jobs rarely wait for each other, for
//! two reasons: a job reads small chunks ahead while the source is free, and one job at a time delivers the outputs of
//! all jobs.
//!
//! This module does not depend on files, logs, SQL or reports. Chunks and outputs are type parameters.

mod reorder;
mod run;
mod sequencer;
mod steps;

pub use run::run;
pub use steps::{Sink, Source, Stage, Worker};
