//! Log formats (stderr, csvlog, jsonlog) and their detection. Converts the bytes of a log to batches of messages.

pub(crate) mod batch;
pub(crate) mod chunks;
pub(crate) mod config;
pub(crate) mod csvlog;
pub(crate) mod detect;
pub(crate) mod file_position;
pub(crate) mod first_messages;
pub(crate) mod foreign;
pub(crate) mod frame;
pub(crate) mod interleaved;
pub(crate) mod json_escape;
pub(crate) mod jsonlog;
pub(crate) mod line;
pub(crate) mod line_header;
pub(crate) mod mark;
pub(crate) mod order;
pub(crate) mod recent_lines;
pub(crate) mod repeats;
pub(crate) mod selection;
pub(crate) mod stderr;
pub(crate) mod syslog_escape;
pub(crate) mod syslog_part;
