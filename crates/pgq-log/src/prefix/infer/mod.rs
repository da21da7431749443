//! Infers the log_line_prefix of a log. Tries common values (usual.rs), and selects the most
//! informative value that matches nearly all lines. The user must specify any other prefix, because
//! pgq could only guess its fields.

mod evidence;
mod numbers;
mod usual;

use crate::format::batch::BYTE_ORDER_MARK;
use crate::message::label::{Label, find_label};
use crate::message::language::is_unknown;
use crate::message::text::sqlstate_len;
use crate::prefix::address::{address_len, backend_len};
use crate::prefix::{Prefix, PrefixField, PrefixRanges};
use evidence::{alternating, contradictions};
use numbers::Number;
use usual::USUAL;

/// Maximum number of lines to inspect.
const MAX_LINES: usize = 600;
/// Maximum number of prefixes in a log. Several servers may write to one file, and a setting may change.
const MAX_PREFIXES: usize = 4;
/// One contradicting line outweighs this number of matching lines.
const CONTRADICTION: usize = 10;
/// Maximum length of a prefix, in bytes. A longer text before a severity is not a prefix.
const MAX_PREFIX_LEN: usize = 1024;

/// Two values of log_line_prefix that both fit the log.
pub type Unclear = [String; 2];

/// Whether a prefix has a time, a process ID or a session ID. A prefix without any of these may also match a line
/// inside a statement, so it is not accepted as a second prefix of a log.
pub fn is_distinctive(prefix: &str) -> bool {
    ["%m", "%t", "%n", "%p", "%c"].iter().any(|escape| prefix.contains(escape))
}

/// A line with a severity or another label.
#[derive(Clone, Copy)]
struct Sample<'a> {
    line: &'a [u8],
    /// Offsets of the label and of the text after it.
    label: usize,
    text: usize,
    /// Index of the line among the lines with a label.
    index: usize,
    /// Whether the label starts a part of a message, such as DETAIL.
    is_part: bool,
}

impl<'a> Sample<'a> {
    /// Returns the text without the SQLSTATE that log_error_verbosity = verbose inserts.
    fn message(&self) -> &'a [u8] {
        let text = &self.line[self.text..];
        &text[sqlstate_len(text)..]
    }
}

/// Returns the prefixes of a stderr log, most frequent first. Returns an empty list if no common prefixes match at
/// least half of the lines, or if another program wrote more than half of the lines.
///
/// Returns an error if two prefixes fit the log, but assign the fields differently, or if lines of one prefix may be
/// lines of the other with a blank in a name.
pub fn infer_prefixes<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Result<Vec<String>, Unclear> {
    let mut samples: Vec<Sample<'_>> = lines.filter_map(sample).collect();
    let count = samples.len();
    samples.retain(|sample| !is_foreign(&sample.line[..sample.label]));
    if samples.len() * 2 < count {
        return Ok(Vec::new());
    }
    samples.iter_mut().enumerate().for_each(|(index, sample)| sample.index = index);
    if samples.len() > MAX_LINES {
        let step = samples.len().div_ceil(MAX_LINES);
        // Keep runs of consecutive lines, because numbers.rs needs them: the changes of a number from line to line
        // show whether it is a process ID or a line number.
        samples = samples.chunks(50).step_by(step).flatten().copied().collect();
    }
    let total = samples.len();
    let all = samples.clone();
    let mut prefixes: Vec<String> = Vec::new();
    while prefixes.len() < MAX_PREFIXES && samples.len() * 20 > total {
        let prefix = match best_prefix(&samples) {
            Ok(Some(prefix)) => prefix,
            Err(unclear) if prefixes.is_empty() => return Err(unclear),
            _ => break,
        };
        let parsed = Prefix::parse(&prefix);
        let rest: Vec<Sample<'_>> = samples.iter().filter(|sample| !fits(&parsed, sample)).copied().collect();
        let is_rare = (samples.len() - rest.len()) * 20 < total;
        if is_rare || prefixes.contains(&prefix) || (!prefixes.is_empty() && !is_distinctive(&prefix)) {
            break;
        }
        prefixes.push(prefix);
        samples = rest;
    }
    if let Some(unclear) = alternating(&prefixes, &all) {
        return Err(unclear);
    }
    Ok(if samples.len() * 2 > total { Vec::new() } else { prefixes })
}

