//! Tests of the parts of a digest, in one program. The library has no unit tests, because Cargo would compile the
//! library a second time for them.

mod durations;
mod events;
mod group;
mod group_facets;
mod limits;
mod mask;
mod messages;
mod origin;
mod packed_timeline;
mod state;
mod tally;
mod time_text;
mod timeline;
