//! The first lines of a log. This module tests which rows of the envelope table fit these lines, and caches data that
//! several rows need.

use super::answers::opened;
use super::colors::has_color;
use super::csv;
use super::object::has_event;
use super::pattern::{Field, Parts, Pattern};
use super::table::{Envelope, Form, PIECES};
use crate::format::csvlog::row::columns_of_first_row;
use crate::format::detect::{LogKind, detect_format, is_csvlog_row};
use crate::message::label::{Label, find_label};
use crate::scan::lines::split_lines;
use serde_json::Value;

/// Maximum number of lines of a log that are inspected.
pub const MAX_LINES: usize = 300;

pub struct Sample<'s> {
    text: &'s [u8],
    /// Number of envelopes around the sample.
    depth: usize,
    lines: Vec<&'s [u8]>,
    is_json: bool,
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
        let start = text.iter().position(|b| !b.is_ascii_whitespace())?;
        let mut lines: Vec<&[u8]> =
            split_lines(text).filter(|line| !line.trim_ascii().is_empty()).take(MAX_LINES).collect();
        // The server writes a tab before each continuation line of a statement. Removes these lines, because they can
        // look like any envelope. Exception: in a JSON document, tabs are indentation, so no line is removed. If the
        // first line begins with a tab, the sample starts inside a statement and is not a JSON document.
        let begins_in_statement = lines[0].starts_with(b"\t");
        if begins_in_statement || !matches!(text[start], b'{' | b'[' | b'"') {
            lines.retain(|line| !line.starts_with(b"\t"));
            lines.first()?;
        }
        // The second token of a document may be on a later line.
        let second = text[start + 1..].iter().find(|b| !b.is_ascii_whitespace());
        let is_json = match text[start] {
            b'{' => matches!(second, Some(b'"')),
            b'[' => matches!(second, Some(b'{' | b'[' | b'"')),
            // The last line of a sample may be incomplete, so it is tested only if it is the only line.
            b'"' => lines[..lines.len().max(2) - 1].iter().all(|line| serde_json::from_slice::<String>(line).is_ok()),
            _ => false,
        };
        // JSON contains terminal colors only in escaped form. Therefore a sample with raw terminal colors is not JSON.
        let is_json = is_json && !begins_in_statement && !lines.iter().any(|line| has_color(line));
        let is_value = |line: &&[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
        let is_document = is_json && depth == 0 && !lines.first().is_some_and(is_value);
        let text_lines = if is_json { &[][..] } else { &lines[..] };
        let header = text_lines.first().and_then(|line| csv::header(line));
        let is_copy = |separator| separator == b'\t' && text_lines.iter().any(|line| csv::has_null_of_copy(line));
        let header = header.filter(|(_, separator)| !is_copy(*separator));
        let columns = header.map(|(names, _)| names);
        let leads = Leads::default();
        Some(Self { text, depth, lines, is_json, is_document, columns, leads, values: None, first_lines: None })
    }

    /// Whether the lines are the server's own JSON lines or CSV rows, without an envelope. For CSV, tests only the
    /// first row, because no client can choose the start of that row. Later lines may be part of a statement that looks
    /// like an envelope.
    pub fn is_servers_own(&self) -> bool {
        self.lines.first().is_some_and(|line| is_csvlog_row(line))
            || columns_of_first_row(self.text).is_some()
            || self.is_json && !self.is_document && detect_format("-", self.text) == Some(LogKind::Jsonlog)
    }

    /// Whether the lines fit a row of the envelope table. `is_named`: whether the user named the envelope.
    pub fn fits(&mut self, row: &Envelope, is_named: bool) -> bool {
        let lines = &self.lines;
        match row.form {
            Form::Line(pattern) => !self.is_json && self.fits_pattern(row, &Pattern::parse(pattern), is_named),
            // In docker's JSON, most `log` values end in a line break, which is written as `\n` before the closing
            // quote. If no value of the sample ends in `\n"`, the sample is not docker's.
            Form::Object { .. } if row.name == "docker" && memchr::memmem::find(self.text, b"\\n\"").is_none() => false,
            Form::Object { .. } | Form::Fields { .. } => {
                self.is_json && self.values().iter().any(|value| has_event(value, row))
            }
            Form::Csv { keys, .. } => {
                let has = |names: &Vec<String>| keys.iter().all(|key| names.iter().any(|name| name == key));
                self.columns.as_ref().is_some_and(has)
            }
            Form::Yaml => lines.iter().any(|line| line.starts_with(b"textPayload: ")),
            Form::Colors => {
                // Inside of an envelope, tools color only the name of a container at the start of the line. A color at
                // any other position may be part of a client's text.
                let is_colored = |line: &&&[u8]| has_color(line) && (self.depth == 0 || line.starts_with(b"\x1b"));
                let colored = lines.iter().filter(is_colored).count();
                colored > 1 && colored * 5 >= lines.len()
            }
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
        // Some tools print a message of several lines with the header only on its first line, so most lines of a log
        // may lack the header. Therefore the lines that may start a message are also tested separately.
        let is_most = (possible * 2 >= count || is_named) && has_enough(&self.lines)
            || pattern.lead().is_some()
                && possible * 8 >= count
                && has_enough(self.first_lines.get_or_insert_with(|| first_lines(&self.lines)));
        let is_further = |line: &[u8]| pattern.match_line(line).is_some_and(|parts| parts.text.starts_with(b"#011"));
        // `[7-2]` may be syslog's piece number, but also a part of the log_line_prefix. It is certainly a piece
        // number if `#011`, an escaped tab, follows. A tab starts a continuation line, and continuation lines have
        // no prefix.
        is_most && (is_named || row.title != PIECES || split_lines(self.text).any(is_further))
    }

    /// Drops the parsed values, which need several times as much memory as the sample itself.
    pub fn drop_values(&mut self) {
        self.values = None;
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

/// Returns the lines that may start a message. Omits indented lines, and lines with a label such as DETAIL.
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

/// Parses the JSON values in the complete lines of a sample, or in the whole sample if it is one document.
fn values(sample: &[u8], is_document: bool) -> Vec<Value> {
    let text = String::from_utf8_lossy(if is_document { sample } else { &sample[..last_line_end(sample)] });
    let all = |text: &str| -> Vec<Value> {
        serde_json::Deserializer::from_str(text).into_iter::<Value>().map_while(Result::ok).map(opened).collect()
    };
    if is_document { all(&text) } else { text.lines().flat_map(all).collect() }
}

/// Returns the end of the last complete line within the first 64 KiB, or the sample's length if there is no line break.
pub fn last_line_end(sample: &[u8]) -> usize {
    const ENOUGH: usize = 64 * 1024;
    let looked_at = &sample[..sample.len().min(ENOUGH)];
    memchr::memrchr(b'\n', looked_at).map_or(sample.len(), |at| at + 1)
}

/// Whether the names in a match are plausible. The patterns of some tools also match lines of other programs.
fn is_plausible(row: &Envelope, parts: &Parts<'_>) -> bool {
    let Some(name) = parts.names.first() else { return true };
    let is_label = name.iter().any(|b| b"@=[](){}<>:,".contains(b));
    let has_letter = name.iter().any(u8::is_ascii_lowercase);
    match row.name {
        "aws" => !is_label && has_letter && name.iter().any(|b| b"./-_".contains(b)),
        "compose" => !is_label && has_letter,
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