fn sample(line: &[u8]) -> Option<Sample<'_>> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    if line.first() == Some(&b'\t') {
        return None;
    }
    let (label, kind, text) = find_label(line).filter(|(start, ..)| *start <= MAX_PREFIX_LEN)?;
    // Whether the line is part of an HTML or XML document.
    let is_element = line.ends_with(b">") && line.starts_with(b"<") && memchr::memmem::find(line, b"</").is_some();
    (!is_element).then_some(Sample { line, label, text, index: 0, is_part: !matches!(kind, Label::Primary(_)) })
}

/// Whether a program other than the server wrote `before`, the text before a severity. Signs of another program are,
/// for example, a time such as `2026-01-31T12:00:00`, which the server never writes, and a quote that is not closed.
fn is_foreign(before: &[u8]) -> bool {
    let is_date = |form: &[u8]| form.is_ascii() && form[4] == b'-' && form[7] == b'-' && form[13] == b':';
    let mut times = memchr::memchr_iter(b'T', before).filter(|at| *at >= 10 && at + 4 <= before.len());
    times.any(|at| is_date(&before[at - 10..at + 4]) && before[at - 10..at - 6].iter().all(u8::is_ascii_digit))
        || !memchr::memchr_iter(b'"', before).count().is_multiple_of(2)
        || STARTS.iter().any(|start| before.starts_with(start))
        || memchr::memmem::find(before, b"<![CDATA[").is_some()
}

/// Starts of lines in log exports that pgq does not support.
const STARTS: [&[u8]; 5] = [b"    MESSAGE=", b"MESSAGE=", b"Body: Str(", b"['", b"textPayload: "];

/// Frequent command tags (`%i`).
const TAGS: [&[u8]; 8] = [b"SELECT", b"INSERT", b"UPDATE", b"DELETE", b"BEGIN", b"COMMIT", b"idle", b"authentication"];

/// A common prefix that matches lines.
struct Candidate {
    text: String,
    /// Index in [`USUAL`].
    usual: usize,
    /// Number of matching lines, minus a penalty for lines that contradict the prefix.
    score: usize,
    /// Number of matching lines that have the part of the prefix after `%q`.
    sessions: usize,
    weight: u32,
}

