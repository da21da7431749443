//! Options of a run.

use std::time::Duration;

use pgq_postgres::Settings;

use crate::cmd::args::milliseconds;
use crate::cmd::replay::target::TargetCheck;

/// The server, and options of the run.
pub struct RunSettings {
    pub server: Settings,
    pub check: TargetCheck,
    pub args: RunArgs,
}

// Arguments of the run itself. This is not a doc comment, because clap would use it as the description of the command.
#[derive(Debug, Clone, clap::Args)]
pub struct RunArgs {
    /// How fast: 1 as in the log, 2.5 and 0.5 times as fast, or max
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed)]
    pub speed: f64,

    /// Maximum number of connections; further sessions wait until one ends [default: one for each session]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub connections: Option<u32>,

    /// Use the database NEW for sessions in OLD; may be repeated
    #[arg(long, value_name = "OLD=NEW", value_parser = mapping)]
    pub database_map: Vec<(String, String)>,

    /// Use the user NEW for sessions of OLD; may be repeated
    #[arg(long, value_name = "OLD=NEW", value_parser = mapping)]
    pub user_map: Vec<(String, String)>,

    /// Cancel a statement after this time: milliseconds, or 1s, 250ms, 2min
    #[arg(long, value_name = "TIME", value_parser = timeout)]
    pub statement_timeout: Option<Duration>,
}

/// Parses `max` or a factor. Returns infinity for `max`. With `max`, a statement is due when the previous statement has
/// ended.
fn speed(text: &str) -> Result<f64, String> {
    if text == "max" {
        return Ok(f64::INFINITY);
    }
    let factor: f64 = text.parse().map_err(|_| "a number or max")?;
    if factor.is_finite() && factor > 0.0 { Ok(factor) } else { Err("more than 0".into()) }
}

fn timeout(text: &str) -> Result<Duration, String> {
    let range = 1.0..=f64::from(i32::MAX);
    let millis = milliseconds(text)?;
    if range.contains(&millis) { Ok(Duration::from_secs_f64(millis / 1e3)) } else { Err("from 1 ms to 24 days".into()) }
}

fn mapping(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((old, new)) if !old.is_empty() && !new.is_empty() => Ok((old.to_string(), new.to_string())),
        _ => Err("write it as OLD=NEW".into()),
    }
}
