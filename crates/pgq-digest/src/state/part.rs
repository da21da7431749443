//! The parts of a state, which is an encoded digest. Parts are encoded and decoded independently.

use std::borrow::Cow;
use std::io::Error;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::events::Events;
use crate::execution::{LogTime, Severity};
use crate::facets::{Activity, Facet};
use crate::group::Group;
use crate::messages::{MessageKey, MessageKind};
use crate::tally::{Kept, Sum};
use crate::timeline::Timeline;

/// Maximum length of a part (4 MiB). A longer part is damaged or a compression bomb. Reading a state needs memory for
/// the digest, plus a small multiple of this length.
pub(super) const MAX_PART_LEN: usize = 4 << 20;

/// If a part would be too long, it keeps at most this number of names of each kind.
const NAMES_OF_A_LONG_PART: usize = 64;

/// A part of a state.
#[derive(Serialize, Deserialize)]
pub(super) enum Part<'a> {
    /// The first part, with the figures of the whole digest.
    Whole(Box<Whole<'a>>),
    Group(GroupKind<'a>, Cow<'a, Group>),
    /// Queries whose group was dropped, at most 1,000.
    Dropped(Cow<'a, [u64]>),
    Message(Cow<'a, MessageKey>, Cow<'a, Kept<MessageKind>>),
    Name(Facet, Cow<'a, str>, Cow<'a, Kept<Activity>>),
    /// The evicted names of a facet, such as the users. The fields after the facet are an upper bound of the weight of
    /// each evicted name ([`crate::tally::Tally::floor`]), and the sum of the names' activity.
    EvictedNames(Facet, u64, Cow<'a, Activity>),
}

/// Figures of the whole digest.
#[derive(Serialize, Deserialize)]
pub(super) struct Whole<'a> {
    severities: [u64; Severity::ALL.len()],
    stray_errors: u64,
    ambiguous: u64,
    floor: u64,
    unparsed_floor: u64,
    /// The evicted kinds of messages of each severity. The first number is an upper bound of the number of messages of
    /// a single kind ([`crate::tally::Tally::floor`]). The second number is the number of messages of all evicted kinds
    /// together. The times are the times of the first and the last of these messages.
    evicted_messages: [(u64, u64, [Option<LogTime>; 2]); Severity::ALL.len()],
    stray_events: Cow<'a, Events>,
    timeline: Cow<'a, Timeline>,
}

#[derive(Serialize, Deserialize)]
pub(super) enum GroupKind<'a> {
    /// The fingerprint.
    Query(u64),
    /// The parse error, and an upper bound of the number of statements that the group lacks ([`Kept::missing`]).
    Unparsed(Cow<'a, str>, u64),
    EvictedUnparsed,
    Truncated,
    Other,
}

impl Part<'_> {
    pub(super) fn encode(&mut self) -> std::io::Result<Vec<u8>> {
        let bytes = postcard::to_stdvec(self).map_err(Error::other)?;
        if bytes.len() <= MAX_PART_LEN {
            return Ok(bytes);
        }
        match self {
            Self::Group(_, group) => group.to_mut().evict_names_to(NAMES_OF_A_LONG_PART),
            Self::Message(_, kept) => kept.to_mut().sum.evict_names_to(NAMES_OF_A_LONG_PART),
            _ => {}
        }
        let bytes = postcard::to_stdvec(self).map_err(Error::other)?;
        if bytes.len() <= MAX_PART_LEN { Ok(bytes) } else { Err(Error::other("an entry is too long for a state")) }
    }

    pub(super) fn add_to(self, digest: &mut Digest) {
        match self {
            Self::Whole(whole) => {
                (digest.severities, digest.stray_errors) = (whole.severities, whole.stray_errors);
                (digest.ambiguous, digest.floor) = (whole.ambiguous, whole.floor);
                digest.unparsed.add_evicted(whole.unparsed_floor, Group::default());
                for (severity, (floor, count, times)) in Severity::ALL.into_iter().zip(whole.evicted_messages) {
                    let mut kinds = MessageKind { count, ..MessageKind::default() };
                    kinds.add_times(times);
                    digest.messages.get_mut(severity).add_evicted(floor, kinds);
                }
                digest.stray_events = whole.stray_events.into_owned();
                digest.timeline = whole.timeline.into_owned();
            }
            Self::Group(kind, group) => {
                let group = group.into_owned();
                match kind {
                    GroupKind::Query(fingerprint) => drop(digest.groups.insert(fingerprint, Box::new(group))),
                    GroupKind::Unparsed(reason, missing) => {
                        digest.unparsed.insert(reason.into(), Kept { sum: group, missing });
                    }
                    GroupKind::EvictedUnparsed => digest.unparsed.add_evicted(0, group),
                    GroupKind::Truncated => digest.truncated = group,
                    GroupKind::Other => digest.other.merge(group),
                }
            }
            Self::Dropped(fingerprints) => digest.dropped.extend(fingerprints.iter()),
            Self::Message(key, kept) => {
                digest.messages.get_mut(key.severity).insert(key.into_owned(), kept.into_owned());
            }
            Self::Name(facet, name, kept) => digest.facets.get_mut(facet).insert(name.into(), kept.into_owned()),
            Self::EvictedNames(facet, floor, activity) => {
                digest.facets.get_mut(facet).add_evicted(floor, activity.into_owned());
            }
        }
    }
}

