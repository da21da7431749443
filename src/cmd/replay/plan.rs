//! Plans: made in this run, or in files. What is in one is summarized without a server.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::builder::BuiltPlan;
use super::command::Command;
use super::sorter::StepReader;
use super::step::{Skip, Step};
use super::target::Origin;
use crate::run::report::Output;

/// How a file with a plan begins.
const MAGIC: &[u8] = b"pgq replay plan 3\n";

/// Steps in the order of their starts.
pub struct Plan {
    steps: Steps,
    pub head: PlanHead,
}

/// What is known of a log as a whole.
#[derive(Default, Serialize, Deserialize)]
pub struct PlanHead {
    /// What of the log has no statement, of all users and databases.
    pub without_step: BTreeMap<Skip, u64>,
    /// The server that wrote the log.
    pub origin: Origin,
}

enum Steps {
    Built(BuiltPlan),
    File(StepReader),
}

impl Plan {
    /// The next step.
    ///
    /// # Errors
    /// A file cannot be read, or is damaged.
    pub fn next(&mut self) -> Result<Option<Step>> {
        match &mut self.steps {
            Steps::Built(plan) => plan.next(),
            Steps::File(reader) => reader.next(),
        }
    }

    /// The plan of logs.
    pub fn built(mut plan: BuiltPlan, origin: Origin) -> Self {
        let without_step = std::mem::take(&mut plan.without_step);
        let origin = Origin { ends: plan.ends, ..origin };
        Self { steps: Steps::Built(plan), head: PlanHead { without_step, origin } }
    }

    /// Opens a file with a plan; `None` if it is something else.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn open(path: &Path) -> Result<Option<Self>> {
        let open = || -> Result<Option<Self>> {
            let mut file = File::open(path)?;
            // A pipe would lose what is read of it here.
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

/// What a run without --writes does with statements.
const KINDS: [&str; 3] = [
    "reading",
    "of transactions, or settings of encodings (pgq sends its own)",
    "writing, unknown, or several in one text",
];

/// What a plan holds.
#[derive(Default)]
pub struct PlanSummary {
    pub steps: u64,
    pub sessions: u64,
    /// The most sessions at one time.
    pub most_sessions: u64,
    /// By database and user.
    pub logins: BTreeMap<(String, String), u64>,
    /// Statements that are sent without --writes, those that pgq replaces by its own, and others.
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

    /// Writes it for people.
    pub fn write(&self, writes: bool, out: &mut Vec<u8>) {
        let seconds = self.first.zip(self.last).map_or(0.0, |(first, last)| last.saturating_sub(first) as f64 / 1e6);
        let mut line = |text: String| {
            out.extend_from_slice(text.as_bytes());
            out.push(b'\n');
        };
        line(format!("{} statements of {} sessions in {seconds:.3} s", self.steps, self.sessions));
        line(format!("{} sessions at one time; {} statements failed", self.most_sessions, self.errors));
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

/// Writes a plan to a file, which appears when it is complete. One without a step is not written.
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
