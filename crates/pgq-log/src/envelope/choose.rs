//! Chooses the envelope of a log by its first lines: the first row of the table that fits most of them, and
//! inside of which there is a log. Takes nothing off but samples.

use super::MAX_LAYERS;
use super::Unwrapper;
use super::altered::{is_html, is_separated};
use super::blocks::MESSAGE;
use super::colors::{has_color, starts_behind_tabs};
use super::csv;
use super::object::has_event;
use super::pattern::{Field, Parts, Pattern};
use super::printed::{BODY, RECORD, is_printed_by_ruby, ruby_value};
use super::rows_like;
use super::table::{ENVELOPES, Envelope, Form};
use super::times::full_len;
use super::{learn, logfmt};
use crate::detect::{LogKind, detect_format};
use crate::frame::Frame;
use crate::label::{Label, find_label};
use crate::timestamp::{Timestamp, parse_timestamp, timestamp_len};
use serde_json::Value;

/// Lines of a sample that decide.
const MAX_LINES: usize = 300;

/// The rows of the outermost envelope of a sample, and whether it is one JSON document. `name`: only this.
pub fn detect_layer(sample: &[u8], name: Option<&str>, depth: usize) -> Option<(Vec<&'static Envelope>, bool)> {
    let start = sample.iter().position(|b| !b.is_ascii_whitespace())?;
    let lines: Vec<&[u8]> =
        sample.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty()).take(MAX_LINES).collect();
    // A document goes on over lines; the last line of a sample may be cut.
    let second = sample[start + 1..].iter().find(|b| !b.is_ascii_whitespace());
    // The server escapes a terminal's colors in JSON.
    let is_colored = || lines.iter().any(|line| has_color(line));
    let is_json = match sample[start] {
        b'{' => matches!(second, Some(b'"')) && !is_printed_by_ruby(sample),
        b'[' => matches!(second, Some(b'{' | b'[' | b'"')),
        // The last line of a sample may be cut.
        b'"' => lines[..lines.len().max(2) - 1].iter().all(|line| serde_json::from_slice::<String>(line).is_ok()),
        _ => false,
    };
    let is_json = is_json && !is_colored();
    let is_value = |line: &&[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
    let is_document = is_json && depth == 0 && !lines.first().is_some_and(is_value);
    let header = lines.iter().find(|line| !line.starts_with(csv::TYPE)).and_then(|line| csv::header(line));
    let has_log = |text: &[u8]| detect_format("-", text).is_some();
    if is_json && !is_document && detect_format("-", sample) == Some(LogKind::Jsonlog) {
        return None; // the server's own
    }
    let (mut leads, mut events, mut first) = (Leads { lines: &lines, counts: Vec::new() }, None, None);
    let allowed = |row: &&'static Envelope| name.is_none_or(|name| row.name == name);
    for row in ENVELOPES.iter().filter(allowed) {
        let learnt: Vec<&'static Envelope> = match row.form {
            Form::CommonStart if is_json => continue,
            Form::CommonStart => learn::common_starts(&lines),
            Form::AnyKey if is_json => {
                learn::any_key(events.get_or_insert_with(|| values(sample, is_document))).into_iter().collect()
            }
            Form::AnyColumn if !is_json && header.as_ref().is_some_and(|(names, _)| names.len() > 1) => {
                let mut rows = csv::CsvRows::default();
                learn::any_column(&lines.iter().filter_map(|line| rows.line(line)).collect::<Vec<_>>())
                    .into_iter()
                    .collect()
            }
            Form::AnyKey | Form::AnyColumn => continue,
            _ => vec![row],
        };
        for row in learnt {
            let fits = match row.form {
                Form::Line(pattern) => {
                    let pattern = Pattern::parse(pattern);
                    let fits = |line: &[u8]| pattern.match_line(line).is_some_and(|parts| is_plausible(row, &parts));
                    let is_further = |line: &[u8]| {
                        pattern
                            .match_line(line)
                            .is_some_and(|parts| parts.text.starts_with(b"\t") || parts.text.starts_with(b"#011"))
                    };
                    // What the server itself could write before a message, it does not write before further lines.
                    let is_certain =
                        || name.is_some() || !is_weak(row) || sample.split(|b| *b == b'\n').any(is_further);
                    let possible = pattern.lead().map_or(lines.len(), |field| leads.count(field));
                    let has_enough = |lines: &[&[u8]]| {
                        let least = lines.len().div_ceil(if name.is_some() { 10 } else { 2 });
                        let matched = count_up_to_failure(lines, least, fits);
                        matched.is_some_and(|matched| matched > usize::from(lines.len() > 1))
                    };
                    // Those that print messages of several lines as they are have lines without a header.
                    let mut is_most = || {
                        (possible * 2 >= lines.len() || name.is_some()) && has_enough(&lines)
                            || pattern.lead().is_some()
                                && possible * 8 >= lines.len()
                                && has_enough(first.get_or_insert_with(|| first_lines(&lines)))
                    };
                    !is_json && is_most() && is_certain()
                }
                // Docker ends a line with its line break, unless it has cut it.
                Form::Object { .. } if row.name == "docker" && memchr::memmem::find(sample, b"\\n\"").is_none() => {
                    false
                }
                Form::Object { .. } | Form::Fields { .. } => {
                    is_json
                        && events
                            .get_or_insert_with(|| values(sample, is_document))
                            .iter()
                            .any(|value| has_event(value, row))
                }
                Form::Csv { keys, .. } => header
                    .as_ref()
                    .is_some_and(|(names, _)| keys.iter().all(|key| names.iter().any(|name| name == key))),
                Form::Verbose => {
                    lines.iter().any(|line| line.starts_with(MESSAGE)) && lines.iter().any(|line| full_len(line) > 0)
                }
                Form::Export => {
                    lines.iter().filter(|line| line.starts_with(b"MESSAGE=")).count() > 0
                        && lines.iter().any(|line| line.starts_with(b"__"))
                }
                Form::Yaml if row.name == "gcp" => lines.iter().any(|line| line.starts_with(b"textPayload: ")),
                Form::Yaml => {
                    let has = |start: &[u8]| lines.iter().any(|line| line.trim_ascii_start().starts_with(start));
                    !is_json && has(b"- ") && has(b"message: ") && has(b"timestamp: ")
                }
                Form::Debug => {
                    lines.iter().any(|line| line.starts_with(BODY)) && lines.iter().any(|line| line.starts_with(RECORD))
                }
                Form::Ruby => lines.iter().any(|line| ruby_value(line, b"message").is_some()),
                Form::Colors => {
                    let colored = lines.iter().filter(|line| has_color(line)).count();
                    colored > 1 && colored * 5 >= lines.len()
                }
                Form::Logfmt => lines.iter().filter(|line| logfmt::is_line(line)).count() * 2 > lines.len(),
                Form::Html => is_html(&lines),
                Form::Separated(separator) => !is_json && is_separated(&lines, separator),
                Form::CommonStart | Form::AnyKey | Form::AnyColumn => false,
                Form::Tabs => lines.iter().any(|line| starts_behind_tabs(line).nth(1).is_some()),
            };
            if !fits {
                continue;
            }
            let rows = if matches!(row.form, Form::Line(_)) { vec![row] } else { rows_like(row) };
            let inner = Unwrapper::new(rows.clone(), is_document).unwrapped_by_first(sample, row);
            if has_log(&inner) || (depth + 1 < MAX_LAYERS && detect_layer(&inner, None, depth + 1).is_some()) {
                return Some((rows, is_document));
            }
        }
    }
    None
}

