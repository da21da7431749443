//! An answer as a line of JSON, appended one key at a time.

use std::io::Write;

use pgq_frames::{Fault, flag};
use serde_json::value::RawValue;

use super::limits::ANSWER_BYTES;
use super::text;
use crate::run::report::quote;

/// Returns an error as a JSON value, for answers that are built before they are written.
pub fn fault_json(fault: &Fault) -> serde_json::Value {
    let mut object = Vec::new();
    write_fault(fault, &mut object);
    serde_json::from_slice(&object).unwrap_or_default()
}

/// Appends an error as a JSON object.
fn write_fault(fault: &Fault, out: &mut Vec<u8>) {
    let _ = write!(out, "{{\"code\":\"{}\",\"message\":", fault.code.name());
    quote(fault.message(), out);
    let place = fault.place;
    if place.line > 0 {
        let (line, column, offset) = (place.line, place.column, place.offset);
        let _ = write!(out, ",\"line\":{line},\"column\":{column},\"offset\":{offset}");
    }
    for (tag, key) in [(b'D', "detail"), (b'H', "hint"), (b'C', "sqlstate")] {
        if let Some(text) = fault.field(tag) {
            let _ = write!(out, ",\"{key}\":");
            quote(text, out);
        }
    }
    out.push(b'}');
}

/// An answer under construction. The results of `write!` are ignored, because writing to memory
/// cannot fail.
pub struct JsonAnswer<'a> {
    out: &'a mut Vec<u8>,
    /// Start of the part that an error replaces.
    start: usize,
    /// Whether the innermost object already has a key, so that the next key needs a comma.
    any: bool,
}

/// Keys of the flags.
const FLAGS: [(u8, &str); 4] =
    [(flag::TRUNCATED, "truncated"), (flag::KEPT, "kept"), (flag::QUOTED, "quoted"), (flag::WARNINGS, "has_warnings")];

impl<'a> JsonAnswer<'a> {
    /// Begins the answer to the request `id`.
    pub fn begin(id: Option<&RawValue>, out: &'a mut Vec<u8>) -> Self {
        out.extend_from_slice(b"{\"id\":");
        out.extend_from_slice(id.map_or("null", RawValue::get).as_bytes());
        let start = out.len();
        Self { out, start, any: true }
    }

    /// Adds a key and its value in JSON.
    pub fn raw(&mut self, key: &str, json: &[u8]) {
        self.comma();
        let _ = write!(self.out, "\"{key}\":");
        self.out.extend_from_slice(json);
    }

    /// Adds the keys and values that `write` appends, and the flags that `write` returns. If `write` fails, adds the
    /// error instead.
    pub fn result(&mut self, write: impl FnOnce(&mut Vec<u8>) -> Result<u8, Fault>) {
        let (before, any) = (self.out.len(), self.any);
        self.comma();
        match write(self.out) {
            Ok(flags) if self.out.len() - before <= ANSWER_BYTES => {
                FLAGS.iter().filter(|(bit, _)| flags & bit != 0).for_each(|(_, key)| self.raw(key, b"true"));
            }
            answered => {
                self.out.truncate(before);
                self.any = any;
                self.fault(&answered.err().unwrap_or_else(text::too_long_answer));
            }
        }
    }

    /// Adds `results`, an array of `count` objects. `write` fills each object. If the array is too long, adds an error
    /// instead.
    pub fn results(&mut self, count: usize, mut write: impl FnMut(usize, &mut JsonAnswer<'_>)) {
        let before = self.out.len();
        self.comma();
        self.out.extend_from_slice(b"\"results\":[");
        for index in 0..count {
            self.out.extend_from_slice(if index > 0 { b",{" } else { b"{" });
            let start = self.out.len();
            write(index, &mut JsonAnswer { out: self.out, start, any: false });
            self.out.push(b'}');
            if self.out.len() - before > ANSWER_BYTES {
                self.out.truncate(before);
                return self.fault(&text::too_long_answer());
            }
        }
        self.out.push(b']');
    }

    /// Replaces all keys added so far by an error.
    pub fn fault(&mut self, fault: &Fault) {
        self.out.truncate(self.start);
        self.any = self.out.last() != Some(&b'{');
        self.comma();
        self.out.extend_from_slice(b"\"error\":");
        write_fault(fault, self.out);
    }

    /// Ends the line.
    pub fn end(self) {
        self.out.extend_from_slice(b"}\n");
    }

    fn comma(&mut self) {
        if self.any {
            self.out.push(b',');
        }
        self.any = true;
    }
}
