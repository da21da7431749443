//! Removes one envelope. Reads lines, joins lines that the envelope split, and emits the inner lines.

use serde_json::Value;

use super::answers::opened;
use super::colors::colored_line;
use super::csv::CsvRows;
use super::object::{event, fits, for_each_event, is_broken, pid_of};
use super::pattern::Pattern;
use super::sources::{Sources, add_names, is_stdout, without_levels};
use super::splits::{Splits, is_cut_word, is_full, replacements, source_of, without_number};
use super::table::{ENVELOPES, Envelope, Form};
use super::yaml::YamlEvent;
use crate::format::frame::{Emit, Frame};
use crate::message::label::{Label, find_label};
use crate::time::timestamp::timestamp_len;

/// Length at which docker splits a line, in bytes.
const DOCKERS_LIMIT: usize = 16 << 10;

/// An envelope and its pending text.
pub struct Layer {
    /// The rows of the envelope table that have this envelope's name. A line is parsed by the first row that fits
    /// it.
    rows: Vec<&'static Envelope>,
    /// Pattern of the lines with the envelope's header. `None` if the envelope has no pattern, as in JSON.
    pattern: Option<Pattern>,
    /// Patterns of lines that are not from the server, such as those of an application on Heroku.
    foreign: Vec<Pattern>,
    is_docker: bool,
    pub(super) sources: Sources,
    pub(super) splits: Splits,
    /// Length, in bytes, of the most recent event, including its lines without a header.
    event_len: usize,
    /// Number of U+FFFD in the last event.
    replaced: usize,
    /// Numbers of the source of the last line with the envelope's header: in the outer envelope, and in this envelope.
    /// A line without the header gets the same source, because it may continue that line.
    last_stream: Option<(u32, u32)>,
    /// Length of the envelope's header on the last line that has this header.
    header: usize,
    /// Process ID in the envelope's header on the last line that has this header.
    last_pid: u32,
    /// Whether the last line that started with a time is a row of a csvlog.
    is_csvlog: bool,
    yaml: YamlEvent,
    csv: CsvRows,
    /// Buffer for decoded text.
    pub(super) decoded: Vec<u8>,
}

impl Layer {
    /// Creates a layer, which removes one envelope. `depth`: the number of envelopes around it.
    pub fn new(rows: Vec<&'static Envelope>, depth: usize) -> Self {
        let pattern = |row: &Envelope| match row.form {
            Form::Line(pattern) => Some(Pattern::parse(pattern)),
            _ => None,
        };
        // On Heroku, the log also has lines of the application's other processes. The patterns for these lines are in
        // the other rows of the envelope table with the name `heroku`.
        let others = ENVELOPES.iter().filter(|other| other.name == "heroku" && rows[0].name == "heroku");
        Self {
            pattern: pattern(rows[0]),
            is_docker: rows[0].name == "docker",
            foreign: others.filter_map(pattern).collect(),
            rows,
            sources: Sources::new(depth),
            splits: Splits::default(),
            event_len: 0,
            replaced: 0,
            last_stream: None,
            header: 0,
            last_pid: 0,
            is_csvlog: false,
            yaml: YamlEvent::default(),
            csv: CsvRows::default(),
            decoded: Vec::new(),
        }
    }

