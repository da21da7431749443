//! PostgreSQL's logs: bytes in, records out. A record is one statement that the log says was
//! executed, with what the log knows of it (time, user, database, duration, parameters).
//!
//! A log is read in four steps:
//! 1. [`LogReaderConfig`] says how the log is written: given, or detected from a sample.
//! 2. [`Chunks`] cuts a [`ByteSource`] into chunks of whole messages.
//! 3. A [`LineParser`] reads the messages of one chunk into a [`Batch`]; any thread may do so.
//! 4. The [`Assembler`] takes the batches in the log's order and gives [`Records`]: it joins
//!    durations and statements that the log has on lines of their own.
//!
//! This crate opens no files, knows no command line and does not parse SQL.
#![forbid(unsafe_code)]

mod assemble;
mod batch;
mod chunks;
mod config;
mod csvlog;
mod detect;
mod entry;
mod filter;
mod jsonlog;
mod message;
mod position;
mod prefix;
mod severity;
mod stats;
mod stderr;
mod syslog;
#[cfg(test)]
mod testing;
mod timestamp;

pub use assemble::{Assembler, Records};
pub use batch::{Batch, LineParser, LogChunk, RecordSelection};
pub use chunks::{BeforeWait, ByteSource, ChunkStep, Chunks, StreamState};
pub use config::{LogKind, LogReaderConfig};
pub use detect::detect_format;
pub use entry::{Entry, Part, Severity};
pub use filter::{RecordFilter, Verdict};
pub use message::parameter_values;
pub use position::FilePosition;
pub use stats::Stats;
pub use timestamp::{Timestamp, parse_timestamp};
