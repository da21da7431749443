//! How a plan is run: plain values, however they were given.

use std::time::Duration;

use clap::ValueEnum;
use pgq_postgres::Settings;

use crate::cmd::replay::target::TargetCheck;

/// How to run.
pub struct RunSettings {
    pub server: Settings,
    pub check: TargetCheck,
    pub speed: Speed,
    pub writes: bool,
    pub connections: Option<usize>,
    pub database_map: Vec<(String, String)>,
    pub user_map: Vec<(String, String)>,
    pub on_error: OnError,
    pub statement_timeout: Option<Duration>,
}

/// How fast a plan is run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Speed {
    /// So many times as fast as it was.
    Factor(f64),
    /// Each statement as soon as the one before it in its session has ended.
    Max,
}

impl Speed {
    /// Reads `max` or a factor.
    ///
    /// # Errors
    /// It is neither, or not more than 0.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text == "max" {
            return Ok(Self::Max);
        }
        let factor: f64 = text.parse().map_err(|_| "a number or max")?;
        if factor.is_finite() && factor > 0.0 { Ok(Self::Factor(factor)) } else { Err("more than 0".into()) }
    }
}

/// What a session does after a statement that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnError {
    /// It goes on with its next statement
    Continue,
    /// It ends a transaction that has failed at once, and goes on
    Rollback,
    /// It executes no more
    EndSession,
}
