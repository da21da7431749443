//! Private items, for the tests in `tests/parts` only. Each item may change or disappear at any time.

use std::ops::Range;

use crate::format::csvlog::CsvlogParser;
use crate::format::interleaved::InterleavedParser;
use crate::format::jsonlog::JsonlogParser;
use crate::format::line::{Line, SourcePosition};
use crate::format::stderr::StderrParser;
use crate::message::parts::Message;
use crate::{Batch, Entry, Field, FilePosition, LineParser, RecordSelection, Severity};

pub use crate::assembly::assembler::{MAX_QUEUED, MAX_SECONDS, MAX_WAIT};
pub use crate::assembly::entry::OwnedEntry;
pub use crate::envelope::answers::opened as opened_answer;
pub use crate::envelope::csv::{CsvRows, header as csv_header};
pub use crate::envelope::fields::lines as message_lines;
pub use crate::envelope::pattern::{Parts, Pattern};
pub use crate::envelope::time_text::plain_time;
pub use crate::format::chunks::last_row_end;
pub use crate::format::frame::Frame;
pub use crate::format::json_escape::decode_escapes as decode_json_escapes;
pub use crate::format::jsonlog::keys as jsonlog_keys;
pub use crate::format::syslog_escape::decode_escapes as decode_syslog_escapes;
pub use crate::message::event::{find_event, is_cancellation};
pub use crate::message::label::{Label, find_label, parse_label};
pub use crate::message::language;
pub use crate::message::parameters::find_parameters;
pub use crate::message::plan::planned_query;
pub use crate::message::portal::is_simple;
pub use crate::message::prepared::{find_prepared, is_single};
pub use crate::message::text::{MessageText, classify, sqlstate_len};
pub use crate::prefix::{Prefix, PrefixField, PrefixRanges};
pub use crate::scan::known_runs::{KnownRuns, WINDOW};
pub use crate::scan::near::{find_near, find_near2};
pub use crate::scan::number::{is_number, parse_pid};
pub use crate::time::timestamp::{timestamp_len, with_offset_near};
pub use crate::time::zone::{AMBIGUOUS, ZONES, parse_zone};

/// Returns a parser of stderr lines with this prefix.
pub fn stderr_parser(prefix: &str) -> Box<dyn LineParser> {
    Box::new(StderrParser::new(vec![Prefix::parse(prefix)]))
}

/// Returns a parser of syslog lines with this prefix.
pub fn interleaved_parser(prefix: &str) -> Box<dyn LineParser> {
    Box::new(InterleavedParser::new(vec![Prefix::parse(prefix)]))
}

/// Returns a parser of csvlog rows.
pub fn csvlog_parser() -> Box<dyn LineParser> {
    Box::new(CsvlogParser::new(false, 0))
}

/// Returns a parser of jsonlog objects.
pub fn jsonlog_parser() -> Box<dyn LineParser> {
    Box::<JsonlogParser>::default()
}

/// Returns a batch without messages.
pub fn empty_batch(selection: RecordSelection) -> Batch {
    Batch { selection, ..Batch::default() }
}

/// Adds a message to a batch, as a parser does.
pub fn push_message(batch: &mut Batch, pid: u32, severity: Severity, fields: &[(Field, &str)]) {
    let start = batch.bytes.len();
    let line = Line { start, end: start, number: 0, header: 0, whole: true };
    let mut message = Message::new(pid, severity, SourcePosition::line_start(line));
    for (field, text) in fields {
        batch.add_field(&mut message, *field, text.as_bytes());
    }
    batch.push(message, SourcePosition::default());
}

/// Returns a message whose SQL is at `offset` of the batch's first line. `fields` are ranges of the batch.
pub fn message(pid: u32, severity: Severity, offset: u32, fields: &[(Field, Range<usize>)]) -> Message {
    let mut message = Message::new(pid, severity, SourcePosition::InBatch { line: 0, line_start: 0, offset });
    for (field, range) in fields {
        message.set(*field, range.clone());
    }
    message
}

/// Returns the entry of a message. The message's ranges refer to `bytes`.
pub fn entry<'a>(bytes: &'a [u8], message: &'a Message, batch_start: FilePosition) -> Entry<'a> {
    Entry::new(bytes, message, batch_start)
}

/// Returns an entry without fields.
pub fn empty_entry() -> OwnedEntry {
    OwnedEntry::from_message(Message::default(), b"")
}
