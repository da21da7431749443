//! Infers the log_line_prefix of a log from its lines. A severity follows every prefix, and the text before the
//! severity is split into fields and literals. Each group of similar lines proposes a prefix. The prefix that matches
//! the most lines wins. Ambiguities are reported as doubts.

mod derive;
mod evidence;
mod keys;
mod names;
mod numbers;
mod padding;
mod template;
pub(crate) mod token;
mod usual;
mod words;

pub use token::{address_len, backend_len, host_port_len, is_ipv6};

use std::collections::HashMap;

use crate::format::batch::BYTE_ORDER_MARK;
use crate::message::label::{Label, find_label};
use crate::message::language::is_unknown;
use crate::message::text::sqlstate_len;
use crate::prefix::{Prefix, PrefixField, PrefixRanges};
use derive::setting;
use evidence::{Known, contradictions};
use template::{Row, Setting};
use token::{Look, Splitting, Token, tokens};
use usual::with_usual;

/// Maximum number of lines to inspect.
const MAX_LINES: usize = 600;
const MAX_LOOKS: usize = 10;
/// Maximum number of prefixes in a log. Several servers may write to one file, and a setting may change.
const MAX_PREFIXES: usize = 4;
/// One contradicting line outweighs this number of matching lines.
const CONTRADICTION: usize = 10;
/// Maximum length of a prefix, in bytes. A longer text before a severity is not a prefix.
const MAX_PREFIX_LEN: usize = 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InferredPrefix {
    /// Value of log_line_prefix.
    pub text: String,
    /// Descriptions of ambiguities.
    pub doubts: Vec<&'static str>,
}

impl InferredPrefix {
    /// Whether the prefix has a time, a process or a session. Without any of these, an apparent second prefix may be
    /// text of a statement.
    #[must_use]
    pub fn is_distinctive(&self) -> bool {
        ["%m", "%t", "%n", "%p", "%c"].iter().any(|escape| self.text.contains(escape))
    }
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

/// Returns the prefixes of a stderr log, most frequent first. Returns an empty list if the prefixes match less than
/// half of the lines, or if another program wrote more than half of the lines.
pub fn infer_prefixes<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Vec<InferredPrefix> {
    let mut samples: Vec<Sample<'_>> = lines.filter_map(sample).collect();
    let count = samples.len();
    samples.retain(|sample| !is_foreign(&sample.line[..sample.label]));
    if samples.len() * 2 < count {
        return Vec::new();
    }
    samples.iter_mut().enumerate().for_each(|(index, sample)| sample.index = index);
    if samples.len() > MAX_LINES {
        let step = samples.len().div_ceil(MAX_LINES);
        // Keeps runs of consecutive lines, because some numbers are counters that increase with each line.
        samples = samples.chunks(50).step_by(step).flatten().copied().collect();
    }
    let total = samples.len();
    let mut prefixes: Vec<InferredPrefix> = Vec::new();
    while prefixes.len() < MAX_PREFIXES && samples.len() * 20 > total {
        let Some((prefix, rest)) = best_prefix(&samples) else { break };
        if prefixes.iter().any(|known| known.text == prefix.text) || (samples.len() - rest.len()) * 20 < total {
            break;
        }
        if !prefixes.is_empty() && !prefix.is_distinctive() {
            break;
        }
        prefixes.push(prefix);
        samples = rest;
    }
    if samples.len() * 2 > total { Vec::new() } else { prefixes }
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

/// Whether another program wrote `before`, as part of an unknown envelope. Signs of another program are, for example, a
/// time such as `2026-01-31T12:00:00`, which the server never writes, and a quote that is not closed.
fn is_foreign(before: &[u8]) -> bool {
    let is_date = |form: &[u8]| form.is_ascii() && form[4] == b'-' && form[7] == b'-' && form[13] == b':';
    let mut times = memchr::memchr_iter(b'T', before).filter(|at| *at >= 10 && at + 4 <= before.len());
    times.any(|at| is_date(&before[at - 10..at + 4]) && before[at - 10..at - 6].iter().all(u8::is_ascii_digit))
        || !memchr::memchr_iter(b'"', before).count().is_multiple_of(2)
        || STARTS.iter().any(|start| before.starts_with(start))
        || memchr::memmem::find(before, b"<![CDATA[").is_some()
}

/// How lines start in exports that pgq does not read.
const STARTS: [&[u8]; 5] = [b"    MESSAGE=", b"MESSAGE=", b"Body: Str(", b"['", b"textPayload: "];

/// Returns the prefix that matches the most lines, and the lines that do not match it.
fn best_prefix<'a>(samples: &[Sample<'a>]) -> Option<(InferredPrefix, Vec<Sample<'a>>)> {
    let mut candidates: Vec<(usize, i32, usize, Setting)> = Vec::new();
    let mut most = 0;
    let known = Known::of(samples);
    let names = known.names();
    let by_names = |glued| Splitting { dashes: true, glued, names: &names };
    let plain = |dashes| Splitting { dashes, ..Splitting::default() };
    let splittings = [plain(true), plain(false), by_names(false), by_names(true)];
    for splitting in splittings.into_iter().take(if names.is_empty() { 2 } else { 4 }) {
        // The later splittings treat names in the log's messages as single tokens. Skips them if a prefix is already
        // certain.
        let is_certain = |(score, _, contradictions, setting): &(usize, i32, usize, Setting)| {
            *score * 20 >= samples.len() * 19
                && *contradictions == 0
                && setting.doubts.is_empty()
                && ["%u", "%d"].iter().any(|name| setting.text.contains(name))
        };
        if !splitting.names.is_empty() && candidates.iter().any(is_certain) {
            break;
        }
        let (looks, counts) = looks(samples, splitting);
        for rows in looks {
            let Some(setting) = setting(&rows, &known) else { continue };
            for setting in with_quit(setting, samples, &counts).into_iter().flat_map(with_application) {
                if candidates.iter().any(|(.., known)| known.text == setting.text) {
                    continue;
                }
                let prefix = Prefix::parse(&setting.text);
                let Some(matched) = count_matches(&prefix, samples, most) else { continue };
                let contradictions = contradictions(&setting.text, samples);
                let score = matched - (CONTRADICTION * contradictions).min(matched / 2);
                most = most.max(score);
                candidates.push((score, weight(&setting.text), contradictions, setting));
            }
        }
    }
    with_usual(&mut candidates, samples);
    // Considers the prefixes whose number of matching lines is close to the maximum. The most informative of these
    // prefixes wins. Among equally informative prefixes, the first one wins, because the first group is the largest.
    let most = candidates.iter().map(|(score, ..)| *score).max()?;
    let enough = candidates.into_iter().rev().filter(|(score, ..)| is_enough(*score, most));
    let best = enough.max_by_key(|(score, fields, ..)| (*fields, *score))?;
    let (score, _, contradictions, Setting { text, mut doubts, is_uncertain, .. }) = best;
    if is_uncertain {
        return None;
    }
    if contradictions > 0 {
        doubts.push("connections name other users, databases or applications than this prefix gives");
    }
    if ["%a %u", "%a %d", "%a %i"].iter().any(|pair| text.contains(pair)) {
        doubts.push("where an application's name with blanks ends is not certain");
    }
    let prefix = Prefix::parse(&text);
    let rest: Vec<Sample<'_>> = samples.iter().filter(|sample| !fits(&prefix, sample)).copied().collect();
    (score > 0 || rest.len() < samples.len()).then_some((InferredPrefix { text, doubts }, rest))
}

