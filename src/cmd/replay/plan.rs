//! Plans, built in this run or read from files, and summaries of plans.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result};
use pgq_log::counted;
use serde::{Deserialize, Serialize};

use super::builder::BuiltPlan;
use super::command::Command;
use super::sorter::StepReader;
use super::step::{Skip, Step};
use super::target::Origin;
use crate::run::report::Output;

/// Prefix of a plan file.
const MAGIC: &[u8] = b"pgq replay plan 3\n";

/// Steps sorted by start.
pub struct Plan {
    steps: Steps,
    pub head: PlanHead,
}

/// Facts about a log as a whole.
#[derive(Default, Serialize, Deserialize)]
pub struct PlanHead {
    /// Statements of all users and databases that have no step, by reason.
    pub without_step: BTreeMap<Skip, u64>,
    /// The server that wrote the log.
    pub origin: Origin,
}

enum Steps {
    Built(BuiltPlan),
    File(StepReader),
}

impl Plan {
    /// Returns the next step.
    ///
    /// # Errors
    /// A file cannot be read or is damaged.
    pub fn next(&mut self) -> Result<Option<Step>> {
        match &mut self.steps {
            Steps::Built(plan) => plan.next(),
            Steps::File(reader) => reader.next(),
        }
    }

    /// Wraps a plan that was built from logs.
    pub fn built(mut plan: BuiltPlan, origin: Origin) -> Self {
        let without_step = std::mem::take(&mut plan.without_step);
        let origin = Origin { ends: plan.ends, ..origin };
        Self { steps: Steps::Built(plan), head: PlanHead { without_step, origin } }
    }

    /// Opens a plan file. Returns `None` if the file is not a plan.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: &Path) -> Result<Option<Self>> {
        let open = || -> Result<Option<Self>> {
            let mut file = File::open(path)?;
            // Reading the prefix from a pipe would lose it.
            if !file.metadata()?.is_file() {
                return Ok(None);
            }
            let mut start = Vec::new();
            (&mut file).take(MAGIC.len() as u64).read_to_end(&mut start)?;
            if start != MAGIC {
                return Ok(None);
            }
            let mut reader = StepReader::new(file)?;
            let head = reader.next()?.context("is damaged")?;
            Ok(Some(Self { steps: Steps::File(reader), head }))
        };
        open().with_context(|| path.display().to_string())
    }
}

/// Descriptions of [`PlanSummary::by_kind`].
const KINDS: [&str; 3] = [
    "reading",
    "of transactions, or settings of encodings (pgq sends its own)",
    "writing, unknown, or several in one text",
];

/// Summary of a plan.
#[derive(Default)]
pub struct PlanSummary {
    pub steps: u64,
    pub sessions: u64,
    /// Maximum number of simultaneous sessions.
    pub most_sessions: u64,
    /// Number of statements by database and user.
    pub logins: BTreeMap<(String, String), u64>,
    /// Number of statements without `--writes` that are sent, replaced by pgq, and not sent.
    pub by_kind: [u64; KINDS.len()],
    pub skipped: BTreeMap<Skip, u64>,
    pub errors: u64,
    pub first: Option<i64>,
    pub last: Option<i64>,
    open: HashSet<u32>,
}

impl PlanSummary {
    pub fn new(plan: &Plan) -> Self {
        Self { skipped: plan.head.without_step.clone(), ..Self::default() }
    }

    pub fn add(&mut self, step: &Step) {
        self.steps += 1;
        if self.open.insert(step.session) {
            self.sessions += 1;
            self.most_sessions = self.most_sessions.max(self.open.len() as u64);
        }
        if step.is_last {
            self.open.remove(&step.session);
        }
        *self.logins.entry((step.database.clone(), step.user.clone())).or_default() += 1;
        match step.skip {
            Some(skip) => *self.skipped.entry(skip).or_default() += 1,
            None => match Command::of(&step.sql) {
                Command::Run | Command::Set(_) => self.by_kind[0] += 1,
                Command::Write | Command::Several => self.by_kind[2] += 1,
                _ => self.by_kind[1] += 1,
            },
        }
        self.errors += u64::from(step.error.is_some());
        self.first = self.first.or(Some(step.start));
        self.last = Some(step.start);
    }

    /// Writes the summary as text.
    pub fn write(&self, writes: bool, out: &mut Vec<u8>) {
        let seconds = self.first.zip(self.last).map_or(0.0, |(first, last)| last.saturating_sub(first) as f64 / 1e6);
        let mut line = |text: String| {
            out.extend_from_slice(text.as_bytes());
            out.push(b'\n');
        };
        let [steps, errors] = [self.steps, self.errors].map(|count| counted(count, "statements"));
        let [all, most] = [self.sessions, self.most_sessions].map(|count| counted(count, "sessions"));
        line(format!("{steps} of {all} in {seconds:.3} s"));
        line(format!("{most} at one time; {errors} failed"));
        for ((database, user), count) in &self.logins {
            line(format!("  {count:>10}  database {database:?}, user {user:?}"));
        }
        for (name, count) in KINDS.iter().zip(self.by_kind).filter(|(_, count)| *count > 0) {
            let sent = if *name == KINDS[2] && !writes { " (not sent without --writes)" } else { "" };
            line(format!("  {count:>10}  {name}{sent}"));
        }
        for (skip, count) in &self.skipped {
            line(format!("  {count:>10}  not sent: {}", skip.describe()));
        }
    }
}

/// Writes a plan to a file, which appears when it is complete. Writes no file for a plan without steps.
///
/// # Errors
/// The file cannot be written.
pub fn write_file(plan: &mut Plan, path: &Path, summary: &mut PlanSummary) -> Result<()> {
    let mut output = Output::open(Some(path))?;
    output.write_all(MAGIC)?;
    let mut writer = zstd::Encoder::new(output, 3)?;
    writer.include_checksum(true)?;
    serde_json::to_writer(&mut writer, &plan.head)?;
    writer.write_all(b"\n")?;
    let mut bytes = Vec::new();
    while let Some(step) = plan.next()? {
        summary.add(&step);
        bytes.clear();
        step.write(&mut bytes);
        writer.write_all(&bytes)?;
    }
    let output = writer.finish()?;
    if summary.steps > 0 { output.complete() } else { Ok(()) }
}