/// How many lines start with a field, by field: the patterns of many rows start alike.
struct Leads<'a> {
    lines: &'a [&'a [u8]],
    counts: Vec<(Field, usize)>,
}

impl Leads<'_> {
    fn count(&mut self, field: Field) -> usize {
        if let Some((_, count)) = self.counts.iter().find(|(known, _)| *known == field) {
            return *count;
        }
        let count = self.lines.iter().filter(|line| field.len(line, None).is_some()).count();
        self.counts.push((field, count));
        count
    }
}

/// The lines that are no further ones of a message by what they start with, or by their label.
fn first_lines<'a>(lines: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let is_first = |line: &&&[u8]| {
        !line.starts_with(b"\t")
            && !line.starts_with(b"        ")
            && !find_label(line).is_some_and(|(_, label, _)| !matches!(label, Label::Primary(_)))
    };
    lines.iter().filter(is_first).copied().collect()
}

/// How many lines fit; `None` once it is known that fewer than `least` do.
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

/// The JSON values of the lines of a sample that are looked at, or of a document.
fn values(sample: &[u8], is_document: bool) -> Vec<Value> {
    let text = String::from_utf8_lossy(if is_document { sample } else { &sample[..last_line_end(sample)] });
    let all = |text: &str| -> Vec<Value> {
        serde_json::Deserializer::from_str(text).into_iter::<Value>().map_while(Result::ok).collect()
    };
    if is_document { all(&text) } else { text.lines().flat_map(all).collect() }
}

