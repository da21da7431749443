//! Protobuf messages of events and plans.

use prost::Message;

use super::sums::LogTimeMessage;
use crate::events::{Events, Plan};

#[derive(Clone, PartialEq, Message)]
pub(super) struct EventsMessage {
    #[prost(uint64, tag = "1")]
    temporary_files: u64,
    #[prost(uint64, tag = "2")]
    temporary_bytes: u64,
    #[prost(uint64, tag = "3")]
    lock_waits: u64,
    #[prost(uint64, tag = "4")]
    lock_time: u64,
    #[prost(uint64, tag = "5")]
    canceled: u64,
    #[prost(uint64, tag = "6")]
    plans: u64,
    #[prost(fixed64, repeated, tag = "7")]
    shapes: Vec<u64>,
    #[prost(message, optional, tag = "8")]
    slowest_plan: Option<PlanMessage>,
}

#[derive(Clone, PartialEq, Message)]
struct PlanMessage {
    #[prost(uint64, tag = "1")]
    duration: u64,
    #[prost(message, optional, tag = "2")]
    time: Option<LogTimeMessage>,
    #[prost(string, tag = "3")]
    text: String,
}

impl EventsMessage {
    /// Returns `None` if there are no events.
    pub(super) fn new(events: &Events) -> Option<Self> {
        let plan = |plan: &Plan| PlanMessage {
            duration: plan.duration,
            time: plan.time.as_ref().map(LogTimeMessage::new),
            text: plan.text.to_string(),
        };
        (*events != Events::default()).then(|| Self {
            temporary_files: events.temporary_files,
            temporary_bytes: events.temporary_bytes,
            lock_waits: events.lock_waits,
            lock_time: events.lock_time,
            canceled: events.canceled,
            plans: events.plans,
            shapes: events.shapes.iter().copied().collect(),
            slowest_plan: events.slowest_plan.as_deref().map(plan),
        })
    }

    pub(super) fn into_events(self) -> Events {
        let plan = |plan: PlanMessage| Plan {
            duration: plan.duration,
            time: plan.time.map(LogTimeMessage::into_time),
            text: plan.text.into(),
        };
        Events {
            temporary_files: self.temporary_files,
            temporary_bytes: self.temporary_bytes,
            lock_waits: self.lock_waits,
            lock_time: self.lock_time,
            canceled: self.canceled,
            plans: self.plans,
            shapes: self.shapes.into_iter().collect(),
            slowest_plan: self.slowest_plan.map(plan).map(Box::new),
        }
    }
}
