//! Digests of the statements that ran on a PostgreSQL server. A digest groups executions by fingerprint, with counts,
//! durations, errors, users and an example. Merging is exact and does not depend on the order, so several threads or
//! machines can share the work.
//!
//! This crate does not parse SQL, reads no logs and prints nothing. Reports need a parser, which the caller provides as
//! a [`DescribeQuery`].
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
mod describe;
mod digest;
mod durations;
mod event_rows;
mod events;
mod example;
mod execution;
mod facets;
mod fingerprints;
mod group;
mod group_facets;
mod histogram;
mod mask;
mod messages;
mod origin;
mod origins;
pub mod report;
mod rewrite;
mod short_row;
pub mod state;
mod tally;
mod time_text;
mod timeline;
mod totals;

pub use describe::DescribeQuery;
pub use digest::{AHEAD, Digest, GroupKey, Groups, Limit};
pub use durations::{DurationSummary, Durations};
pub use event_rows::{EventRow, EventRows};
pub use events::{Events, Plan, StatementEvent};
pub use example::{Example, ExampleKind, MAX_EXAMPLE_LEN};
pub use execution::{Execution, LogMessage, LogTime, Severity};
pub use facets::{Activity, ByFacet, Facet, FacetActivity, FacetTotals};
pub use fingerprints::{ByFingerprint, Fingerprints};
pub use group::Group;
pub use group_facets::GroupFacets;
pub use mask::mask;
pub use messages::{MessageExample, MessageKey, MessageKind, Messages};
pub use origin::{Origin, name_bytes, name_text};
pub use rewrite::{Rewrite, TextKind};
pub use short_row::ShortRow;
pub use tally::{Kept, Names, Sum, Tally};
pub use time_text::TimeText;
pub use timeline::{BoundedTimeline, PackedTimeline, SmallTimeline, Timeline};
pub use totals::Totals;
