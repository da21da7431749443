//! Tests of the parts of the crate.

mod assembler;
mod csvlog;
mod detect;
mod entries;
mod envelope;
mod interleaved;
mod jsonlog;
mod known_runs;
mod language;
mod messages;
mod prefix;
mod read_log;
mod scan;
mod stderr;
mod time;

use crate::common;
