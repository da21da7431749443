//! The Protobuf messages of a state, and conversions from and to a digest. Knows nothing of the
//! header and the compression. A tag, once used, keeps its meaning.

use std::sync::Arc;

use prost::Message;

use super::events::EventsMessage;
use super::sums::{self, CountsMessage, NamedTimelinesMessage, NamesMessage, TimelineMessage};
use crate::bounded::BoundedCounts;
use crate::digest::{Digest, Limit};
use crate::durations::Durations;
use crate::errors::{ErrorKind, ErrorTally};
use crate::execution::{Example, ExampleKind, LogTime};
use crate::group::Group;
use crate::origin::Origin;

#[derive(Clone, PartialEq, Message)]
pub(super) struct DigestMessage {
    #[prost(message, repeated, tag = "1")]
    groups: Vec<GroupMessage>,
    #[prost(message, repeated, tag = "2")]
    unparsed: Vec<GroupMessage>,
    #[prost(message, optional, tag = "3")]
    truncated: Option<GroupMessage>,
    #[prost(message, optional, tag = "4")]
    other: Option<GroupMessage>,
    #[prost(fixed64, repeated, tag = "11")]
    dropped: Vec<u64>,
    #[prost(message, repeated, tag = "12")]
    errors: Vec<ErrorMessage>,
    #[prost(uint64, tag = "13")]
    other_errors: u64,
    #[prost(message, optional, tag = "14")]
    stray_events: Option<EventsMessage>,
    #[prost(message, optional, tag = "15")]
    timeline: Option<TimelineMessage>,
    #[prost(message, repeated, tag = "16")]
    facets: Vec<NamedTimelinesMessage>,
}

#[derive(Clone, PartialEq, Message)]
struct ErrorMessage {
    #[prost(string, tag = "1")]
    sqlstate: String,
    #[prost(string, tag = "2")]
    masked: String,
    #[prost(uint64, tag = "3")]
    count: u64,
    #[prost(string, tag = "4")]
    example: String,
    #[prost(message, optional, tag = "5")]
    first: Option<LogTimeMessage>,
    #[prost(message, optional, tag = "6")]
    last: Option<LogTimeMessage>,
    #[prost(fixed64, repeated, tag = "7")]
    statements: Vec<u64>,
    #[prost(uint64, repeated, tag = "8")]
    counts: Vec<u64>,
    /// Errors of statements without a fingerprint.
    #[prost(uint64, tag = "9")]
    without_fingerprint: u64,
    #[prost(uint64, tag = "10")]
    other_statements: u64,
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
    messages: Option<CountsMessage>,
    #[prost(message, optional, tag = "10")]
    first: Option<LogTimeMessage>,
    #[prost(message, optional, tag = "11")]
    last: Option<LogTimeMessage>,
    #[prost(message, optional, tag = "15")]
    example: Option<ExampleMessage>,
    #[prost(message, optional, tag = "17")]
    events: Option<EventsMessage>,
    #[prost(message, optional, tag = "18")]
    failed: Option<ExampleMessage>,
    #[prost(message, optional, tag = "19")]
    latest: Option<ExampleMessage>,
    #[prost(message, repeated, tag = "20")]
    facets: Vec<NamesMessage>,
    #[prost(message, optional, tag = "21")]
    timeline: Option<TimelineMessage>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct LogTimeMessage {
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
    time: Option<LogTimeMessage>,
    #[prost(bytes = "vec", tag = "6")]
    user: Vec<u8>,
    #[prost(bytes = "vec", tag = "7")]
    database: Vec<u8>,
    #[prost(bytes = "vec", tag = "8")]
    application: Vec<u8>,
    /// 1 if it failed, 2 if it is an example of an event.
    #[prost(uint32, tag = "9")]
    kind: u32,
}

impl DigestMessage {
    /// Equal digests give equal messages: everything is sorted.
    pub(super) fn new(digest: &Digest) -> Self {
        let groups = digest.groups.iter();
        let mut groups: Vec<GroupMessage> =
            groups.map(|(fingerprint, group)| GroupMessage::new(*fingerprint, "", group)).collect();
        groups.sort_unstable_by_key(|group| group.fingerprint);
        let mut dropped: Vec<u64> = digest.dropped.iter().copied().collect();
        dropped.sort_unstable();
        Self {
            groups,
            unparsed: digest.unparsed.iter().map(|(reason, group)| GroupMessage::new(0, reason, group)).collect(),
            truncated: Some(GroupMessage::new(0, "", &digest.truncated)),
            other: Some(GroupMessage::new(0, "", &digest.other)),
            dropped,
            errors: digest.errors.iter().map(ErrorMessage::new).collect(),
            other_errors: digest.errors.others,
            stray_events: EventsMessage::new(&digest.stray_events),
            timeline: Some(TimelineMessage::new(digest.timeline.bin_seconds(), digest.timeline.iter())),
            facets: sums::timeline_messages(&digest.facets),
        }
    }

