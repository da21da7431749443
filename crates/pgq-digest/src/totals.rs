//! Totals of executions: calls, time of the calls, and errors. Every breakdown, such as by user or by time, has these
//! totals.

use serde::{Deserialize, Serialize};

use crate::execution::Execution;
use crate::tally::Sum;

/// Calls, their time, and errors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Number of successful executions.
    pub calls: u64,
    /// Time of the calls in microseconds. In a timeline, a long execution adds to the time of each bin in which it ran.
    /// The time divided by the bin width is the average number of active queries.
    pub time: u64,
    /// Failed statements, and errors without a statement.
    pub errors: u64,
}

impl Totals {
    /// Returns the totals of one execution, or of one error.
    #[must_use]
    pub fn of(execution: &Execution<'_>) -> Self {
        let failed = execution.error.is_some();
        let time = if failed { 0 } else { execution.duration.unwrap_or(0) };
        Self { calls: u64::from(!failed), time, errors: u64::from(failed) }
    }
}

impl Sum for Totals {
    fn merge(&mut self, other: Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.time = self.time.saturating_add(other.time);
        self.errors = self.errors.saturating_add(other.errors);
    }

    /// Returns the number of calls and errors.
    fn weight(&self) -> u64 {
        self.calls.saturating_add(self.errors)
    }
}
