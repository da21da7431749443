//! Protobuf messages of sums by name and by time: counts, totals, timelines.

use prost::Message;

use crate::execution::LogTime;
use crate::facets::{ByFacet, Facet, FacetTotals};
use crate::tally::{Kept, Names, Tally};
use crate::timeline::{BoundedTimeline, PackedTimeline, SmallTimeline};
use crate::totals::Totals;

#[derive(Clone, PartialEq, Message)]
pub(super) struct LogTimeMessage {
    #[prost(sint64, tag = "1")]
    micros: i64,
    #[prost(string, tag = "2")]
    text: String,
}

impl LogTimeMessage {
    pub(super) fn new(time: &LogTime) -> Self {
        Self { micros: time.micros, text: time.text.to_string() }
    }

    pub(super) fn into_time(self) -> LogTime {
        LogTime::new(self.micros, self.text.as_bytes())
    }
}

/// Counts by name or by fingerprint.
#[derive(Clone, PartialEq, Message)]
pub(super) struct CountsMessage {
    #[prost(string, repeated, tag = "1")]
    names: Vec<String>,
    #[prost(uint64, repeated, tag = "2")]
    counts: Vec<u64>,
    #[prost(uint64, tag = "3")]
    others: u64,
    /// One value for each count. Empty if all are 0.
    #[prost(uint64, repeated, tag = "4")]
    missing: Vec<u64>,
    #[prost(uint64, tag = "5")]
    floor: u64,
    /// Used in place of `names`. The first count is for statements without a fingerprint, even if it is 0.
    #[prost(fixed64, repeated, tag = "6")]
    fingerprints: Vec<u64>,
}

/// Totals as columns, with one list for each member.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TotalsMessage {
    #[prost(uint64, repeated, tag = "1")]
    calls: Vec<u64>,
    #[prost(uint64, repeated, tag = "2")]
    times: Vec<u64>,
    #[prost(uint64, repeated, tag = "3")]
    errors: Vec<u64>,
}

/// Totals of names. The last entry is for evicted names.
#[derive(Clone, PartialEq, Message)]
pub(super) struct NamesMessage {
    #[prost(string, repeated, tag = "1")]
    names: Vec<String>,
    #[prost(message, optional, tag = "2")]
    totals: Option<TotalsMessage>,
    /// One value for each name. Empty if all are 0.
    #[prost(uint64, repeated, tag = "3")]
    missing: Vec<u64>,
    #[prost(uint64, tag = "4")]
    floor: u64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TimelineMessage {
    #[prost(int64, tag = "1")]
    seconds: i64,
    #[prost(sint64, tag = "2")]
    first: i64,
    /// Distance of each bin from the previous bin, divided by the bin width.
    #[prost(uint64, repeated, tag = "3")]
    steps: Vec<u64>,
    #[prost(message, optional, tag = "4")]
    totals: Option<TotalsMessage>,
}

/// Returns the missing weight of each key. Returns an empty list if all are 0.
fn missing<'a, K: 'a, S: 'a>(kept: impl Iterator<Item = (&'a K, &'a Kept<S>)>) -> Vec<u64> {
    let missing: Vec<u64> = kept.map(|(_, kept)| kept.missing).collect();
    if missing.iter().all(|missing| *missing == 0) { Vec::new() } else { missing }
}

/// Combines lists to entries of a tally. Returns `None` if the lists differ in length.
fn entries<K, S>(keys: Vec<K>, sums: Vec<S>, missing: Vec<u64>) -> Option<impl Iterator<Item = (K, Kept<S>)>> {
    if keys.len() != sums.len() || !missing.is_empty() && missing.len() != keys.len() {
        return None;
    }
    let missing = missing.into_iter().chain(std::iter::repeat(0));
    Some(keys.into_iter().zip(sums).zip(missing).map(|((key, sum), missing)| (key, Kept { sum, missing })))
}

impl CountsMessage {
    pub(super) fn new(counts: &Names<u64>) -> Self {
        Self {
            names: counts.iter().map(|(name, _)| name.to_string()).collect(),
            counts: counts.iter().map(|(_, kept)| kept.sum).collect(),
            others: *counts.others(),
            missing: missing(counts.iter()),
            floor: counts.floor(),
            fingerprints: Vec::new(),
        }
    }

    /// Converts to a tally by name. Returns `None` if the lists differ in length.
    pub(super) fn into_counts(self) -> Option<Names<u64>> {
        let names = self.names.into_iter().map(String::into_boxed_str).collect();
        Some(Tally::from_parts(entries(names, self.counts, self.missing)?, self.floor, self.others))
    }

