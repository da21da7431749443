//! A generic pipeline: source -> stage -> worker -> reorder buffer -> sink.
//!
//! Every job (thread) takes a chunk through all steps. It reads the chunk under the source's lock,
//! which numbers it; runs the parallel part of the stage; waits for the chunk's turn in the
//! ordered part; works on the result; and hands its output to the reorder buffer. The output is
//! the same for any number of jobs, and memory is bounded by chunks, not by the input. The ordered
//! part is short, a job takes small chunks ahead while nobody else reads, and one job at a time hands
//! outputs over for all: jobs hardly wait for each other, and no thread only reads or only writes.
//!
//! This module knows nothing of files, logs, SQL or reports: chunks and outputs are type parameters.

mod reorder;
mod run;
mod sequencer;
mod steps;

pub use run::run;
pub use steps::{Sink, Source, Stage, Worker};
