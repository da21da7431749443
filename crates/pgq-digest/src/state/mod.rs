//! A digest as bytes, to be merged later or elsewhere: compact, versioned, checked. The same
//! digest always gives the same bytes.
//!
//! A state is a header (magic, version, XXH3 of the rest) and Protobuf messages packed by
//! zstd. Written to a pipe of text it is one line of base64, which is known by its start.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use prost::Message;
use xxhash_rust::xxh3::xxh3_64;

use crate::group::When;
use crate::{Bin, BoundedCounts, Digest, Durations, Example, Group, Timeline};

const MAGIC: &[u8; 8] = b"pgqstate";
const VERSION: u32 = 1;
const HEADER: usize = MAGIC.len() + 4 + 8;
/// zstd's own default: denser levels gain little on counts.
const LEVEL: i32 = 3;
/// Most bytes that a state may unpack to.
const LARGEST: u64 = 8 << 30;

/// Why bytes are no state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    #[error("is not a state of pgq digest")]
    NotAState,
    #[error("is a state of version {0}; this pgq reads version {VERSION}: merge with the pgq that wrote it")]
    Version(u32),
    #[error("is cut short or damaged (its checksum does not fit)")]
    Damaged,
}

#[derive(Clone, PartialEq, Message)]
struct StateMessage {
    #[prost(message, repeated, tag = "1")]
    groups: Vec<GroupMessage>,
    #[prost(message, repeated, tag = "2")]
    unparsed: Vec<GroupMessage>,
    #[prost(message, optional, tag = "3")]
    truncated: Option<GroupMessage>,
    #[prost(message, optional, tag = "4")]
    other: Option<GroupMessage>,
    #[prost(uint64, tag = "5")]
    dropped: u64,
    #[prost(int64, tag = "6")]
    bin_seconds: i64,
    #[prost(sint64, repeated, tag = "7")]
    bin_starts: Vec<i64>,
    #[prost(uint64, repeated, tag = "8")]
    bin_calls: Vec<u64>,
    #[prost(uint64, repeated, tag = "9")]
    bin_totals: Vec<u64>,
    #[prost(uint64, repeated, tag = "10")]
    bin_errors: Vec<u64>,
}

#[derive(Clone, PartialEq, Message)]
struct GroupMessage {
    #[prost(fixed64, tag = "1")]
    fingerprint: u64,
    #[prost(string, tag = "2")]
    reason: String,
    #[prost(uint64, tag = "3")]
    calls: u64,
    #[prost(uint64, tag = "4")]
    sum: u64,
    #[prost(uint64, tag = "5")]
    max: u64,
    #[prost(uint64, repeated, tag = "6")]
    durations: Vec<u64>,
    #[prost(uint64, repeated, tag = "7")]
    counts: Vec<u64>,
    #[prost(uint64, tag = "8")]
    errors: u64,
    #[prost(message, optional, tag = "9")]
    messages: Option<NamesMessage>,
    #[prost(message, optional, tag = "10")]
    first: Option<WhenMessage>,
    #[prost(message, optional, tag = "11")]
    last: Option<WhenMessage>,
    #[prost(message, optional, tag = "12")]
    users: Option<NamesMessage>,
    #[prost(message, optional, tag = "13")]
    databases: Option<NamesMessage>,
    #[prost(message, optional, tag = "14")]
    applications: Option<NamesMessage>,
    #[prost(message, optional, tag = "15")]
    example: Option<ExampleMessage>,
}

#[derive(Clone, PartialEq, Message)]
struct NamesMessage {
    #[prost(string, repeated, tag = "1")]
    names: Vec<String>,
    #[prost(uint64, repeated, tag = "2")]
    counts: Vec<u64>,
    #[prost(uint64, tag = "3")]
    others: u64,
}

#[derive(Clone, PartialEq, Message)]
struct WhenMessage {
    #[prost(sint64, tag = "1")]
    micros: i64,
    #[prost(string, tag = "2")]
    text: String,
}

