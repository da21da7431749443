//! Computes when statements are due.

use std::time::{Duration, Instant};

use crate::cmd::replay::step::Step;

/// Maps times of the log to times of the run.
#[derive(Clone, Copy)]
pub struct Schedule {
    /// Start of the first statement in the run.
    pub begun: Instant,
    /// Start of the first statement in the log.
    pub first: i64,
    /// Multiple of the log's speed. Infinite with `--speed max`.
    pub speed: f64,
}

impl Schedule {
    /// Returns when a statement is due.
    pub fn due_time(&self, step: &Step) -> Instant {
        let micros = step.start.saturating_sub(self.first).max(0) as f64 / self.speed;
        self.begun + Duration::try_from_secs_f64(micros / 1e6).unwrap_or(Duration::from_secs(u64::from(u32::MAX)))
    }
}