    pub fn envelope(&self) -> &'static Envelope {
        self.rows[0]
    }

    /// Removes the envelope from a line.
    pub fn line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        match self.rows[0].form {
            Form::Line(_) => self.text_line(outer, line, emit),
            Form::Object { .. } | Form::Fields { .. } => self.json_line(outer, line, emit),
            Form::Csv { .. } => self.csv_line(outer, line, emit),
            Form::Yaml => {
                if self.yaml.line(line) {
                    self.yaml_event(outer, emit);
                }
            }
            Form::Colors => colored_line(outer, line, emit),
        }
    }

    fn text_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        let Some(parts) = self.pattern.as_ref().and_then(|pattern| pattern.match_line(line)) else {
            if let Some(foreign) = self.foreign_line(line) {
                return emit(&Frame { foreign, ..*outer }, line);
            }
            return self.plain_line(outer, line, emit);
        };
        let name = self.rows[0].name;
        let stream = match parts.names.as_slice() {
            [] => self.sources.optional(outer.stream, parts.host),
            [labels] if name == "loki" => self.sources.optional(outer.stream, &without_levels(labels)),
            [name] => self.sources.named(outer.stream, name),
            names => self.sources.named(outer.stream, &names.join(&b'/')),
        };
        if is_full(name, self.event_len, || self.replaced) {
            let last = self.last_stream.map_or(0, |(_, stream)| stream);
            self.splits.full.insert((last, self.last_pid, false));
        }
        self.last_stream = Some((outer.stream, stream));
        let splits = matches!(name, "syslog" | "heroku" | "logplex");
        let text = if splits && parts.piece.is_none() { without_number(parts.text, parts.pid) } else { parts.text };
        let source = (stream, parts.pid, parts.is_stdout);
        let altered = outer.altered || parts.partial || self.splits.partial.contains_key(&source);
        let header = &line[..line.len() - text.len()];
        (self.header, self.last_pid, self.event_len) = (header.len(), parts.pid, text.len());
        self.replaced = replacements(text);
        let is_rest = self.splits.take_rest(source);
        if name == "syslog" && parts.piece.is_none() && is_cut_word(text) {
            self.splits.full.insert(source);
        }
        let position = if altered { outer.line_position() } else { outer.position.after_in_line(header) };
        let frame = Frame {
            position,
            altered,
            is_stdout: parts.is_stdout || outer.is_stdout,
            stream,
            pid: if parts.pid > 0 { parts.pid } else { outer.pid },
            piece: parts.piece,
            numbered: text.len() < parts.text.len(),
            splits,
            is_rest: is_rest || outer.is_rest,
            time: if parts.time.is_empty() { outer.time } else { parts.time },
            ..*outer
        };
        if name == "loki" {
            // logcli removes the tab of a continuation line, so add the tab again. Exception: the lines of a csvlog
            // row have no tab.
            let time = timestamp_len(text);
            if time > 0 {
                self.is_csvlog = matches!(text[time..], [b',', b',' | b'"', ..]);
            } else if !self.is_csvlog
                && !text.starts_with(b"\t")
                && !text.starts_with(b"{")
                && find_label(text).is_none()
            {
                let frame = Frame { position: outer.line_position(), altered: true, ..frame };
                return self.splits.join(&frame, &[b"\t", text].concat(), parts.partial, emit);
            }
        }
        self.splits.join(&frame, text, parts.partial, emit);
    }

    /// Handles a line without the envelope's header. Some tools write the header only before the first line of a
    /// message. They print the other lines verbatim, or indent them by the header's length.
    fn plain_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        let last = self.last_stream.filter(|(around, _)| *around == outer.stream);
        let stream = last.map_or(outer.stream, |(_, stream)| stream);
        self.event_len += line.len() + 1;
        self.replaced += replacements(line);
        let frame = Frame { stream, ..outer.with_altered_text() };
        let name = self.rows[0].name;
        if let Some((indent, text)) = line.split_at_checked(self.header)
            && name == "syslog"
            && self.header > 8
            && indent.iter().all(|b| *b == b' ')
        {
            let frame = Frame { pid: self.last_pid, splits: true, ..frame };
            // A labeled part of a message (DETAIL, STATEMENT) is emitted unchanged. Any other line is a continuation
            // line, and gets a tab if it has none.
            match find_label(text) {
                Some((_, label, _)) if !matches!(label, Label::Primary(_)) => emit(&frame, text),
                _ if text.starts_with(b"\t") => emit(&frame, text),
                _ => emit(&frame, &[b"\t", text].concat()),
            }
            return;
        }
        let continued =
            self.last_stream.is_some() && (line.starts_with(b"\t") || !matches!(name, "cri" | "syslog" | "fly"));
        emit(&Frame { continued, ..frame }, line);
    }

    /// Returns `Some(true)` for a line without the envelope's header that is not part of the log. For example, stern
    /// and grep add such lines. Returns `None` for any other line.
    fn foreign_line(&self, line: &[u8]) -> Option<bool> {
        let row = self.rows[0];
        let is_foreign = match row.name {
            "heroku" => self.foreign.iter().any(|pattern| pattern.match_line(line).is_some()),
            // stern reports when a pod starts or stops: `+ pg-0 › postgres`.
            "stern" => line.starts_with(b"+ ") || line.starts_with(b"- "),
            "grep" => line == b"--",
            _ => false,
        };
        is_foreign.then_some(true)
    }

    fn json_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        let outer = &outer.with_altered_text();
        if self.is_docker && self.docker_line(outer, line, emit).is_some() {
            return;
        }
        // A line that starts with a tab is not JSON, but part of a statement in a stderr log.
        if line.starts_with(b"\t") {
            return emit(outer, line);
        }
        let line = line.trim_ascii();
        let text = String::from_utf8_lossy(line);
        for value in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
            let Ok(value) = value else { return emit(outer, line) }; // not recognized
            self.value(outer, value, emit);
        }
    }

    /// Reads a line of CSV, which may be part of a row.
    fn csv_line(&mut self, outer: &Frame<'_>, line: &[u8], emit: Emit<'_>) {
        match self.csv.line(line) {
            Ok(Some(row)) => self.value(&outer.with_altered_text(), Value::Object(row), emit),
            Ok(None) => {}
            Err(broken) => emit(&outer.with_altered_text(), &broken), // not recognized
        }
    }

    /// Emits the YAML event that has ended.
    fn yaml_event(&mut self, outer: &Frame<'_>, emit: Emit<'_>) {
        let event = std::mem::take(&mut self.yaml);
        if let Some(text) = event.text() {
            let stream = self.sources.optional(outer.stream, event.names.as_bytes());
            self.lines(&Frame { time: &event.time, stream, ..outer.with_altered_text() }, &text, false, emit);
        }
    }

    /// Emits the events of a JSON value.
    pub fn value(&mut self, outer: &Frame<'_>, value: Value, emit: Emit<'_>) {
        let rows = self.rows.clone();
        for_each_event(&opened(value), &rows, "", &mut |object, around| {
            let mut names = around.to_string();
            add_names(object, &mut names);
            let Some(row) = rows.iter().find(|row| fits(row, object)) else {
                // Without `--all`, journalctl writes `null` in place of a long message.
                let is_left_out = object.get("MESSAGE").is_some_and(Value::is_null);
                if is_left_out && is_broken(object) {
                    let stream = self.sources.optional(outer.stream, names.as_bytes());
                    self.splits.full.insert((stream, pid_of(object).unwrap_or(outer.pid), false));
                }
                return emit(&Frame { foreign: !is_left_out, ..*outer }, b"a text that is left out");
            };
            let Some(event) = event(row, object) else {
                return emit(outer, b"a text that cannot be decoded"); // not recognized
            };
            let time = if event.time.is_empty() { outer.time } else { event.time.as_bytes() };
            let pid = if event.pid > 0 { event.pid } else { outer.pid };
            names.push_str(&event.stream);
            let stream = self.sources.optional(outer.stream, names.as_bytes());
            let frame = Frame { time, pid, stream, is_stdout: outer.is_stdout || is_stdout(object), ..*outer };
            // In events of docker and RDS, text without a line break at its end is a part of a line: docker ends each
            // complete line with a line break, and a portion of an RDS log may end anywhere.
            let is_stream = matches!(row.name, "docker" | "rds");
            // Some programs forward the parts of a line that docker split, but do not mark them. All parts except the
            // last have docker's maximum length, so text of this length also counts as a part.
            let is_cut = is_stream || event.text.len() == DOCKERS_LIMIT;
            let is_partial = is_cut && !event.text.ends_with(b"\n") || is_broken(object);
            self.lines(&frame, without_number(&event.text, event.pid), is_partial, emit);
        });
    }

    /// Emits a string of one or more lines.
    pub(super) fn lines(&mut self, frame: &Frame<'_>, text: &[u8], is_partial: bool, emit: Emit<'_>) {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let source = source_of(frame);
        let frame = &Frame { is_rest: self.splits.take_rest(source) || frame.is_rest, ..*frame };
        if !is_partial && is_full(self.rows[0].name, text.len(), || replacements(text)) {
            self.splits.full.insert(source);
        }
        if memchr::memchr(b'\n', text).is_none() {
            return self.splits.join(frame, text, is_partial, emit);
        }
        let mut lines = text.split(|b| *b == b'\n').peekable();
        let mut continued = false;
        while let Some(line) = lines.next() {
            let is_partial = is_partial && lines.peek().is_none();
            self.splits.join(&Frame { continued, ..*frame }, line, is_partial, emit);
            continued = true;
        }
    }

    /// Emits the pending text at the end of the input.
    pub fn finish(&mut self, outer: &Frame<'_>, emit: Emit<'_>) {
        self.yaml_event(outer, emit);
        let row = self.csv.finish();
        if !row.is_empty() {
            emit(&outer.with_altered_text(), &row); // not recognized
        }
        self.splits.finish(outer, emit);
    }
}