#[derive(Clone, PartialEq, Message)]
struct ExampleMessage {
    #[prost(string, tag = "1")]
    sql: String,
    #[prost(bool, tag = "2")]
    cut: bool,
    #[prost(bytes = "vec", tag = "3")]
    params: Vec<u8>,
    #[prost(uint64, optional, tag = "4")]
    duration: Option<u64>,
    #[prost(message, optional, tag = "5")]
    when: Option<WhenMessage>,
    #[prost(bytes = "vec", tag = "6")]
    user: Vec<u8>,
    #[prost(bytes = "vec", tag = "7")]
    database: Vec<u8>,
    #[prost(bytes = "vec", tag = "8")]
    application: Vec<u8>,
}

/// Writes a digest that has been finished.
///
/// # Errors
/// A failure of zstd: memory is out.
pub fn encode(digest: &Digest) -> std::io::Result<Vec<u8>> {
    let mut groups: Vec<GroupMessage> =
        digest.groups.iter().map(|(fingerprint, group)| group_message(*fingerprint, "", group)).collect();
    groups.sort_unstable_by_key(|group| group.fingerprint);
    let bins: Vec<(i64, Bin)> = digest.timeline.iter().collect();
    let message = StateMessage {
        groups,
        unparsed: digest.unparsed.iter().map(|(reason, group)| group_message(0, reason, group)).collect(),
        truncated: Some(group_message(0, "", &digest.truncated)),
        other: Some(group_message(0, "", &digest.other)),
        dropped: digest.dropped,
        bin_seconds: digest.timeline.seconds(),
        bin_starts: bins.iter().map(|(start, _)| *start).collect(),
        bin_calls: bins.iter().map(|(_, bin)| bin.calls).collect(),
        bin_totals: bins.iter().map(|(_, bin)| bin.total).collect(),
        bin_errors: bins.iter().map(|(_, bin)| bin.errors).collect(),
    };
    let packed = zstd::encode_all(message.encode_to_vec().as_slice(), LEVEL)?;
    let mut bytes = Vec::with_capacity(HEADER + packed.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&xxh3_64(&packed).to_le_bytes());
    bytes.extend_from_slice(&packed);
    Ok(bytes)
}

/// [`encode`] as a line of text, without its end.
///
/// # Errors
/// As for [`encode`].
pub fn encode_line(digest: &Digest) -> std::io::Result<String> {
    Ok(BASE64.encode(encode(digest)?))
}

/// Reads a state, or lines of states, and gives each to `take`.
///
/// # Errors
/// Bytes that are none.
pub fn decode_each(bytes: &[u8], limit: usize, mut take: impl FnMut(Digest)) -> Result<(), StateError> {
    if bytes.starts_with(MAGIC) {
        take(decode(bytes, limit)?);
        return Ok(());
    }
    let mut lines =
        bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).peekable();
    if lines.peek().is_none() {
        return Err(StateError::NotAState);
    }
    lines.try_for_each(|line| {
        let binary = BASE64.decode(line).map_err(|_| not_a_state_or_cut(line))?;
        take(decode(&binary, limit)?);
        Ok(())
    })
}

/// A line that begins like a state and is no base64 was one.
fn not_a_state_or_cut(line: &[u8]) -> StateError {
    let start = BASE64.encode(MAGIC);
    if line.starts_with(&start.as_bytes()[..8]) { StateError::Damaged } else { StateError::NotAState }
}

fn decode(bytes: &[u8], limit: usize) -> Result<Digest, StateError> {
    if !bytes.starts_with(MAGIC) {
        return Err(StateError::NotAState);
    }
    let version =
        bytes.get(8..12).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes).ok_or(StateError::Damaged)?;
    if version != VERSION {
        return Err(StateError::Version(version));
    }
    let sum =
        bytes.get(12..HEADER).and_then(|b| b.try_into().ok()).map(u64::from_le_bytes).ok_or(StateError::Damaged)?;
    let packed = &bytes[HEADER..];
    if xxh3_64(packed) != sum {
        return Err(StateError::Damaged);
    }
    let mut plain = Vec::new();
    let reader = zstd::Decoder::new(packed).map_err(|_| StateError::Damaged)?;
    reader.take(LARGEST).read_to_end(&mut plain).map_err(|_| StateError::Damaged)?;
    let message = StateMessage::decode(plain.as_slice()).map_err(|_| StateError::Damaged)?;
    digest(message, limit).ok_or(StateError::Damaged)
}

