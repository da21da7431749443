//! Protobuf messages of a state, and conversions from and to a digest. A tag never changes its meaning within a
//! version.

use std::sync::Arc;

use prost::Message;

use super::events::EventsMessage;
use super::sums::{self, CountsMessage, LogTimeMessage, NamesMessage, TimelineMessage, TotalsMessage};
use crate::digest::Digest;
use crate::durations::Durations;
use crate::example::{Example, ExampleKind};
use crate::execution::Severity;
use crate::facets::{Activity, Facet};
use crate::group::Group;
use crate::messages::{MessageExample, MessageKey, MessageKind};
use crate::origin::Origin;
use crate::tally::{Kept, Tally};

/// Maximum length of a part of an uncompressed state, such as a group (4 MiB). A longer part is damaged or a
/// compression bomb. Reading a state needs memory for the digest, and for a small multiple of this length.
pub(super) const MAX_PART_LEN: usize = 4 << 20;

/// Number of names of each kind that remain in a part if the part would otherwise be too long.
const NAMES_OF_A_LONG_PART: usize = 64;

/// A state. Each element of a field is a message, called a part. Parts are read independently.
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
    /// At most 1,000 in each message, so that parts are small.
    #[prost(message, repeated, tag = "11")]
    dropped: Vec<DroppedMessage>,
    #[prost(message, repeated, tag = "12")]
    messages: Vec<KindMessage>,
    #[prost(message, optional, tag = "14")]
    stray_events: Option<EventsMessage>,
    #[prost(message, optional, tag = "15")]
    timeline: Option<TimelineMessage>,
    #[prost(message, repeated, tag = "16")]
    facets: Vec<ActivityMessage>,
    #[prost(message, optional, tag = "17")]
    sums: Option<SumsMessage>,
    #[prost(message, optional, tag = "18")]
    other_unparsed: Option<GroupMessage>,
}

#[derive(Clone, PartialEq, Message)]
struct DroppedMessage {
    #[prost(fixed64, repeated, tag = "1")]
    fingerprints: Vec<u64>,
}

/// Figures of the whole digest.
#[derive(Clone, PartialEq, Message)]
struct SumsMessage {
    #[prost(uint64, repeated, tag = "1")]
    severities: Vec<u64>,
    #[prost(uint64, tag = "2")]
    stray_errors: u64,
    #[prost(uint64, tag = "3")]
    other_messages: u64,
    #[prost(uint64, tag = "4")]
    message_floor: u64,
    #[prost(uint64, tag = "5")]
    unparsed_floor: u64,
    #[prost(uint64, tag = "6")]
    floor: u64,
    #[prost(uint64, tag = "7")]
    ambiguous: u64,
}

/// A kind of message.
#[derive(Clone, PartialEq, Message)]
struct KindMessage {
    #[prost(uint32, tag = "1")]
    severity: u32,
    #[prost(string, tag = "2")]
    sqlstate: String,
    #[prost(string, tag = "3")]
    masked: String,
    #[prost(uint64, tag = "4")]
    count: u64,
    #[prost(uint64, tag = "5")]
    missing: u64,
    #[prost(message, optional, tag = "6")]
    first: Option<MessageExampleMessage>,
    #[prost(message, optional, tag = "7")]
    last: Option<MessageExampleMessage>,
    #[prost(message, optional, tag = "8")]
    statements: Option<CountsMessage>,
    #[prost(message, repeated, tag = "9")]
    names: Vec<CountsMessage>,
    #[prost(message, optional, tag = "10")]
    timeline: Option<TimelineMessage>,
    #[prost(message, optional, tag = "11")]
    waits: Option<CountsMessage>,
}

#[derive(Clone, PartialEq, Message)]
struct MessageExampleMessage {
    #[prost(message, optional, tag = "1")]
    time: Option<LogTimeMessage>,
    #[prost(string, repeated, tag = "2")]
    texts: Vec<String>,
}

/// Activity of a name. An empty name represents all evicted names.
#[derive(Clone, PartialEq, Message)]
struct ActivityMessage {
    #[prost(uint32, tag = "1")]
    facet: u32,
    #[prost(string, tag = "2")]
    name: String,
    #[prost(message, optional, tag = "3")]
    totals: Option<TotalsMessage>,
    #[prost(message, optional, tag = "4")]
    timeline: Option<TimelineMessage>,
    /// Maximum number of counts that are missing for the name. An empty name has the floor of the tally here.
    #[prost(uint64, tag = "5")]
    missing: u64,
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
    #[prost(uint64, tag = "22")]
    missing: u64,
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
    /// 0 for a call, 1 for a failed statement, 2 for an event.
    #[prost(uint32, tag = "9")]
    kind: u32,
}

