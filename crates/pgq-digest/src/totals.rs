//! The three figures that everything is counted by: calls, their time, and failed statements.

use crate::bounded::{Bounded, Sum};
use crate::execution::Execution;

/// Calls, their time, and failed statements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Executions, without failed ones.
    pub calls: u64,
    /// Their time in microseconds. In a bin of a timeline it is how long executions ran in that bin: one
    /// that took longer than the bin is wide counts in several. Divided by the width it is the average
    /// number of active queries.
    pub time: u64,
    /// Failed statements.
    pub errors: u64,
}

/// The totals of a bounded number of names.
pub type BoundedTotals = Bounded<Totals>;

impl Totals {
    /// One execution.
    #[must_use]
    pub fn of(execution: &Execution<'_>) -> Self {
        let failed = execution.error.is_some();
        let time = if failed { 0 } else { execution.duration.unwrap_or(0) };
        Self { calls: u64::from(!failed), time, errors: u64::from(failed) }
    }

    /// Calls and failed statements.
    #[must_use]
    pub fn statements(&self) -> u64 {
        self.calls + self.errors
    }
}

impl Sum for Totals {
    fn merge(&mut self, other: &Self) {
        self.calls += other.calls;
        self.time = self.time.saturating_add(other.time);
        self.errors += other.errors;
    }
}
