//! The first lines of a log. Tests which rows of the table fit them. Caches data that several rows need.

use super::altered::{is_html, is_separated};
use super::answers::opened;
use super::backwards::{may_run_down, unit_of};
use super::blocks::MESSAGE;
use super::colors::{has_color, starts_behind_tabs};
use super::csv::{self, CsvRows};
use super::document::json_start;
use super::escaped::is_escaped;
use super::indented::tab_width;
use super::object::has_event;
use super::pattern::{Field, Parts, Pattern};
use super::table::{Envelope, Form};
use super::times::full_len;
use super::{learn, logfmt};
use crate::format::csvlog::is_servers_row;
use crate::format::detect::{LogKind, detect_format};
use crate::message::label::{Label, find_label};
use crate::scan::lines::split_lines;
use serde_json::Value;

const MAX_LINES: usize = 300;

pub struct Sample<'s> {
    text: &'s [u8],
    lines: Vec<&'s [u8]>,
    is_json: bool,
    /// Number of envelopes around the sample.
    depth: usize,
    /// Whether the sample is one JSON document, as opposed to one document per line.
    pub is_document: bool,
    /// Column names of a CSV header.
    columns: Option<Vec<String>>,
    leads: Leads,
    /// JSON values, parsed on demand.
    values: Option<Vec<Value>>,
    /// First lines of messages, found on demand.
    first_lines: Option<Vec<&'s [u8]>>,
}