impl DigestMessage {
    /// Sorts all entries, so that equal digests produce equal messages.
    pub(super) fn new(digest: &Digest) -> Self {
        let groups = digest.groups.iter();
        let mut groups: Vec<GroupMessage> =
            groups.map(|(fingerprint, group)| GroupMessage::new(*fingerprint, "", group)).collect();
        groups.sort_unstable_by_key(|group| group.fingerprint);
        let mut dropped: Vec<u64> = digest.dropped.iter().copied().collect();
        dropped.sort_unstable();
        let unparsed = digest.unparsed.iter().map(|(reason, kept)| {
            let missing = kept.missing;
            GroupMessage { missing, ..GroupMessage::new(0, reason, &kept.sum) }
        });
        Self {
            groups,
            unparsed: unparsed.collect(),
            truncated: Some(GroupMessage::new(0, "", &digest.truncated)),
            other: Some(GroupMessage::new(0, "", &digest.other)),
            other_unparsed: Some(GroupMessage::new(0, "", digest.unparsed.others())),
            dropped: dropped.chunks(1000).map(|part| DroppedMessage { fingerprints: part.to_vec() }).collect(),
            messages: digest.messages.iter().map(KindMessage::new).collect(),
            stray_events: EventsMessage::new(&digest.stray_events),
            timeline: Some(TimelineMessage::new(digest.timeline.bin_seconds(), digest.timeline.iter())),
            facets: Facet::ALL.into_iter().flat_map(|facet| ActivityMessage::of_facet(digest, facet)).collect(),
            sums: Some(SumsMessage {
                severities: digest.severities.to_vec(),
                stray_errors: digest.stray_errors,
                other_messages: digest.messages.others().count,
                message_floor: digest.messages.floor(),
                unparsed_floor: digest.unparsed.floor(),
                floor: digest.floor,
                ambiguous: digest.ambiguous,
            }),
        }
    }

    /// Adds this part of a state to a digest. Returns `None` if the part is invalid.
    pub(super) fn add_to(self, digest: &mut Digest) -> Option<()> {
        for group in self.groups {
            digest.groups.insert(group.fingerprint, Box::new(group.into_group()?));
        }
        for mut group in self.unparsed {
            let (reason, missing) = (std::mem::take(&mut group.reason).into(), group.missing);
            let kept = Kept { sum: Group { missing: 0, ..group.into_group()? }, missing };
            digest.unparsed.merge(Tally::from_parts([(reason, kept)], 0, Group::default()));
        }
        for (group, own) in [(self.truncated, &mut digest.truncated), (self.other, &mut digest.other)] {
            if let Some(group) = group {
                own.merge(group.into_group()?);
            }
        }
        if let Some(group) = self.other_unparsed {
            digest.unparsed.merge(Tally::from_parts([], 0, group.into_group()?));
        }
        digest.dropped.extend(self.dropped.into_iter().flat_map(|dropped| dropped.fingerprints));
        let kinds = self.messages.into_iter().map(KindMessage::into_kind).collect::<Option<Vec<_>>>()?;
        digest.messages.merge(Tally::from_parts(kinds, 0, MessageKind::default()));
        digest.stray_events.merge(self.stray_events.map(EventsMessage::into_events).unwrap_or_default());
        if let Some(timeline) = self.timeline {
            digest.timeline.merge(&timeline.into_timeline()?);
        }
        self.facets.into_iter().try_for_each(|activity| activity.add_to(digest))?;
        if let Some(sums) = self.sums {
            let severities = sums.severities.as_slice().try_into().ok()?;
            (digest.severities, digest.stray_errors, digest.floor) = (severities, sums.stray_errors, sums.floor);
            digest.ambiguous = sums.ambiguous;
            let others = MessageKind { count: sums.other_messages, ..MessageKind::default() };
            digest.messages.add_evicted(sums.message_floor, others);
            digest.unparsed.add_evicted(sums.unparsed_floor, Group::default());
        }
        Some(())
    }
}

impl ActivityMessage {
    fn of_facet(digest: &Digest, facet: Facet) -> impl Iterator<Item = Self> {
        let names = digest.facets.get(facet);
        let message = move |name: &str, activity: &Activity, missing| Self {
            facet: facet as u32,
            name: name.into(),
            totals: Some(TotalsMessage::new([activity.totals].into_iter())),
            timeline: Some(TimelineMessage::new(activity.timeline.bin_seconds(), activity.timeline.iter())),
            missing,
        };
        let kept = names.iter().map(move |(name, kept)| message(name, &kept.sum, kept.missing));
        kept.chain((names.floor() > 0).then(|| message("", names.others(), names.floor())))
    }

    fn add_to(self, digest: &mut Digest) -> Option<()> {
        let names = digest.facets.get_mut(*Facet::ALL.get(self.facet as usize)?);
        let [totals] = self.totals?.into_totals(1)?.try_into().ok()?;
        let activity = Activity { totals, timeline: self.timeline?.into_packed()? };
        if self.name.is_empty() {
            names.add_evicted(self.missing, activity);
        } else {
            let kept = Kept { sum: activity, missing: self.missing };
            names.merge(Tally::from_parts([(self.name.into(), kept)], 0, Activity::default()));
        }
        Some(())
    }
}

