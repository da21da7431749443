//! Code that all commands for SQL share. Passes each statement through the pipeline, the caches and the parser to the
//! handler of the command. Writes results and diagnostics in order. This module does not depend on any command.

mod answer_columns;
mod answers;
mod batch_parser;
mod comments;
mod errors;
mod event;
mod fingerprints;
mod handler;
mod job;
mod options;
mod outputs;
mod processor;
mod reporter;
mod run;
mod sql;
mod writer;

pub use answer_columns::join_columns;
pub use answers::AnswerOutput;
pub use comments::SurroundingComments;
pub use errors::warning_offset;
pub use event::{CacheStats, ChunkReport};
pub use fingerprints::CountedFingerprints;
pub use handler::{Statement, StatementHandler};
pub use job::{ChunkOutput, Job, OrderedOutput};
pub use options::{AnswerFormat, CacheOptions, LogReports, OutputOptions, RunOptions};
pub use outputs::RowOutput;
pub use processor::StatementProcessor;
pub use run::{Finished, run, run_answers, run_counted, run_into, run_jobs, run_rows};
pub use sql::StatementSql;