impl<'s> Sample<'s> {
    /// Creates a sample. Returns `None` if `text` has only blanks. `depth`: the number of envelopes around the sample.
    pub fn new(text: &'s [u8], depth: usize) -> Option<Self> {
        let text = match json_start(text) {
            skipped @ 1.. if depth == 0 => &text.trim_ascii_start()[skipped..],
            _ => text,
        };
        let start = text.iter().position(|b| !b.is_ascii_whitespace())?;
        let lines: Vec<&[u8]> =
            split_lines(text).filter(|line| !line.trim_ascii().is_empty()).take(MAX_LINES).collect();
        // A document may have line breaks.
        let second = text[start + 1..].iter().find(|b| !b.is_ascii_whitespace());
        let is_json = match text[start] {
            b'{' => matches!(second, Some(b'"')),
            b'[' => matches!(second, Some(b'{' | b'[' | b'"')),
            // The last line of a sample may be incomplete.
            b'"' => lines[..lines.len().max(2) - 1].iter().all(|line| serde_json::from_slice::<String>(line).is_ok()),
            _ => false,
        };
        // The server's JSON has no raw terminal colors, because it escapes them.
        let is_json = is_json && !lines.iter().any(|line| has_color(line));
        let is_value = |line: &&[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
        let is_document = is_json && depth == 0 && !lines.first().is_some_and(is_value);
        let text_lines = if is_json { &[][..] } else { &lines[..] };
        let header = text_lines.iter().find(|line| !line.starts_with(csv::TYPE)).and_then(|line| csv::header(line));
        let columns = header.map(|(names, _)| names);
        let leads = Leads::default();
        Some(Self { text, lines, is_json, depth, is_document, columns, leads, values: None, first_lines: None })
    }

    /// Whether these are the server's own JSON lines or CSV rows, without an envelope. For CSV, tests only the start of
    /// the first row, which no client can write. Later lines may be part of a statement that looks like an envelope.
    pub fn is_servers_own(&self) -> bool {
        self.lines.first().is_some_and(|line| is_servers_row(line))
            || self.is_json && !self.is_document && detect_format("-", self.text) == Some(LogKind::Jsonlog)
    }

    /// Returns `row`. If `row` is a placeholder, returns the rows detected from these lines instead.
    pub fn rows(&mut self, row: &'static Envelope) -> Vec<&'static Envelope> {
        match row.form {
            Form::CommonStart if !self.is_json => learn::common_starts(&self.lines),
            Form::Indented(0) if !self.is_json => tab_width(&self.lines).into_iter().map(learn::indented).collect(),
            Form::AnyKey if self.is_json => learn::any_key(self.values()).into_iter().collect(),
            Form::AnyFields if self.is_json => learn::any_fields(self.values()).into_iter().collect(),
            Form::AnyEncoded if self.is_json => learn::any_encoded(self.values()).into_iter().collect(),
            Form::AnyColumn if !self.is_json && self.columns.as_ref().is_some_and(|names| names.len() > 1) => {
                let (mut csv, mut rows, mut broken) = (CsvRows::default(), Vec::new(), 0);
                for line in &self.lines {
                    rows.extend(csv.line(line));
                    broken += usize::from(!csv.take_broken().is_empty());
                }
                // The number of values varies if the text is not CSV.
                let is_export = broken * 4 <= rows.len();
                if is_export { learn::any_column(&rows).into_iter().collect() } else { Vec::new() }
            }
            Form::CommonStart
            | Form::Indented(0)
            | Form::AnyFields
            | Form::AnyEncoded
            | Form::AnyKey
            | Form::AnyColumn => Vec::new(),
            _ => vec![row],
        }
    }

    /// Whether the lines fit a row. `is_named`: whether the user named the envelope.
    pub fn fits(&mut self, row: &Envelope, is_named: bool) -> bool {
        let lines = &self.lines;
        let any = |is_it: &dyn Fn(&[u8]) -> bool| lines.iter().any(|line| is_it(line));
        match row.form {
            Form::Line(pattern) => !self.is_json && self.fits_pattern(row, &Pattern::parse(pattern), is_named),
            // Docker writes the line break of each line. If the line break is missing, docker has split the line.
            Form::Object { .. } if row.name == "docker" && memchr::memmem::find(self.text, b"\\n\"").is_none() => false,
            Form::Object { .. } | Form::Fields { .. } | Form::Encoded { .. } => {
                self.is_json && self.values().iter().any(|value| has_event(value, row))
            }
            Form::Csv { keys, .. } => {
                let is_name =
                    |names: &[String], key: &str| names.iter().any(|name| name == key) || key.starts_with(csv::UNNAMED);
                let has = |names: &Vec<String>| keys.iter().all(|key| is_name(names, key));
                self.columns.as_ref().is_some_and(has)
            }
            Form::Verbose => any(&|line| line.starts_with(MESSAGE)) && any(&|line| full_len(line) > 0),
            Form::Export => any(&|line| line.starts_with(b"MESSAGE=")) && any(&|line| line.starts_with(b"__")),
            Form::Yaml if row.name == "gcp" => any(&|line| line.starts_with(b"textPayload: ")),
            Form::Yaml => {
                let has = |start: &[u8]| any(&|line| line.trim_ascii_start().starts_with(start));
                !self.is_json && has(b"- ") && has(b"message: ") && has(b"timestamp: ")
            }
            Form::Colors => {
                let colored = lines.iter().filter(|line| has_color(line)).count();
                colored > 1 && colored * 5 >= lines.len()
            }
            Form::Logfmt => lines.iter().filter(|line| logfmt::is_line(line)).count() * 2 > lines.len(),
            Form::Html => is_html(lines),
            Form::Indented(width) => width > 0,
            Form::Escaped(escapes) => !self.is_json && is_escaped(lines, escapes),
            // A log inside an envelope has the envelope's order.
            Form::Backwards(unit) => {
                self.depth == 0 && may_run_down(lines) && {
                    let text = &self.text[..last_line_end(self.text)];
                    let all = split_lines(text).filter(|line| !line.is_empty());
                    unit_of(&all.collect::<Vec<_>>()) == Some(unit)
                }
            }
            Form::Separated(separator) => !self.is_json && is_separated(lines, separator),
            Form::CommonStart | Form::AnyFields | Form::AnyEncoded | Form::AnyKey | Form::AnyColumn => false,
            Form::Tabs => any(&|line| starts_behind_tabs(line).nth(1).is_some()),
        }
    }

    fn fits_pattern(&mut self, row: &Envelope, pattern: &Pattern, is_named: bool) -> bool {
        let is_row = |line: &[u8]| pattern.match_line(line).is_some_and(|parts| is_plausible(row, &parts));
        let has_enough = |lines: &[&[u8]]| {
            let least = lines.len().div_ceil(if is_named { 10 } else { 2 });
            let matched = count_up_to_failure(lines, least, is_row);
            matched.is_some_and(|matched| matched > usize::from(lines.len() > 1))
        };
        let count = self.lines.len();
        let possible = pattern.lead().map_or(count, |field| self.leads.count(field, &self.lines));
        // Some tools print multi-line messages verbatim, so some lines have no header.
        let is_most = (possible * 2 >= count || is_named) && has_enough(&self.lines)
            || pattern.lead().is_some()
                && possible * 8 >= count
                && has_enough(self.first_lines.get_or_insert_with(|| first_lines(&self.lines)));
        let is_further = |line: &[u8]| {
            let parts = pattern.match_line(line);
            parts.is_some_and(|parts| parts.text.starts_with(b"\t") || parts.text.starts_with(b"#011"))
        };
        // A weak form could also be a log_line_prefix. The server writes no prefix before a continuation line, so a
        // form before such a line is an envelope.
        is_most && (is_named || !is_weak(row) || split_lines(self.text).any(is_further))
    }

    fn values(&mut self) -> &[Value] {
        self.values.get_or_insert_with(|| values(self.text, self.is_document))
    }
}

/// For each field, the number of lines that start with the field. Cached, because many patterns start with the same
/// field.
#[derive(Default)]
struct Leads(Vec<(Field, usize)>);

impl Leads {
    fn count(&mut self, field: Field, lines: &[&[u8]]) -> usize {
        if let Some((_, count)) = self.0.iter().find(|(known, _)| *known == field) {
            return *count;
        }
        let count = lines.iter().filter(|line| field.len(line, None).is_some()).count();
        self.0.push((field, count));
        count
    }
}

/// Returns the lines that start a message or a labeled part. Tests their first bytes and their labels.
fn first_lines<'a>(lines: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let is_first = |line: &&&[u8]| {
        !line.starts_with(b"\t")
            && !line.starts_with(b"        ")
            && !find_label(line).is_some_and(|(_, label, _)| !matches!(label, Label::Primary(_)))
    };
    lines.iter().filter(is_first).copied().collect()
}

