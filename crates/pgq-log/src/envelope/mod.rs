//! Envelopes: the text that docker, Kubernetes, journald, syslog, cloud platforms and shippers put around the lines of
//! a log. pgq removes the envelopes before it detects the log's format. It starts with the outermost envelope, and does
//! not change the text inside.
//!
//! [`Unwrapper::detect`] finds the envelopes of a log in its first bytes. [`Unwrapper::feed`]
//! removes them. The output consists of framed lines. A frame is a header before a line, with data
//! that only the envelope has (frame.rs).

pub(crate) mod answers;
mod choose;
mod colors;
pub(crate) mod csv;
mod docker;
mod document;
mod events;
pub(crate) mod fields;
mod layer;
mod object;
#[allow(missing_docs)] // not public: `internals` exports it for tests
pub(crate) mod pattern;
mod sample;
mod sources;
mod splits;
mod table;
pub(crate) mod time_text;
mod yaml;

use std::io;

use serde_json::Value;

use crate::format::batch::BYTE_ORDER_MARK;
use crate::format::config::has_lines_of;
use crate::format::detect::{LogKind, detect_format};
use crate::format::file_position::FilePosition;
use crate::format::frame::{Frame, first_parts};
use choose::{detect_layer, is_relayed, runs_backwards};
use document::check_document;
use events::{Events, finish_layers, unwrap_line, unwrap_value};
use layer::Layer;
use sample::last_line_end;
use table::{ENVELOPES, Envelope, Form};

/// Maximum number of nested envelopes.
const MAX_LAYERS: usize = 3;
/// Maximum length, in bytes, of a log that runs from newest to oldest. pgq must keep such a log in memory as a whole.
const MAX_REVERSED: usize = 1 << 30;

/// Removes the envelopes of a log.
pub struct Unwrapper {
    layers: Vec<Layer>,
    /// Start of an incomplete line.
    rest: Vec<u8>,
    position: FilePosition,
    /// Whether the log is one JSON document with line breaks.
    is_document: bool,
    /// The events of a log that runs from newest to oldest, each with its lines. The events are emitted in reverse
    /// order. `None` for any other log.
    reversed: Option<Vec<Vec<u8>>>,
    held: usize,
    /// Whether one daemon forwarded the lines of all processes.
    is_relayed: bool,
}