impl KindMessage {
    fn new((key, kept): (&MessageKey, &Kept<MessageKind>)) -> Self {
        let kind = &kept.sum;
        let example = |example: &MessageExample| MessageExampleMessage {
            time: example.time.as_ref().map(LogTimeMessage::new),
            texts: example.texts.iter().map(ToString::to_string).collect(),
        };
        let message = Self {
            severity: key.severity as u32,
            sqlstate: key.sqlstate.to_string(),
            masked: key.message.to_string(),
            count: kind.count,
            missing: kept.missing,
            first: kind.first.as_deref().map(example),
            last: kind.last.as_deref().map(example),
            statements: Some(CountsMessage::by_fingerprint(&kind.statements)),
            names: kind.names.iter().map(CountsMessage::new).collect(),
            timeline: Some(TimelineMessage::new(kind.timeline.bin_seconds(), kind.timeline.iter())),
            waits: (!kind.waits.is_empty()).then(|| CountsMessage::new(&kind.waits)),
        };
        if message.encoded_len() <= MAX_PART_LEN {
            return message;
        }
        let mut shorter = kept.clone();
        shorter.sum.evict_to(NAMES_OF_A_LONG_PART);
        Self::new((key, &shorter))
    }

    fn into_kind(self) -> Option<(MessageKey, Kept<MessageKind>)> {
        let example = |message: Option<MessageExampleMessage>| match message {
            Some(MessageExampleMessage { time, texts }) => {
                let texts: Vec<Box<str>> = texts.into_iter().map(String::into_boxed_str).collect();
                let example =
                    MessageExample { time: time.map(LogTimeMessage::into_time), texts: texts.try_into().ok()? };
                Some(Some(Box::new(example)))
            }
            None => Some(None),
        };
        let key = MessageKey {
            severity: *Severity::ALL.get(self.severity as usize)?,
            sqlstate: self.sqlstate.into(),
            message: self.masked.into(),
        };
        let names = self.names.into_iter().map(CountsMessage::into_counts).collect::<Option<Vec<_>>>()?;
        let sum = MessageKind {
            count: self.count,
            first: example(self.first)?,
            last: example(self.last)?,
            statements: self.statements?.into_counts_by_fingerprint()?,
            names: names.try_into().ok()?,
            waits: self.waits.unwrap_or_default().into_counts()?,
            timeline: self.timeline?.into_packed()?,
        };
        Some((key, Kept { sum, missing: self.missing }))
    }
}

impl GroupMessage {
    fn new(fingerprint: u64, reason: &str, group: &Group) -> Self {
        let mut durations = Vec::new();
        group.durations.for_each(|micros, count| durations.push((micros, count)));
        durations.sort_unstable();
        let message = Self {
            fingerprint,
            reason: reason.into(),
            calls: group.calls,
            sum: group.durations.sum(),
            max: group.durations.max(),
            durations: durations.iter().map(|(micros, _)| *micros).collect(),
            counts: durations.iter().map(|(_, count)| *count).collect(),
            errors: group.errors,
            messages: group.messages.as_deref().map(CountsMessage::new),
            first: group.first.as_ref().map(LogTimeMessage::new),
            last: group.last.as_ref().map(LogTimeMessage::new),
            example: group.example.as_deref().map(ExampleMessage::new),
            events: group.events.as_deref().and_then(EventsMessage::new),
            failed: group.failed.as_deref().map(ExampleMessage::new),
            latest: group.latest.as_deref().map(ExampleMessage::new),
            facets: sums::facet_messages(&group.facets.totals()),
            timeline: Some(TimelineMessage::new(group.timeline.bin_seconds(), group.timeline.iter())),
            missing: group.missing,
        };
        if message.encoded_len() <= MAX_PART_LEN {
            return message;
        }
        let mut shorter = group.clone();
        shorter.evict_names_to(NAMES_OF_A_LONG_PART);
        Self::new(fingerprint, reason, &shorter)
    }

    fn into_group(self) -> Option<Group> {
        let example = |message: Option<ExampleMessage>| match message {
            Some(message) => message.into_example().map(|example| Some(Box::new(example))),
            None => Some(None),
        };
        let samples = self.durations.into_iter().zip(self.counts);
        Some(Group {
            missing: self.missing,
            calls: self.calls,
            durations: Durations::from_parts(self.sum, self.max, samples),
            errors: self.errors,
            messages: match self.messages {
                Some(messages) => Some(Box::new(messages.into_counts()?)),
                None => None,
            },
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

    /// Converts to an example. Returns `None` if this version does not know the example's kind.
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