/// Returns the most informative of the prefixes that match nearly as many lines as the best-matching prefix.
fn best_prefix(samples: &[Sample<'_>]) -> Result<Option<String>, Unclear> {
    let (mut candidates, mut most): (Vec<Candidate>, usize) = (Vec::new(), 0);
    for (usual, text) in USUAL.iter().enumerate() {
        for text in std::iter::once(text.to_string()).chain(with_quit(text)) {
            let prefix = Prefix::parse(&text);
            let Some(matched) = count_matches(&prefix, samples, most) else { continue };
            let sessions = sessions(&text, &prefix, samples);
            let is_plausible = sessions > 0 && has_exact_forms(&prefix, samples);
            if !is_plausible || !has_plausible_names(&text, &prefix, samples) {
                continue;
            }
            let score = matched - (CONTRADICTION * contradictions(&text, samples)).min(matched / 2);
            most = most.max(score);
            candidates.push(Candidate { weight: weight(&text), text, usual, score, sessions });
        }
    }
    // A line of a background process matches any prefix up to its `%q`. Only lines of sessions can distinguish the
    // candidates.
    candidates.retain(|candidate| {
        candidate.score > 0 && is_enough(candidate.sessions.saturating_sub(most - candidate.score), candidate.sessions)
    });
    // If a prefix and its variant with `%q` have the same rank, the prefix without `%q` is selected, because it is
    // the first of the two in `candidates`.
    let rank = |candidate: &Candidate| (candidate.weight, candidate.score, std::cmp::Reverse(candidate.usual));
    let Some(best) = candidates.iter().rev().max_by_key(|candidate| rank(candidate)) else { return Ok(None) };
    let is_rival = |other: &&Candidate| other.usual != best.usual && other.weight == best.weight;
    if let Some(rival) = candidates.iter().find(is_rival) {
        return Err([best, rival].map(|candidate| with_seconds(&candidate.text, samples)));
    }
    let text = with_seconds(&best.text, samples);
    match number(&best.text, samples) {
        Number::Process => Ok(Some(text)),
        Number::Line => Ok(None),
        Number::Unclear => Err([text.clone(), text.replace("%p", "%l")]),
    }
}

/// Whether a score is close enough to the best score, `most`.
fn is_enough(score: usize, most: usize) -> bool {
    score * 33 >= most * 32
}

/// Whether a condition holds for all values except the values of a few damaged lines.
fn are_nearly_all(samples: &[Sample<'_>], values: &[&[u8]], is_so: impl Fn(&[u8]) -> bool) -> bool {
    let others = values.iter().filter(|value| !is_so(value)).count();
    is_enough(samples.len() - others, samples.len())
}

/// Counts the lines that a prefix matches. Returns `None` as soon as the count can no longer be close enough to
/// `most`, the best count so far.
fn count_matches(prefix: &Prefix, samples: &[Sample<'_>], most: usize) -> Option<usize> {
    let mut matched = samples.len();
    for sample in samples {
        if !fits(prefix, sample) {
            matched -= 1;
            if !is_enough(matched, most) {
                return None;
            }
        }
    }
    Some(matched)
}

/// Whether a prefix matches a line up to its label, and the names in the match are plausible.
fn fits(prefix: &Prefix, sample: &Sample<'_>) -> bool {
    let mut ranges = PrefixRanges::default();
    let matched = prefix.match_line(sample.line, &mut ranges);
    let is_name = |field: PrefixField| {
        let name = &sample.line[ranges.get(field)];
        is_unknown(name) || !name.iter().any(|b| b" =[]()|<>,\":/".contains(b))
    };
    matched.is_some_and(|(_, text)| text == sample.text) && is_name(PrefixField::User) && is_name(PrefixField::Database)
}

/// Counts the matching lines that have the part of the prefix after `%q`. Without `%q`, counts all matching lines.
fn sessions(text: &str, prefix: &Prefix, samples: &[Sample<'_>]) -> usize {
    let start = text.split_once("%q").map(|(start, _)| Prefix::parse(start));
    let is_session = |sample: &&Sample<'_>| start.as_ref().is_none_or(|start| !fits(start, sample));
    samples.iter().filter(is_session).filter(|sample| fits(prefix, sample)).count()
}

/// Whether the values of fields with a distinctive form, such as a session ID, have exactly this form. Other values,
/// such as the backend type of an extension, are accepted only if the user specifies the prefix.
fn has_exact_forms(prefix: &Prefix, samples: &[Sample<'_>]) -> bool {
    let fields = [PrefixField::Session, PrefixField::BackendType, PrefixField::SqlState, PrefixField::VirtualXid];
    let [sessions, backends, codes, vxids] = columns(fields, prefix, samples);
    let is_session = |value: &[u8]| {
        let start = value.iter().take_while(|b| b.is_ascii_hexdigit()).count();
        start >= 8 && value.get(start) == Some(&b'.') && value[start + 1..].iter().all(u8::is_ascii_hexdigit)
    };
    are_nearly_all(samples, &sessions, is_session)
        && are_nearly_all(samples, &backends, |value| backend_len(value) == value.len())
        && are_nearly_all(samples, &codes, |value| value.len() == 5)
        && are_nearly_all(samples, &vxids, |value| value.contains(&b'/'))
}

/// Whether the names in the matching lines are plausible. Unless `@`, `=` or `:` marks them, users and databases must
/// not be numbers or look like `user@database`. Command tags must consist of words. An application must not be a
/// number, a host, a backend type or a command tag, and must not look like `app=psql` or `[psql]`. A client must be an
/// address, not a host name, because a host name could also be the name of an application.
fn has_plausible_names(text: &str, prefix: &Prefix, samples: &[Sample<'_>]) -> bool {
    let fields = [
        PrefixField::User,
        PrefixField::Database,
        PrefixField::Application,
        PrefixField::RemoteHost,
        PrefixField::Pid,
        PrefixField::CommandTag,
    ];
    let [users, databases, applications, hosts, pids, tags] = columns(fields, prefix, samples);
    // Negative query IDs (`%Q`) and transactions (`3/14`) also count as numbers.
    let is_number = |name: &[u8]| !name.iter().any(|b| b.is_ascii_alphabetic() || !b.is_ascii());
    let is_no_name = |name: &[u8]| is_number(name) || name.contains(&b'@');
    let is_tag = |tag: &[u8]| tag.iter().all(|b| b.is_ascii_alphabetic() || *b == b' ') && backend_len(tag) < tag.len();
    let all =
        |names: &[&[u8]], is_so: &dyn Fn(&[u8]) -> bool| !names.is_empty() && names.iter().all(|name| is_so(name));
    let is_ip = |name: &[u8], end: usize| end > 0 && address_len(&name[..end]) == end;
    // Returns the offset at which an address ends: before its port, before its zone, or at the end of `host`.
    let end_of_ip = |host: &[u8]| memchr::memchr2(b'(', b'%', host).unwrap_or(host.len());
    let is_address = |host: &[u8]| {
        let end = end_of_ip(host);
        host == b"[local]" || is_ip(host, end) && text.contains("%r") == host.contains(&b'(')
    };
    let is_host_name = |name: &[u8]| {
        let is_dotted = name.contains(&b'.') && name.iter().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(b));
        is_dotted || [&b"localhost"[..], b"[local]"].contains(&name)
    };
    // If `%d %h` is mistaken for `%d %a` and the database is `my db`, the application appears to be `db 10.0.0.1`.
    let ends_in_address = |name: &[u8]| {
        let word = &name[memchr::memrchr(b' ', name).map_or(0, |blank| blank + 1)..];
        is_ip(word, end_of_ip(word))
    };
    (text.contains(['@', '=', ':']) || (!all(&users, &is_no_name) && !all(&databases, &is_no_name)))
        // A 0 at `%p` is not a process ID, but probably a transaction ID (`%x`), which is often 0. If the number is in
        // brackets, it is not tested.
        && (text.contains("[%p") || pids.iter().all(|pid| *pid != b"0"))
        && !all(&tags, &|tag| !is_tag(tag))
        && !all(&applications, &|name| is_number(name) || backend_len(name) == name.len() || TAGS.contains(&name))
        && !all(&applications, &|name| name.contains(&b'=') || name.starts_with(b"["))
        && !all(&applications, &|name| is_host_name(name) || ends_in_address(name))
        && are_nearly_all(samples, &hosts, is_address)
}

/// Returns the values of each field in the matching lines, without empty and unknown values.
fn columns<'a, const N: usize>(
    fields: [PrefixField; N],
    prefix: &Prefix,
    samples: &[Sample<'a>],
) -> [Vec<&'a [u8]>; N] {
    let mut ranges = PrefixRanges::default();
    let mut columns = fields.map(|_| Vec::new());
    for sample in samples {
        if prefix.match_line(sample.line, &mut ranges).is_some_and(|(_, text)| text == sample.text) {
            for (column, field) in columns.iter_mut().zip(fields) {
                let value = &sample.line[ranges.get(field)];
                if !value.is_empty() && !is_unknown(value) {
                    column.push(value);
                }
            }
        }
    }
    columns
}

/// Decides whether the number at `%p` is the process ID. This is certain if the prefix also has a session ID or a
/// varying line number. Otherwise numbers.rs decides.
fn number(text: &str, samples: &[Sample<'_>]) -> Number {
    let prefix = Prefix::parse(text);
    let [lines] = columns([PrefixField::SessionLine], &prefix, samples);
    if !text.contains("%p") || text.contains("%c") || lines.iter().any(|line| *line != lines[0]) {
        return Number::Process;
    }
    let mut ranges = PrefixRanges::default();
    let numbers = samples.iter().filter_map(|sample| {
        let (_, end) = prefix.match_line(sample.line, &mut ranges)?;
        let number = std::str::from_utf8(&sample.line[ranges.get(PrefixField::Pid)]).ok()?.parse().ok()?;
        (end == sample.text).then_some((*sample, number))
    });
    numbers::judge(&numbers.collect::<Vec<_>>(), text.contains("[%p]"))
}

/// Returns a prefix with `%t` instead of `%m` if the times have no milliseconds.
fn with_seconds(text: &str, samples: &[Sample<'_>]) -> String {
    let [times] = columns([PrefixField::Time], &Prefix::parse(text), samples);
    let is_short = times.iter().all(|time| time.get(19) != Some(&b'.'));
    if is_short { text.replace("%m", "%t") } else { text.to_string() }
}

/// Returns the variant of a prefix with `%q` before the first field that only sessions have.
fn with_quit(text: &str) -> Option<String> {
    let session = ["%u", "%d", "%a", "%r", "%h"].iter().filter_map(|field| text.find(field)).min()?;
    let at = text[..session].rfind(' ')? + 1;
    let can_quit = !text.contains("%q") && text[..at].contains("%p") && !text[at..].contains("%p");
    can_quit.then(|| format!("{}%q{}", &text[..at], &text[at..]))
}

/// Returns the information content of a prefix. A field with a distinctive form, such as a timestamp, counts more
/// than other fields.
fn weight(text: &str) -> u32 {
    let escapes = text.split('%').skip(1).filter_map(|part| part.bytes().next());
    let weight = |escape| match escape {
        b'q' => 0,
        b'x' => 1,
        b'u' | b'd' | b'a' | b'i' => 2,
        b'l' => 3,
        b'p' | b'h' => 4,
        b'b' | b'c' | b'r' | b'v' | b'e' => 6,
        _ => 8,
    };
    escapes.map(weight).sum()
}
