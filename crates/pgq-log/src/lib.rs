//! Converts the bytes of PostgreSQL's logs to records. A record is a statement that the server executed, with the
//! available fields (time, user, database, duration, parameters).
//!
//! A log is read in four steps:
//! 1. [`LogReaderConfig`] has the log's format, either given or detected from a sample.
//! 2. [`Chunks`] splits a [`ByteSource`] into chunks of whole messages.
//! 3. A [`LineParser`] parses the messages of a chunk into a [`Batch`], on any thread.
//! 4. The [`Assembler`] takes the batches in order and returns [`Records`]. It joins statements
//!    with durations and errors on other lines.
//!
//! This crate opens no files, reads no command line and does not parse SQL.
//!
//! ```
//! use pgq_log::{Assembler, Batch, Chunks, Field, LogKind, LogReaderConfig, RecordSelection, StreamState};
//!
//! let mut source: &[u8] = b"\
//!     2026-01-31 12:00:00.123 UTC [7] ann@shop LOG:  statement: SELECT 1\n\
//!     2026-01-31 12:00:00.125 UTC [7] ann@shop LOG:  duration: 1.5 ms\n";
//! let (config, notice) = LogReaderConfig::new(LogKind::Stderr, RecordSelection::default(), None, source);
//! assert_eq!(notice.unwrap(), "log_line_prefix taken to be '%m [%p] %q%u@%d '");
//!
//! let mut chunks = Chunks::new(config);
//! let mut assembler = Assembler::default();
//! let mut statements = Vec::new();
//! while let Some(step) = chunks.next_chunk(&mut source, &|| {})? {
//!     let mut parser = step.config.parser();
//!     let mut batch = Batch::parse(step.chunk, step.config.selection, parser.as_mut());
//!     if step.state == StreamState::End {
//!         parser.flush(&mut batch);
//!     }
//!     let records = match step.state {
//!         StreamState::More => assembler.assemble(batch),
//!         StreamState::Idle => assembler.assemble_idle(batch),
//!         StreamState::End => assembler.finish(batch),
//!     };
//!     for entry in records.iter() {
//!         let user = String::from_utf8_lossy(entry.get(Field::User)).into_owned();
//!         statements.push((user, entry.sql().to_vec(), entry.duration_ms()));
//!     }
//! }
//! assert_eq!(statements, [("ann".to_string(), b"SELECT 1".to_vec(), Some(1.5))]);
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]

mod assembly;
mod envelope;
mod format;
#[doc(hidden)]
pub mod internals;
mod message;
#[allow(missing_docs)] // not public: `internals` exports it for tests
mod prefix;
mod scan;
mod time;

pub use assembly::assembler::Assembler;
pub use assembly::entry::Entry;
pub use assembly::filter::{RecordFilter, TimeLimit, Verdict};
pub use assembly::records::Records;
pub use assembly::stats::{LogStats, counted};
pub use envelope::{Unwrapper, envelope_names};
pub use format::batch::{Batch, LineParser, LogChunk};
pub use format::chunks::{BeforeWait, ByteSource, ChunkStep, Chunks, StreamState};
pub use format::config::{LogReaderConfig, has_lines_of, joins_fields};
pub use format::detect::{
    LogKind, STATEMENT_WORDS, detect_format, is_known_name, is_script_name, starts_as_log, without_compression,
};
pub use format::file_position::FilePosition;
pub use format::first_messages::FirstMessages;
pub use format::mark::{MessageMark, Sampling};
pub use format::order::{lacks_line_breaks, runs_newest_first};
pub use format::repeats::{LogForm, RepeatedMessages};
pub use format::selection::RecordSelection;
pub use message::event::{Event, lock_of, without_position};
pub use message::field::Field;
pub use message::parameters::parameter_values;
pub use message::portal::prepared_names;
pub use message::severity::Severity;
pub use time::clock::{Clock, duration_micros};
pub use time::timestamp::{Timestamp, parse_timestamp, time_without_year};
