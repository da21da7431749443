//! What several tests share. Each test uses some of it, so unused functions are no warning here.
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