/// Whether a score is close enough to the best score, `most`.
fn is_enough(score: usize, most: usize) -> bool {
    score * 33 >= most * 32
}

/// Counts the lines that a prefix fits. Returns `None` as soon as the count cannot be close enough to `most`.
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
        is_unknown(name) || !name.iter().any(|b| b" =[]()|<>,\"".contains(b))
    };
    matched.is_some_and(|(_, text)| text == sample.text) && is_name(PrefixField::User) && is_name(PrefixField::Database)
}

/// Returns the information content of a prefix. A field with a distinctive form counts more than another field. A
/// literal word counts against the prefix, because the word may be a value.
fn weight(setting: &str) -> i32 {
    let mut weight = 0;
    let mut parts = setting.split('%');
    let mut literals = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let part = part.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
        let Some(escape) = part.chars().next() else { continue };
        weight += match escape {
            'q' => 0,
            'x' | 'Q' | 'P' => 1,
            'u' | 'd' | 'a' | 'b' | 'i' => 2,
            'l' => 3,
            'p' | 'h' => 4,
            'c' | 'r' | 'v' | 'e' => 6,
            _ => 8,
        };
        literals.push_str(&part[escape.len_utf8()..]);
        literals.push(' ');
    }
    let is_word = |word: &&str| word.len() > 1 && keys::escape_of_key(word.as_bytes()).is_none();
    weight - literals.split(|c: char| !c.is_alphanumeric() && c != '_').filter(is_word).count() as i32
}