/// Where the last whole line of a sample ends that is looked at; the end where there is none.
pub fn last_line_end(sample: &[u8]) -> usize {
    const ENOUGH: usize = 64 * 1024;
    let looked_at = &sample[..sample.len().min(ENOUGH)];
    memchr::memrchr(b'\n', looked_at).map_or(sample.len(), |at| at + 1)
}

/// Whether the form of a row could be a log_line_prefix.
fn is_weak(row: &Envelope) -> bool {
    matches!(row.name, "numbered" | "grep")
        || matches!(row.title, "kubetail" | "pieces of syslog")
        || row.title.ends_with("--details")
}

/// For the names behind a namespace.
const STERN: &Envelope = &Envelope { name: "stern", title: "stern", form: Form::Line("{n} {n} {text}") };

/// Whether the names that a loose pattern has found could be what they stand for.
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
        // The pod of a set or of a deployment.
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

/// Whether the times of framed lines go down.
pub fn runs_backwards(framed: &[u8]) -> bool {
    let times = framed.split(|b| *b == b'\n').filter_map(|line| {
        let (frame, len) = Frame::parse(line).filter(|(frame, _)| !frame.continued)?;
        let inner = &line[len..][..timestamp_len(&line[len..])];
        let parse = |text| parse_timestamp(std::str::from_utf8(text).ok()?).map(Timestamp::unix_micros);
        parse(frame.time).or_else(|| parse(inner))
    });
    // Exports that run so are common, however short.
    goes_down(times, 2)
}

/// Whether framed lines are of several sources.
pub fn has_several_streams(framed: &[u8]) -> bool {
    let mut streams = framed.split(|b| *b == b'\n').filter_map(Frame::parse).map(|(frame, _)| frame.stream);
    let first = streams.next();
    streams.any(|stream| Some(stream) != first)
}

/// Whether all framed lines are of one process although no process of the server writes them all: a daemon has passed
/// them on.
pub fn is_relayed(framed: &[u8]) -> bool {
    let frames = || framed.split(|b| *b == b'\n').filter_map(Frame::parse).map(|(frame, _)| frame);
    let Some(first) = frames().find(|frame| frame.pid > 0) else { return false };
    let has = |text: &str| memchr::memmem::find(framed, text.as_bytes()).is_some();
    let is_server =
        ["checkpoint ", "connection received: ", "automatic vacuum ", "database system "].into_iter().any(has);
    let sessions = memchr::memmem::find_iter(framed, "connection authorized: ").take(2).count();
    let is_one = || frames().filter(|frame| frame.pid > 0).all(|frame| frame.pid == first.pid);
    (is_server || sessions > 1) && has("duration: ") && is_one()
}

/// Whether most steps of a row of times go down, `least` of them at the least.
pub fn goes_down(times: impl Iterator<Item = i64>, least: u32) -> bool {
    let (mut up, mut down, mut last) = (0, 0, None);
    for time in times {
        if let Some(last) = last {
            up += u32::from(time > last);
            down += u32::from(time < last);
        }
        last = Some(time);
    }
    down >= least && down > 4 * up
}
