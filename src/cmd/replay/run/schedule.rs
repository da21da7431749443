//! When statements are due.

use std::time::{Duration, Instant};

use super::options::Speed;
use crate::cmd::replay::step::Step;

/// Maps times of the log to times of the run.
#[derive(Clone, Copy)]
pub struct Schedule {
    /// Start of the first statement in the run.
    pub begun: Instant,
    /// Start of the first statement in the log.
    pub first: i64,
    pub speed: Speed,
}

impl Schedule {
    /// Returns when a statement is due.
    pub fn due_time(&self, step: &Step) -> Instant {
        match self.speed {
            Speed::Max => self.begun,
            Speed::Factor(factor) => {
                let micros = step.start.saturating_sub(self.first).max(0) as f64 / factor;
                let after = Duration::try_from_secs_f64(micros / 1e6);
                self.begun + after.unwrap_or(Duration::from_secs(u64::from(u32::MAX)))
            }
        }
    }
}