/// Returns the parts of a digest. All entries are sorted, so that equal digests have equal parts.
pub(super) fn parts(digest: &Digest) -> impl Iterator<Item = Part<'_>> {
    let whole = Part::Whole(Box::new(Whole {
        severities: digest.severities,
        stray_errors: digest.stray_errors,
        ambiguous: digest.ambiguous,
        floor: digest.floor,
        unparsed_floor: digest.unparsed.floor(),
        evicted_messages: Severity::ALL.map(|severity| {
            let kinds = digest.messages.get(severity);
            (kinds.floor(), kinds.others().count, kinds.others().times().map(|time| time.cloned()))
        }),
        stray_events: Cow::Borrowed(&digest.stray_events),
        timeline: Cow::Borrowed(&digest.timeline),
    }));
    let mut groups: Vec<_> =
        digest.groups.iter().map(|(fingerprint, group)| (GroupKind::Query(*fingerprint), &**group)).collect();
    groups.sort_unstable_by_key(|(kind, _)| if let GroupKind::Query(fingerprint) = kind { *fingerprint } else { 0 });
    let unparsed = digest.unparsed.iter();
    groups.extend(unparsed.map(|(reason, kept)| (GroupKind::Unparsed((&**reason).into(), kept.missing), &kept.sum)));
    groups.push((GroupKind::EvictedUnparsed, digest.unparsed.others()));
    groups.push((GroupKind::Truncated, &digest.truncated));
    groups.push((GroupKind::Other, &digest.other));
    let mut dropped: Vec<u64> = digest.dropped.iter().copied().collect();
    dropped.sort_unstable();
    let dropped: Vec<_> = dropped.chunks(1000).map(|part| Part::Dropped(part.to_vec().into())).collect();
    let messages = digest.messages.iter().map(|(key, kept)| Part::Message(Cow::Borrowed(key), Cow::Borrowed(kept)));
    let names = Facet::ALL.into_iter().flat_map(|facet| {
        let names = digest.facets.get(facet);
        let kept = names.iter().map(move |(name, kept)| Part::Name(facet, (&**name).into(), Cow::Borrowed(kept)));
        let evicted = || Part::EvictedNames(facet, names.floor(), Cow::Borrowed(names.others()));
        kept.chain((names.floor() > 0).then(evicted))
    });
    let groups = groups.into_iter().map(|(kind, group)| Part::Group(kind, Cow::Borrowed(group)));
    std::iter::once(whole).chain(groups).chain(dropped).chain(messages).chain(names)
}
