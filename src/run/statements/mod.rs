//! What the commands that read SQL share: input goes through the pipeline, statement by statement,
//! past the caches and the parser to the command's handler, and results and diagnostics come out
//! in order. This room does not know what a command makes of a statement.

mod batch_parser;
mod comments;
mod count;
mod errors;
mod event;
mod fingerprints;
mod handler;
mod options;
mod processor;
mod reporter;
mod rows;
mod run;
mod sink;
mod sql;
mod table;
mod worker;
mod writer;

pub use comments::SurroundingComments;
pub use errors::warning_offset;
pub use event::{CacheStats, ChunkReport, Event};
pub use fingerprints::FingerprintCache;
pub use handler::{Statement, StatementHandler};
pub use options::{CacheOptions, LogReports, OutputOptions, RunOptions};
pub use reporter::EventReporter;
pub use rows::{RowHandler, run_row_workers, run_rows};
pub use run::{run, run_counted, run_into, run_workers};
pub use sink::{DiagnosticsSink, PrintSink};
pub use sql::StatementSql;
pub use table::{TableColumn, run_table};
pub use worker::ChunkWorker;
