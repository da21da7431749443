//! Converts files and standard input to chunks of whole statements, records or documents.
//!
//! Opens, decompresses and follows files, detects their format, and splits them. A script is split into chunks of about
//! 16 kB. A chunk ends only at a point where PostgreSQL's grammar lets a statement end. Memory is therefore bounded by
//! the longest statement, not by the file. [`LogStage`] is the pipeline stage that parses logs. This module does not
//! use the command-line parser, prints nothing, and does not parse SQL.

mod batch;
mod chunk;
mod compressed;
mod decoded;
mod documents;
mod encodings;
mod escape_strings;
mod file;
mod folder;
mod follow;
mod frames;
mod limit;
mod log;
mod name;
mod open_input;
mod options;
mod outputs;
mod panics;
mod reader;
mod records;
mod regular_file;
mod rotation;
mod script;
mod segment;
mod source;
mod splitter;
#[cfg(unix)]
mod stop;
mod storage;
mod table;

pub use batch::{Granularity, StatementBatch, TableRecord};
pub use chunk::{Chunk, Content, Data, EscapeStrings};
pub use documents::JsonDocuments;
pub use encodings::encoding;
pub use folder::has_extension;
pub use log::LogStage;
pub use name::path_name;
pub use options::{InputFormat, InputOptions, KeptColumns, LogOptions, STDIN_NAME, ScriptComments};
pub use outputs::{
    INCOMPLETE_NAME, INCOMPLETE_RANDOM, folder_of, is_incomplete_output, is_output, note_written,
    refuse_replaced_inputs, was_read, without_links,
};
pub use panics::is_panic_caught;
pub use regular_file::open_regular;
pub use source::Input;
#[cfg(unix)]
pub use stop::StopSignal;
pub use storage::is_plain;
pub use table::{TableFormat, TableRow, TableRows, Value, encode_csv, encode_tsv};