    /// The digest, with a limit; `None` if lists that belong together differ in length, or the timeline is invalid.
    pub(super) fn into_digest(self, limit: Limit) -> Option<Digest> {
        let mut digest = Digest::new(limit);
        for group in self.groups {
            digest.groups.insert(group.fingerprint, Box::new(group.into_group()?));
        }
        for mut group in self.unparsed {
            digest.unparsed.insert(std::mem::take(&mut group.reason).into(), group.into_group()?);
        }
        digest.truncated = self.truncated?.into_group()?;
        digest.other = self.other?.into_group()?;
        digest.dropped = self.dropped.into_iter().collect();
        let errors = self.errors.into_iter().map(ErrorMessage::into_kind).collect::<Option<Vec<_>>>()?;
        digest.errors = ErrorTally::from_parts(errors, self.other_errors);
        digest.stray_events = self.stray_events.map(EventsMessage::into_events).unwrap_or_default();
        digest.timeline = self.timeline?.into_timeline()?;
        digest.facets = sums::timelines(self.facets)?;
        Some(digest)
    }
}

impl ErrorMessage {
    fn new((sqlstate, masked, kind): (&str, &str, &ErrorKind)) -> Self {
        let (first, example) = &kind.example;
        let named = kind.statements.iter().filter_map(|(statement, count)| Some(((*statement)?, *count)));
        let (statements, counts) = named.unzip();
        Self {
            sqlstate: sqlstate.into(),
            masked: masked.into(),
            count: kind.count,
            example: example.to_string(),
            first: first.as_ref().map(LogTimeMessage::new),
            last: kind.last.as_ref().map(LogTimeMessage::new),
            statements,
            counts,
            without_fingerprint: kind.statements.get(&None).copied().unwrap_or(0),
            other_statements: kind.other_statements,
        }
    }

    fn into_kind(self) -> Option<(Box<str>, Box<str>, ErrorKind)> {
        if self.statements.len() != self.counts.len() {
            return None;
        }
        let without = (self.without_fingerprint > 0).then_some((None, self.without_fingerprint));
        let named = self.statements.into_iter().map(Some).zip(self.counts);
        let kind = ErrorKind {
            count: self.count,
            example: (self.first.map(LogTimeMessage::into_time), self.example.into()),
            last: self.last.map(LogTimeMessage::into_time),
            statements: without.into_iter().chain(named).collect(),
            other_statements: self.other_statements,
        };
        Some((self.sqlstate.into(), self.masked.into(), kind))
    }
}

impl GroupMessage {
    fn new(fingerprint: u64, reason: &str, group: &Group) -> Self {
        let mut durations = Vec::new();
        group.durations.for_each(|micros, count| durations.push((micros, count)));
        durations.sort_unstable();
        Self {
            fingerprint,
            reason: reason.into(),
            calls: group.calls,
            sum: group.durations.sum(),
            max: group.durations.max(),
            durations: durations.iter().map(|(micros, _)| *micros).collect(),
            counts: durations.iter().map(|(_, count)| *count).collect(),
            errors: group.errors,
            messages: Some(CountsMessage::new(group.messages_or_none())),
            first: group.first.as_ref().map(LogTimeMessage::new),
            last: group.last.as_ref().map(LogTimeMessage::new),
            example: group.example.as_deref().map(ExampleMessage::new),
            events: group.events.as_deref().and_then(EventsMessage::new),
            failed: group.failed.as_deref().map(ExampleMessage::new),
            latest: group.latest.as_deref().map(ExampleMessage::new),
            facets: sums::facet_messages(&group.facets.totals()),
            timeline: Some(TimelineMessage::new(group.timeline.bin_seconds(), group.timeline.iter())),
        }
    }

    fn into_group(self) -> Option<Group> {
        let example = |message: Option<ExampleMessage>| match message {
            Some(message) => message.into_example().map(|example| Some(Box::new(example))),
            None => Some(None),
        };
        let samples = self.durations.into_iter().zip(self.counts);
        Some(Group {
            calls: self.calls,
            durations: Durations::from_parts(self.sum, self.max, samples),
            errors: self.errors,
            messages: self
                .messages
                .map(CountsMessage::into_counts)
                .filter(|counts| *counts != BoundedCounts::EMPTY)
                .map(Box::new),
            first: self.first.map(LogTimeMessage::into_time),
            last: self.last.map(LogTimeMessage::into_time),
            facets: sums::facets(self.facets)?.into(),
            timeline: self.timeline?.into_packed()?,
            events: self.events.map(|events| Box::new(events.into_events())),
            example: example(self.example)?,
            latest: example(self.latest)?,
            failed: example(self.failed)?,
        })
    }
}

impl LogTimeMessage {
    pub(super) fn new(time: &LogTime) -> Self {
        Self { micros: time.micros, text: time.text.to_string() }
    }

    pub(super) fn into_time(self) -> LogTime {
        LogTime::new(self.micros, self.text.as_bytes())
    }
}

impl ExampleMessage {
    fn new(example: &Example) -> Self {
        Self {
            sql: example.sql().into_owned(),
            cut: example.cut,
            params: example.params.clone(),
            duration: example.duration,
            time: example.time.as_ref().map(LogTimeMessage::new),
            user: example.origin.user.to_vec(),
            database: example.origin.database.to_vec(),
            application: example.origin.application.to_vec(),
            kind: example.kind as u32,
        }
    }

    /// `None` for an example of what this version does not know.
    fn into_example(self) -> Option<Example> {
        let [user, database, application] = [self.user, self.database, self.application].map(Into::into);
        let origin = Origin { user, database, application, ..Origin::default() };
        let kinds = [ExampleKind::Call, ExampleKind::Failed, ExampleKind::Event];
        Some(Example {
            sql: self.sql.into(),
            cut: self.cut,
            params: self.params,
            duration: self.duration,
            time: self.time.map(LogTimeMessage::into_time),
            origin: Arc::new(origin),
            kind: *kinds.get(self.kind as usize)?,
        })
    }
}
