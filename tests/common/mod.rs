//! Code that several tests share. Each test uses only a part of it, so warnings about unused functions are off.
#![allow(dead_code)]

pub mod committed;
pub mod counts;
pub mod left_out;
pub mod mutations;
#[cfg(feature = "cli")]
pub mod program;
pub mod project;
pub mod properties;
pub mod setting;
pub mod tally;