/// Returns a setting. If `%u` is its only name, also returns the setting with `%a` in its place, because only `%a` may
/// match names with blanks.
fn with_application(setting: Setting) -> Vec<Setting> {
    let is_single =
        setting.text.matches("%u").count() == 1 && !["%d", "%a", "=%u"].iter().any(|part| setting.text.contains(part));
    let other = is_single.then(|| Setting {
        text: setting.text.replace("%u", "%a"),
        starts: Vec::new(),
        doubts: setting.doubts.clone(),
        is_uncertain: setting.is_uncertain,
    });
    std::iter::once(setting).chain(other).collect()
}

/// Groups similar lines, largest group first. Also returns the number of tokens of each line.
fn looks<'a>(samples: &[Sample<'a>], splitting: Splitting<'_>) -> (Vec<Vec<Row<'a>>>, Vec<usize>) {
    let mut groups: HashMap<Vec<Look>, (usize, Vec<Row<'a>>)> = HashMap::new();
    let mut counts = Vec::with_capacity(samples.len());
    for (index, sample) in samples.iter().enumerate() {
        let tokens = tokens(&sample.line[..sample.label], splitting);
        counts.push(tokens.len());
        let look = tokens.iter().map(|token: &Token<'_>| token.look).collect();
        let row = Row { tokens, message: sample.message(), index: sample.index, is_part: sample.is_part };
        groups.entry(look).or_insert_with(|| (index, Vec::new())).1.push(row);
    }
    let mut groups: Vec<(usize, Vec<Row<'a>>)> = groups.into_values().collect();
    groups.sort_by_key(|(first, rows)| (std::cmp::Reverse(rows.len()), *first));
    (groups.into_iter().map(|(_, rows)| rows).take(MAX_LOOKS).collect(), counts)
}

/// Returns a setting and its variants with `%q`. `%q` is placed where the prefix ends in lines of processes without a
/// session. If there are no such lines, `%q` is placed before the first field that only sessions have. `counts`: the
/// number of tokens of each line.
fn with_quit(setting: Setting, samples: &[Sample<'_>], counts: &[usize]) -> Vec<Setting> {
    let prefix = Prefix::parse(&setting.text);
    // For each number of tokens, the number of lines with this number of tokens, and one of these lines.
    let mut ends: HashMap<usize, (usize, Sample<'_>)> = HashMap::new();
    for (sample, count) in samples.iter().zip(counts) {
        if setting.starts.get(*count).is_some_and(|at| *at > 0) && !fits(&prefix, sample) {
            ends.entry(*count).or_insert((0, *sample)).0 += 1;
        }
    }
    let is_session = |at: usize| {
        let rest = &setting.text[at..];
        let field =
            rest.strip_prefix('%').and_then(|rest| rest.trim_start_matches(['-', '0', '1', '2']).chars().next());
        matches!(field, Some('u' | 'd' | 'a' | 'r' | 'h' | 'i'))
    };
    let mut cuts: Vec<(usize, (usize, Sample<'_>))> = ends.into_iter().collect();
    cuts.sort_by_key(|(count, (lines, _))| (std::cmp::Reverse(*lines), *count));
    let cut = |(count, (_, sample)): (usize, (usize, Sample<'_>))| {
        let ends_at = |at: &usize| *at > 0 && fits(&Prefix::parse(&setting.text[..*at]), &sample);
        // An empty field has no token, so the prefix may also end at another token.
        let others = || setting.starts[count..].iter().copied().find(ends_at);
        Some(setting.starts[count]).filter(ends_at).or_else(others).unwrap_or(setting.starts[count])
    };
    let mut cuts: Vec<usize> = cuts.into_iter().take(3).map(cut).collect();
    if cuts.is_empty() {
        let session = setting.starts.iter().copied().find(|at| is_session(*at));
        let start = session.and_then(|at| setting.text[..at].rfind(' ')).map(|blank| blank + 1);
        // The part before `%q` must contain `%p`, because a shorter part might match other text.
        let has_all = |at: &usize| setting.text[..*at].contains("%p") && setting.text[*at..].contains('%');
        cuts.extend(start.filter(has_all));
    }
    // A name before `%q` would match the rest of any line.
    let ends_in_name =
        |at: usize| setting.text[..at].ends_with(['u', 'd', 'a', 'i']) && setting.text[..at - 1].ends_with('%');
    // Every process has a process ID, so `%p` cannot follow `%q`.
    cuts.retain(|at| (*at < 2 || !ends_in_name(*at)) && !setting.text[*at..].starts_with("%p"));
    let with = |at: usize| Setting {
        text: format!("{}%q{}", &setting.text[..at], &setting.text[at..]),
        starts: Vec::new(),
        doubts: setting.doubts.clone(),
        is_uncertain: setting.is_uncertain,
    };
    let mut settings: Vec<Setting> = cuts.into_iter().map(with).collect();
    settings.push(setting);
    settings
}
