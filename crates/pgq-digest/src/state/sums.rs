//! The Protobuf messages of what is kept by name and by time: counts, totals, timelines.

use prost::Message;

use crate::bounded::{Bounded, BoundedCounts};
use crate::facets::{ByFacet, Facet, FacetTimelines, FacetTotals};
use crate::timeline::{BoundedTimeline, PackedTimeline, SmallTimeline};
use crate::totals::Totals;

#[derive(Clone, PartialEq, Message)]
pub(super) struct CountsMessage {
    #[prost(string, repeated, tag = "1")]
    names: Vec<String>,
    #[prost(uint64, repeated, tag = "2")]
    counts: Vec<u64>,
    #[prost(uint64, tag = "3")]
    others: u64,
}

/// Totals by something, a list for each member.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TotalsMessage {
    #[prost(uint64, repeated, tag = "1")]
    calls: Vec<u64>,
    #[prost(uint64, repeated, tag = "2")]
    times: Vec<u64>,
    #[prost(uint64, repeated, tag = "3")]
    errors: Vec<u64>,
}

/// Totals of names; the last ones are those of the other names.
#[derive(Clone, PartialEq, Message)]
pub(super) struct NamesMessage {
    #[prost(string, repeated, tag = "1")]
    names: Vec<String>,
    #[prost(message, optional, tag = "2")]
    totals: Option<TotalsMessage>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TimelineMessage {
    #[prost(int64, tag = "1")]
    seconds: i64,
    #[prost(sint64, tag = "2")]
    first: i64,
    /// The bin after each, in widths from the one before.
    #[prost(uint64, repeated, tag = "3")]
    steps: Vec<u64>,
    #[prost(message, optional, tag = "4")]
    totals: Option<TotalsMessage>,
}

/// Timelines of names; the last is that of the other names.
#[derive(Clone, PartialEq, Message)]
pub(super) struct NamedTimelinesMessage {
    #[prost(string, repeated, tag = "1")]
    names: Vec<String>,
    #[prost(message, repeated, tag = "2")]
    timelines: Vec<TimelineMessage>,
}

impl CountsMessage {
    pub(super) fn new(counts: &BoundedCounts) -> Self {
        let others = *counts.others();
        let (names, counts) = counts.iter().map(|(name, count)| (name.to_string(), *count)).unzip();
        Self { names, counts, others }
    }

    pub(super) fn into_counts(self) -> BoundedCounts {
        BoundedCounts::from_parts(self.names.iter().map(String::as_str).zip(self.counts), self.others)
    }
}

impl TotalsMessage {
    fn new(totals: impl Iterator<Item = Totals>) -> Self {
        let mut message = Self::default();
        for Totals { calls, time, errors } in totals {
            message.calls.push(calls);
            message.times.push(time);
            message.errors.push(errors);
        }
        message
    }

    /// `None` unless there are `count` of each.
    fn into_totals(self, count: usize) -> Option<impl Iterator<Item = Totals>> {
        if [self.calls.len(), self.times.len(), self.errors.len()] != [count; 3] {
            return None;
        }
        let totals = self.calls.into_iter().zip(self.times).zip(self.errors);
        Some(totals.map(|((calls, time), errors)| Totals { calls, time, errors }))
    }
}

/// Totals by name for each facet.
pub(super) fn facet_messages(facets: &FacetTotals) -> Vec<NamesMessage> {
    let message = |facet: Facet| {
        let totals = facets.get(facet);
        let all = totals.iter().map(|(_, totals)| *totals).chain([*totals.others()]);
        NamesMessage {
            names: totals.iter().map(|(name, _)| name.to_string()).collect(),
            totals: Some(TotalsMessage::new(all)),
        }
    };
    Facet::ALL.into_iter().map(message).collect()
}

/// The values of [`facet_messages`]; `None` if lists that belong together differ in length.
pub(super) fn facets(messages: Vec<NamesMessage>) -> Option<FacetTotals> {
    by_facet(messages, |message| {
        let mut totals: Vec<Totals> = message.totals?.into_totals(message.names.len() + 1)?.collect();
        let others = totals.pop()?;
        Some(Bounded::from_parts(message.names.iter().map(String::as_str).zip(totals), others))
    })
}

/// Timelines by name for each facet.
pub(super) fn timeline_messages(facets: &FacetTimelines) -> Vec<NamedTimelinesMessage> {
    let message = |facet: Facet| {
        let timelines = facets.get(facet);
        let all = timelines.iter().map(|(_, timeline)| timeline).chain([timelines.others()]);
        NamedTimelinesMessage {
            names: timelines.iter().map(|(name, _)| name.to_string()).collect(),
            timelines: all.map(|timeline| TimelineMessage::new(timeline.bin_seconds(), timeline.iter())).collect(),
        }
    };
    Facet::ALL.into_iter().map(message).collect()
}

/// The values of [`timeline_messages`]; `None` if they are invalid.
pub(super) fn timelines(messages: Vec<NamedTimelinesMessage>) -> Option<FacetTimelines> {
    by_facet(messages, |message| {
        let timelines = message.timelines.into_iter().map(TimelineMessage::into_timeline);
        let mut timelines = timelines.collect::<Option<Vec<_>>>()?;
        let others = timelines.pop()?;
        let names = message.names.iter().map(String::as_str);
        (names.len() == timelines.len()).then(|| Bounded::from_parts(names.zip(timelines), others))
    })
}

fn by_facet<M, S: crate::bounded::Sum>(
    messages: Vec<M>,
    mut sums: impl FnMut(M) -> Option<Bounded<S>>,
) -> Option<ByFacet<S>> {
    let mut facets = ByFacet::default();
    if messages.len() != Facet::ALL.len() {
        return None;
    }
    for (facet, message) in Facet::ALL.into_iter().zip(messages) {
        *facets.get_mut(facet) = sums(message)?;
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