/// Returns the names of envelopes that `--from` accepts.
#[must_use]
pub fn envelope_names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = ENVELOPES.iter().map(|envelope| envelope.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns `row` of the envelope table. If `row` describes JSON objects, also returns the other rows that have the
/// same name and describe JSON objects, because a log may contain objects of several of these rows.
fn rows_like(row: &'static Envelope) -> Vec<&'static Envelope> {
    match row.form {
        Form::Object { .. } | Form::Fields { .. } => {
            let alike = |other: &&Envelope| {
                other.name == row.name && matches!(other.form, Form::Object { .. } | Form::Fields { .. })
            };
            let others = ENVELOPES.iter().filter(alike).filter(|other| *other != row);
            std::iter::once(row).chain(others).collect()
        }
        _ => vec![row],
    }
}

impl Unwrapper {
    fn new(rows: Vec<&'static Envelope>, is_document: bool) -> Self {
        Self {
            layers: vec![Layer::new(rows, 0)],
            rest: Vec::new(),
            position: FilePosition::default(),
            is_document,
            reversed: None,
            held: 0,
            is_relayed: false,
        }
    }

    /// Detects the envelopes of a log that starts with `sample`. Returns `None` if there is no envelope. `names`: the
    /// envelopes to try, outermost first. If `names` is empty, tries all envelopes, first for the log and then for the
    /// lines inside each detected envelope. If `log_line_prefix` is given, this search stops as soon as the lines
    /// inside have this prefix.
    #[must_use]
    pub fn detect(sample: &[u8], names: &[&str], log_line_prefix: Option<&str>) -> Option<Self> {
        let mut found: Option<Self> = None;
        for depth in 0..MAX_LAYERS {
            if !names.is_empty() && depth == names.len() {
                break;
            }
            let text = found.as_ref().map_or_else(|| sample.to_vec(), |unwrapper| unwrapper.unwrapped(sample));
            if depth > 0 && names.is_empty() && log_line_prefix.is_some_and(|prefix| has_lines_of(prefix, &text)) {
                break;
            }
            let Some((rows, is_document)) = detect_layer(&text, names.get(depth).copied(), depth) else { break };
            match &mut found {
                None => found = Some(Self::new(rows, is_document)),
                Some(unwrapper) => unwrapper.layers.push(Layer::new(rows, depth)),
            }
        }
        let mut unwrapper = found?;
        let framed = unwrapper.framed(sample);
        if runs_backwards(&framed) {
            unwrapper.reversed = Some(Vec::new());
        }
        unwrapper.is_relayed = is_relayed(&framed);
        Some(unwrapper)
    }

    /// Creates an unwrapper for the same envelopes, with an empty state.
    fn fresh(&self) -> Self {
        let layer = |(depth, layer): (usize, &Layer)| Layer::new(rows_like(layer.envelope()), depth);
        let layers = self.layers.iter().enumerate().map(layer).collect();
        Self { layers, ..Self::new(vec![self.layers[0].envelope()], self.is_document) }
    }

    /// Unwraps a sample. Returns framed lines.
    fn framed(&self, sample: &[u8]) -> Vec<u8> {
        let (mut fresh, mut lines) = (self.fresh(), Vec::new());
        let _ = fresh.feed(sample, &mut lines);
        let _ = fresh.finish(&mut lines);
        lines
    }

    /// Unwraps a sample. Returns lines without frames, from which the format is detected.
    fn unwrapped(&self, sample: &[u8]) -> Vec<u8> {
        first_parts(&self.framed(sample))
    }

    /// Whether the log inside the envelopes has the format `kind`. `sample`: the start of the log with its envelopes.
    #[must_use]
    pub fn holds(&self, sample: &[u8], kind: LogKind) -> bool {
        detect_format("-", &self.unwrapped(sample)) == Some(kind)
    }

    /// Whether a program has removed the tabs of continuation lines, as logcli does. Without the tabs, a line of a
    /// statement can look like a message.
    #[must_use]
    pub fn lacks_tabs(&self) -> bool {
        self.layers.iter().any(|layer| layer.envelope().title == "logcli")
    }

    /// Returns the joined titles of the envelopes, followed by `newest first` if the log begins with its newest line.
    /// Messages to users contain this text.
    #[must_use]
    pub fn title(&self) -> String {
        let titles: Vec<&str> = self.layers.iter().map(|layer| layer.envelope().title).collect();
        let order = if self.reversed.is_some() { ", newest first" } else { "" };
        format!("{}{order}", titles.join(" in "))
    }

    /// Unwraps the next bytes of the log. Appends the complete lines to `out`.
    ///
    /// # Errors
    /// Returns an error if a line is too long, or if the log must be kept in memory as a whole and is too long.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        if self.is_document {
            self.rest.extend_from_slice(bytes);
            return check_document(self.rest.len());
        }
        let mut bytes = bytes;
        while let Some(newline) = memchr::memchr(b'\n', bytes) {
            let (line, after) = bytes.split_at(newline + 1);
            if self.rest.is_empty() {
                self.line(line, out)?;
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend_from_slice(line);
                self.line(&whole, out)?;
                whole.clear();
                self.rest = whole;
            }
            bytes = after;
        }
        self.rest.extend_from_slice(bytes);
        check_document(self.rest.len())
    }

    /// Unwraps the end of the log.
    ///
    /// # Errors
    /// Returns the errors of [`Unwrapper::feed`], and an error if a document is not JSON.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        let rest = std::mem::take(&mut self.rest);
        let mut problem = None;
        if self.is_document {
            let text = String::from_utf8_lossy(&rest);
            for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
                match value {
                    Ok(value) => self.emit(out, |layers, out| unwrap_value(layers, value, out))?,
                    Err(error) => {
                        let error = io::Error::new(io::ErrorKind::InvalidData, format!("is not JSON: {error}"));
                        problem = Some(error);
                    }
                }
            }
        } else if !rest.is_empty() {
            self.line(&rest, out)?;
        }
        let frame = Frame { position: self.position, ..Frame::default() };
        self.emit(out, |layers, out| finish_layers(layers, &frame, out))?;
        if let Some(events) = &mut self.reversed {
            events.drain(..).rev().for_each(|event| out.extend_from_slice(&event));
        }
        problem.map_or(Ok(()), Err)
    }

    /// Resets the state for a new file of the same servers.
    pub fn restart(&mut self) {
        let reversed = self.reversed.is_some().then(Vec::new);
        let mut fresh = Self { reversed, is_relayed: self.is_relayed, ..self.fresh() };
        for (layer, old) in fresh.layers.iter_mut().zip(&mut self.layers) {
            layer.sources = std::mem::take(&mut old.sources);
        }
        *self = fresh;
    }

    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        let frame = Frame { position: self.position, ..Frame::default() };
        self.position.offset += line.len() as u64;
        self.position.line += 1;
        let text = if frame.position.offset == 0 { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line) } else { line };
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        self.emit(out, |layers, out| unwrap_line(layers, &frame, text, out))
    }

    /// Calls `run` with the layers and an output. If the log runs backwards, stores the output until
    /// [`Unwrapper::finish`].
    fn emit(&mut self, out: &mut Vec<u8>, run: impl FnOnce(&mut [Layer], &mut Events)) -> io::Result<()> {
        match &mut self.reversed {
            None => {
                let mut events = Events::new(std::mem::take(out), false, self.is_relayed);
                run(&mut self.layers, &mut events);
                *out = events.lines;
                Ok(())
            }
            Some(all) => {
                let mut events = Events::new(Vec::new(), true, self.is_relayed);
                run(&mut self.layers, &mut events);
                if self.layers.iter().any(|layer| !layer.splits.is_empty()) {
                    return Err(io::Error::other("runs newest first and has split lines: export it oldest first"));
                }
                let mut at = 0;
                for end in events.ends.unwrap_or_default() {
                    let lines = &events.lines[at..end];
                    // The first lines may continue the last event of the previous output.
                    match all.last_mut().filter(|_| at == 0 && events.continues) {
                        Some(last) => last.extend_from_slice(lines),
                        None => all.push(lines.to_vec()),
                    }
                    at = end;
                }
                self.held += events.lines.len();
                if self.held > MAX_REVERSED {
                    let problem = "runs newest first and has more than 1 GiB: export it oldest first, or in parts";
                    return Err(io::Error::other(problem));
                }
                Ok(())
            }
        }
    }
}

impl Unwrapper {
    /// Unwraps a sample. Omits the lines that do not fit `row`, which is a row of the envelope table.
    fn unwrapped_by_first(mut self, sample: &[u8], row: &'static Envelope) -> Vec<u8> {
        self.layers = vec![Layer::new(vec![row], 0)];
        let mut framed = Vec::new();
        let end = if self.is_document { sample.len() } else { last_line_end(sample) };
        let _ = self.feed(&sample[..end], &mut framed);
        let _ = self.finish(&mut framed);
        first_parts(&framed)
    }
}