fn digest(message: StateMessage, limit: usize) -> Option<Digest> {
    let mut digest = Digest::new(limit);
    for group in message.groups {
        digest.groups.insert(group.fingerprint, from_message(group));
    }
    for mut group in message.unparsed {
        digest.unparsed.insert(std::mem::take(&mut group.reason).into(), from_message(group));
    }
    digest.truncated = message.truncated.map(from_message).unwrap_or_default();
    digest.other = message.other.map(from_message).unwrap_or_default();
    digest.dropped = message.dropped;
    let lens = [&message.bin_calls, &message.bin_totals, &message.bin_errors].map(Vec::len);
    if lens.iter().any(|len| *len != message.bin_starts.len()) {
        return None;
    }
    let counts = message.bin_calls.iter().zip(&message.bin_totals).zip(&message.bin_errors);
    let bins = counts.map(|((calls, total), errors)| Bin { calls: *calls, total: *total, errors: *errors });
    digest.timeline = Timeline::from_parts(message.bin_seconds, message.bin_starts.into_iter().zip(bins))?;
    Some(digest)
}

fn group_message(fingerprint: u64, reason: &str, group: &Group) -> GroupMessage {
    let mut durations = Vec::new();
    group.durations.each(|micros, count| durations.push((micros, count)));
    durations.sort_unstable();
    GroupMessage {
        fingerprint,
        reason: reason.into(),
        calls: group.calls,
        sum: group.durations.sum(),
        max: group.durations.max(),
        durations: durations.iter().map(|(micros, _)| *micros).collect(),
        counts: durations.iter().map(|(_, count)| *count).collect(),
        errors: group.errors,
        messages: Some(names_message(&group.messages)),
        first: group.first.as_ref().map(when_message),
        last: group.last.as_ref().map(when_message),
        users: Some(names_message(&group.users)),
        databases: Some(names_message(&group.databases)),
        applications: Some(names_message(&group.applications)),
        example: group.example.as_deref().map(example_message),
    }
}

fn from_message(message: GroupMessage) -> Group {
    let names = |message: Option<NamesMessage>| message.as_ref().map(from_names).unwrap_or_default();
    let kept = message.durations.into_iter().zip(message.counts);
    Group {
        calls: message.calls,
        durations: Durations::from_parts(message.sum, message.max, kept),
        errors: message.errors,
        messages: names(message.messages),
        first: message.first.map(from_when),
        last: message.last.map(from_when),
        users: names(message.users),
        databases: names(message.databases),
        applications: names(message.applications),
        example: message.example.map(|example| Box::new(from_example(example))),
    }
}

fn names_message(names: &BoundedCounts) -> NamesMessage {
    let (names_kept, counts) = names.iter().map(|(name, count)| (name.to_string(), count)).unzip();
    NamesMessage { names: names_kept, counts, others: names.others() }
}

fn from_names(message: &NamesMessage) -> BoundedCounts {
    let names = message.names.iter().map(String::as_str).zip(message.counts.iter().copied());
    BoundedCounts::from_parts(names, message.others)
}

fn when_message(when: &When) -> WhenMessage {
    WhenMessage { micros: when.micros, text: when.text.to_string() }
}

fn from_when(message: WhenMessage) -> When {
    When { micros: message.micros, text: message.text.into() }
}

fn example_message(example: &Example) -> ExampleMessage {
    ExampleMessage {
        sql: example.sql.to_string(),
        cut: example.cut,
        params: example.params.to_vec(),
        duration: example.duration,
        when: example.when.as_ref().map(when_message),
        user: example.user.to_vec(),
        database: example.database.to_vec(),
        application: example.application.to_vec(),
    }
}

fn from_example(message: ExampleMessage) -> Example {
    Example {
        sql: message.sql.into(),
        cut: message.cut,
        params: message.params.into(),
        duration: message.duration,
        when: message.when.map(from_when),
        user: message.user.into(),
        database: message.database.into(),
        application: message.application.into(),
    }
}