    pub(super) fn by_fingerprint(counts: &Tally<Option<u64>, u64>) -> Self {
        // `None` is the smallest key.
        let has_none = counts.iter().next().is_some_and(|(key, _)| key.is_none());
        let mut message = Self {
            fingerprints: counts.iter().filter_map(|(key, _)| *key).collect(),
            counts: counts.iter().map(|(_, kept)| kept.sum).collect(),
            others: *counts.others(),
            missing: missing(counts.iter()),
            floor: counts.floor(),
            names: Vec::new(),
        };
        if !has_none {
            message.counts.insert(0, 0);
            if !message.missing.is_empty() {
                message.missing.insert(0, 0);
            }
        }
        message
    }

    /// Converts to a tally by fingerprint. Returns `None` if the lists differ in length.
    pub(super) fn into_counts_by_fingerprint(self) -> Option<Tally<Option<u64>, u64>> {
        let keys = std::iter::once(None).chain(self.fingerprints.into_iter().map(Some)).collect();
        let entries = entries(keys, self.counts, self.missing)?.filter(|(_, kept)| kept.sum > 0);
        Some(Tally::from_parts(entries, self.floor, self.others))
    }
}

impl TotalsMessage {
    pub(super) fn new(totals: impl Iterator<Item = Totals>) -> Self {
        let mut message = Self::default();
        for Totals { calls, time, errors } in totals {
            message.calls.push(calls);
            message.times.push(time);
            message.errors.push(errors);
        }
        message
    }

    /// Converts to totals. Returns `None` unless each list has `count` entries.
    pub(super) fn into_totals(self, count: usize) -> Option<Vec<Totals>> {
        if [self.calls.len(), self.times.len(), self.errors.len()] != [count; 3] {
            return None;
        }
        let totals = self.calls.into_iter().zip(self.times).zip(self.errors);
        Some(totals.map(|((calls, time), errors)| Totals { calls, time, errors }).collect())
    }
}

/// Returns the totals by name, with one message per facet.
pub(super) fn facet_messages(facets: &FacetTotals) -> Vec<NamesMessage> {
    let message = |facet: Facet| {
        let totals = facets.get(facet);
        let all = totals.iter().map(|(_, kept)| kept.sum).chain([*totals.others()]);
        NamesMessage {
            names: totals.iter().map(|(name, _)| name.to_string()).collect(),
            totals: Some(TotalsMessage::new(all)),
            missing: missing(totals.iter()),
            floor: totals.floor(),
        }
    };
    Facet::ALL.into_iter().map(message).collect()
}

/// Decodes [`facet_messages`]. Returns `None` if the lists differ in length.
pub(super) fn facets(messages: Vec<NamesMessage>) -> Option<FacetTotals> {
    let mut facets = ByFacet::default();
    if messages.len() != Facet::ALL.len() {
        return None;
    }
    for (facet, message) in Facet::ALL.into_iter().zip(messages) {
        let mut totals = message.totals?.into_totals(message.names.len() + 1)?;
        let others = totals.pop()?;
        let names = message.names.into_iter().map(String::into_boxed_str).collect();
        *facets.get_mut(facet) = Tally::from_parts(entries(names, totals, message.missing)?, message.floor, others);
    }
    Some(facets)
}

impl TimelineMessage {
    pub(super) fn new(seconds: i64, bins: impl Iterator<Item = (i64, Totals)>) -> Self {
        let (starts, totals): (Vec<i64>, Vec<Totals>) = bins.unzip();
        Self {
            seconds,
            first: starts.first().copied().unwrap_or(0),
            steps: starts.windows(2).map(|pair| pair[0].abs_diff(pair[1]) / seconds.unsigned_abs()).collect(),
            totals: Some(TotalsMessage::new(totals.into_iter())),
        }
    }

    pub(super) fn into_packed(self) -> Option<PackedTimeline> {
        let timeline: SmallTimeline = self.into_timeline()?;
        PackedTimeline::from_parts(timeline.bin_seconds(), timeline.iter())
    }

    pub(super) fn into_timeline<const MAX_BINS: usize>(self) -> Option<BoundedTimeline<MAX_BINS>> {
        let totals = self.totals?;
        let count = totals.calls.len();
        let mut start = self.first;
        let mut starts = Vec::with_capacity(count);
        if count > 0 {
            starts.push(start);
        }
        for step in self.steps {
            start = start.checked_add(i64::try_from(step).ok()?.checked_mul(self.seconds)?)?;
            starts.push(start);
        }
        BoundedTimeline::from_parts(self.seconds, starts.into_iter().zip(totals.into_totals(count)?))
            .filter(|timeline| timeline.iter().count() == count)
    }
}
