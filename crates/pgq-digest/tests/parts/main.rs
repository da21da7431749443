//! Tests of the parts of a digest. They are one program, and the library has no unit tests, for which Cargo would
//! compile it a second time.

mod durations;
mod events;
mod group;
mod group_facets;
mod mask;
mod messages;
mod origin;
mod packed_timeline;
mod state;
mod tally;
mod time_text;
mod timeline;