/// Counts the lines for which `fits` is true. Returns `None` as soon as the count cannot reach `least`.
fn count_up_to_failure(lines: &[&[u8]], least: usize, fits: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let (mut matched, mut missed) = (0, 0);
    for line in lines {
        if fits(line) {
            matched += 1;
        } else {
            missed += 1;
            if lines.len() - missed < least {
                return None;
            }
        }
    }
    Some(matched)
}

/// Parses the JSON values of the inspected lines, or of a document.
fn values(sample: &[u8], is_document: bool) -> Vec<Value> {
    let text = String::from_utf8_lossy(if is_document { sample } else { &sample[..last_line_end(sample)] });
    let all = |text: &str| -> Vec<Value> {
        serde_json::Deserializer::from_str(text).into_iter::<Value>().map_while(Result::ok).map(opened).collect()
    };
    if is_document { all(&text) } else { text.lines().flat_map(all).collect() }
}

/// Returns the end of the last complete line within the inspection limit. Returns the sample's length if there is no
/// line break.
pub fn last_line_end(sample: &[u8]) -> usize {
    const ENOUGH: usize = 64 * 1024;
    let looked_at = &sample[..sample.len().min(ENOUGH)];
    memchr::memrchr(b'\n', looked_at).map_or(sample.len(), |at| at + 1)
}

/// Whether a row's form could also be a log_line_prefix.
fn is_weak(row: &Envelope) -> bool {
    matches!(row.name, "numbered" | "grep")
        || matches!(row.title, "kubetail" | "pieces of syslog")
        || row.title.ends_with("--details")
}

/// A row for `stern --all-namespaces`. It is used to check the names after the namespace.
const STERN: &Envelope = &Envelope { name: "stern", title: "stern", form: Form::Line("{n} {n} {text}") };

/// Whether the names that a loose pattern matched are plausible.
fn is_plausible(row: &Envelope, parts: &Parts<'_>) -> bool {
    let Some(name) = parts.names.first() else { return true };
    let is_label = name.iter().any(|b| b"@=[](){}<>:,".contains(b));
    let has_letter = name.iter().any(u8::is_ascii_lowercase);
    if row.title == "stern --all-namespaces" {
        let inner = || Parts { names: parts.names[1..].to_vec(), ..parts.clone() };
        return !is_label && parts.names[1].contains(&b'-') && is_plausible(STERN, &inner());
    }
    match row.name {
        "aws" => !is_label && has_letter && name.iter().any(|b| b"./-_".contains(b)),
        "compose" => !is_label && has_letter,
        "kubectl" if row.title == "kubetail" => !is_label && has_letter,
        // The name of a pod ends in a number (StatefulSet) or in five characters (Deployment).
        "stern" => {
            let end = name.rsplit(|b| *b == b'-').next().unwrap_or_default();
            let is_pod = name.contains(&b'-') && (end.len() == 5 || end.iter().all(u8::is_ascii_digit)) && has_letter;
            is_pod
                && !is_label
                && parts.names[1].iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-')
        }
        _ => true,
    }
}
