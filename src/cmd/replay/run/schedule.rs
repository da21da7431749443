//! When statements are due. Knows neither sessions nor connections.

use std::time::{Duration, Instant};

use super::options::Speed;
use crate::cmd::replay::step::Step;

/// The times of the log, moved to those of the run.
#[derive(Clone, Copy)]
pub struct Schedule {
    /// When the first statement starts, now.
    pub begun: Instant,
    /// When it started in the log.
    pub first: i64,
    pub speed: Speed,
}

impl Schedule {
    /// When a statement is due.
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
