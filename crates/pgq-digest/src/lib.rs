//! Digests of what ran on a PostgreSQL server: executions grouped by fingerprint, with counts,
//! durations, errors, users and an example. Digests merge exactly and in any order, so that
//! threads, files and machines can share the work.
//!
//! This crate does not parse SQL (a [`DescribeQuery`] does, for reports), reads no logs and prints
//! nothing.
//!
//! ```
//! use pgq_digest::{Digest, Execution, GroupKey, Limit};
//!
//! let mut digest = Digest::new(Limit::Groups(1000));
//! let execution = Execution { sql: b"SELECT 1", duration: Some(1500), ..Execution::default() };
//! digest.add(&GroupKey::Query(0x50fd_e206_2600_9aba), &execution);
//!
//! let mut merged = Digest::new(Limit::Groups(1000));
//! merged.merge(digest.clone());
//! merged.merge(digest);
//! merged.finish();
//! let group = &merged.groups[&0x50fd_e206_2600_9aba];
//! assert_eq!((group.calls, group.durations.sum()), (2, 3000));
//! ```
#![forbid(unsafe_code)]

pub mod baseline;
mod bounded;
mod digest;
mod durations;
mod errors;
mod event_rows;
mod events;
mod execution;
mod facets;
mod group;
mod group_facets;
mod histogram;
mod mask;
mod origin;
pub mod report;
mod short_row;
pub mod state;
mod time_text;
mod timeline;
mod totals;

pub use bounded::{Bounded, BoundedCounts, Sum};
pub use digest::{Digest, Fingerprints, GroupKey, Groups, IdentityHasher, Limit};
pub use durations::{DurationSummary, Durations};
pub use errors::{ErrorKind, ErrorTally};
pub use event_rows::{EventRow, EventRows};
pub use events::{Events, Plan, StatementEvent};
pub use execution::{Example, ExampleKind, Execution, LogTime};
pub use facets::{ByFacet, Facet, FacetTimelines, FacetTotals};
pub use group::Group;
pub use group_facets::GroupFacets;
pub use mask::mask;
pub use origin::Origin;
pub use short_row::ShortRow;
pub use time_text::TimeText;
pub use timeline::{BoundedTimeline, PackedTimeline, SmallTimeline, Timeline};
pub use totals::{BoundedTotals, Totals};

/// Describes queries for reports.
pub trait DescribeQuery {
    /// The query on one line, with `$n` for its constants; a query that does not parse, unchanged.
    fn normalized(&self, sql: &str) -> String;

    /// The names of the tables in the query.
    fn tables(&self, sql: &str) -> Vec<String>;

    /// The keyword of its kind in lower case, such as `select`.
    fn kind(&self, sql: &str) -> String;
}
