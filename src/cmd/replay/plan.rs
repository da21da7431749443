//! Plans: made in this run, or in files. What is in one is summarized without a server.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result};

use super::builder::BuiltPlan;
use super::class::Class;
use super::sorter::StepReader;
use super::step::{Skip, Step};
use crate::run::report::Output;

/// How a file with a plan begins.
const MAGIC: &[u8] = b"pgq replay plan 2\n";

/// Steps in the order of their starts.
pub struct Plan {
    steps: Steps,
    /// What of the log has no statement, of all users and databases.
    pub without_step: BTreeMap<Skip, u64>,
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

    /// The plan of a log.
    pub fn built(mut plan: BuiltPlan) -> Self {
        let without_step = std::mem::take(&mut plan.without_step);
        Self { steps: Steps::Built(plan), without_step }
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
            let mut without_step = BTreeMap::new();
            for skip in Skip::ALL {
                let mut count = [0; 8];
                reader.read_exact(&mut count)?;
                if count != [0; 8] {
                    without_step.insert(skip, u64::from_le_bytes(count));
                }
            }
            Ok(Some(Self { steps: Steps::File(reader), without_step }))
        };
        open().with_context(|| path.display().to_string())
    }
}

/// What a plan holds.
#[derive(Default)]
pub struct PlanSummary {
    pub steps: u64,
    pub sessions: u64,
    /// The most sessions at one time.
    pub most_sessions: u64,
    /// By database and user.
    pub logins: BTreeMap<(String, String), u64>,
    pub by_class: [u64; Class::ALL.len()],
    pub skipped: BTreeMap<Skip, u64>,
    pub errors: u64,
    pub first: Option<i64>,
    pub last: Option<i64>,
    open: HashSet<u32>,
}

impl PlanSummary {
    pub fn new(plan: &Plan) -> Self {
        Self { skipped: plan.without_step.clone(), ..Self::default() }
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
            None => self.by_class[step.class as usize] += 1,
        }
        self.errors += u64::from(step.error.is_some());
        self.first = self.first.or(Some(step.start));
        self.last = Some(step.start);
    }

    /// Writes it for people.
    pub fn write(&self, writes: bool, out: &mut Vec<u8>) {
        let seconds = self.first.zip(self.last).map_or(0.0, |(first, last)| (last - first) as f64 / 1e6);
        let mut line = |text: String| {
            out.extend_from_slice(text.as_bytes());
            out.push(b'\n');
        };
        line(format!("{} statements of {} sessions in {seconds:.3} s", self.steps, self.sessions));
        line(format!("{} sessions at one time; {} statements failed", self.most_sessions, self.errors));
        for ((database, user), count) in &self.logins {
            line(format!("  {count:>10}  database {database:?}, user {user:?}"));
        }
        let names = ["reading", "of the session", "of transactions", "writing, or not to be told"];
        for (name, count) in names.iter().zip(self.by_class).filter(|(_, count)| *count > 0) {
            let sent = if *name == names[3] && !writes { " (not sent without --writes)" } else { "" };
            line(format!("  {count:>10}  {name}{sent}"));
        }
        for (skip, count) in &self.skipped {
            line(format!("  {count:>10}  not sent: {}", skip.describe()));
        }
    }
}

/// Writes a plan to a file, which appears when it is complete.
///
/// # Errors
/// The file cannot be written.
pub fn write_file(plan: &mut Plan, path: &Path, summary: &mut PlanSummary) -> Result<()> {
    let mut output = Output::open(Some(path))?;
    output.write_all(MAGIC)?;
    let mut writer = zstd::Encoder::new(output, 3)?;
    for skip in Skip::ALL {
        writer.write_all(&plan.without_step.get(&skip).copied().unwrap_or(0).to_le_bytes())?;
    }
    let mut bytes = Vec::new();
    while let Some(step) = plan.next()? {
        summary.add(&step);
        bytes.clear();
        step.write(&mut bytes);
        writer.write_all(&bytes)?;
    }
    writer.finish()?.complete()
}
