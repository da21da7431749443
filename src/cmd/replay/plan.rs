//! Plans and summaries of plans. A plan lists the statements to replay. It is built in this run or read from a file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::NOTHING;
use super::sorter::{open_lines, read_line, read_steps};
use super::step::{Skip, Step};
use pgq_log::counted;

use crate::run::report::Output;

/// Prefix of a plan file.
const MAGIC: &[u8] = b"pgq replay plan 6\n";

/// Maximum bytes of the [`PlanHead`], which is the line before the steps.
const MAX_HEAD: usize = 1 << 20;

/// Steps sorted by start.
pub struct Plan {
    pub steps: Box<dyn Iterator<Item = Result<Step>>>,
    pub head: PlanHead,
}

/// Facts about a log as a whole.
#[derive(Default, Serialize, Deserialize)]
pub struct PlanHead {
    /// Number of statements of the log that have no step in the plan, by reason. Includes statements that the log
    /// filters reject.
    pub without_step: BTreeMap<Skip, u64>,
    /// Time of the last statement that the filters select, in microseconds since 1970. If one of these statements
    /// has no time, the value is `i64::MAX`.
    pub end: Option<i64>,
    /// Start of the first statement that the filters select.
    pub first: Option<i64>,
}

impl Plan {
    /// Opens a plan file. Returns `None` if the file is not a plan.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: &Path) -> Result<Option<Self>> {
        let open = || -> Result<Option<Self>> {
            // A pipe is not a plan file. It must not be opened here, because its bytes could not be read again.
            if !std::fs::metadata(path)?.is_file() {
                return Ok(None);
            }
            let mut file = File::open(path)?;
            let mut start = Vec::new();
            (&mut file).take(MAGIC.len() as u64).read_to_end(&mut start)?;
            if start != MAGIC {
                return Ok(None);
            }
            // The checksum is at the end of the file. No step may run before it is verified.
            std::io::copy(&mut open_lines(&file)?, &mut std::io::sink())?;
            file.seek(SeekFrom::Start(MAGIC.len() as u64))?;
            let mut lines = open_lines(file)?;
            let head = read_line(&mut lines, MAX_HEAD)?.context("is damaged")?;
            Ok(Some(Self { steps: Box::new(read_steps(lines)), head }))
        };
        open().with_context(|| path.display().to_string())
    }

    /// Writes the plan to a file. The file appears when all steps are written.
    ///
    /// # Errors
    /// The plan has no steps, or the file cannot be written.
    pub fn write(self, path: &Path) -> Result<()> {
        let mut steps = self.steps.peekable();
        ensure!(steps.peek().is_some(), "{NOTHING}; {} is not written", path.display());
        let mut output = Output::open(Some(path))?;
        output.write_all(MAGIC)?;
        let mut writer = zstd::Encoder::new(output, 3)?;
        writer.include_checksum(true)?;
        serde_json::to_writer(&mut writer, &self.head)?;
        writer.write_all(b"\n")?;
        for step in steps {
            step?.write(&mut writer)?;
        }
        writer.finish()?.complete()
    }
}

/// Summary of a plan.
#[derive(Default)]
pub struct PlanSummary {
    pub steps: u64,
    sessions: u64,
    /// Number of statements by database and user.
    logins: BTreeMap<(String, String), u64>,
    /// Number of statements for each outcome, such as `sent` or `not sent: truncated in the log`.
    kinds: BTreeMap<String, u64>,
    errors: u64,
    context: u64,
    first: Option<i64>,
    /// Latest end of any statement.
    last: i64,
}

impl PlanSummary {
    /// Reads a plan. `writes` is true if `--writes` is given.
    ///
    /// # Errors
    /// The plan cannot be read.
    pub fn new(plan: Plan, writes: bool) -> Result<Self> {
        let kinds = plan.head.without_step.iter().map(|(skip, count)| (format!("not sent: {skip}"), *count)).collect();
        let mut summary = Self { kinds, ..Self::default() };
        for step in plan.steps {
            summary.add(&step?, writes);
        }
        Ok(summary)
    }

    fn add(&mut self, step: &Step, writes: bool) {
        self.sessions += u64::from(step.is_last);
        if step.is_context {
            self.context += 1;
            return;
        }
        self.steps += 1;
        self.last = self.last.max(step.end());
        *self.logins.entry((step.database.clone(), step.user.clone())).or_default() += 1;
        let sent = if writes { "sent" } else { "sent (pgq's own transactions replace those of the log)" };
        let kind = step.reason_to_skip(writes).map_or_else(|| sent.to_string(), |skip| format!("not sent: {skip}"));
        *self.kinds.entry(kind).or_default() += 1;
        self.errors += u64::from(step.error.is_some());
        self.first = self.first.or(Some(step.start));
    }

    /// Writes the summary as text.
    pub fn write(&self, out: &mut Vec<u8>) {
        let seconds = self.first.map_or(0.0, |first| self.last.saturating_sub(first) as f64 / 1e6);
        let mut line = |text: String| out.extend_from_slice(format!("{text}\n").as_bytes());
        let [steps, errors] = [self.steps, self.errors].map(|count| counted(count, "statements"));
        let sessions = counted(self.sessions, "sessions");
        line(format!("{steps} of {sessions} in {seconds:.3} s; {errors} failed"));
        for ((database, user), count) in &self.logins {
            line(format!("  {count:>10}  database {database:?}, user {user:?}"));
        }
        for (kind, count) in &self.kinds {
            line(format!("  {count:>10}  {kind}"));
        }
        if self.context > 0 {
            let context = counted(self.context, "statements");
            line(format!("and {context} of their sessions' settings and transactions, which the filters reject"));
        }
    }
}
