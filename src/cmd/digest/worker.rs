//! A job of `pgq digest`: adds statements to a digest by their fingerprints.

use std::ops::ControlFlow;
use std::sync::Arc;

use pgq::{Error, ErrorKind, FingerprintOptions, PlaceholderStyle};
use pgq_digest::{Digest, Execution, GroupKey, StatementEvent};
use pgq_log::{Clock, Entry, Event, Field, duration_micros, without_position};

use super::shared::SharedDigests;
use super::tags::tags;
use crate::run::input::{Data, StatementBatch};
use crate::run::report::exit_out_of_memory;
use crate::run::statements::{ChunkReport, FingerprintCache, Job, RunOptions, StatementSql};

/// Adds statements to a digest.
pub struct DigestWorker {
    shared: Arc<SharedDigests>,
    /// The number of the job.
    job: usize,
    adder: Adder,
}

/// What a job needs to add statements.
struct Adder {
    options: RunOptions,
    fingerprints: FingerprintCache,
    clock: Clock,
}

impl DigestWorker {
    pub fn new(options: &RunOptions, shared: Arc<SharedDigests>, job: usize) -> Self {
        let adder = Adder {
            options: options.clone(),
            fingerprints: FingerprintCache::new(options, of_bodies()),
            clock: Clock::default(),
        };
        Self { shared, job, adder }
    }
}

impl Adder {
    fn add(&mut self, digest: &mut Digest, batch: &StatementBatch<'_>, report: &mut ChunkReport) {
        match batch.log {
            Some(entry) => self.add_log_entry(digest, entry, report),
            None => {
                let style = self.options.placeholders_of(batch);
                for index in 0..batch.len() {
                    self.with_key(&batch.bytes[batch.range(index)], style, Execution::default(), |key, execution| {
                        digest.add(key, execution);
                    });
                }
            }
        }
    }

    /// Adds the statement of a log's entry, unless it is filtered out.
    fn add_log_entry(&mut self, digest: &mut Digest, entry: Entry<'_>, report: &mut ChunkReport) {
        if !self.options.filter.selects(entry, &mut report.log) {
            return;
        }
        let time = entry.get(Field::Time);
        let execution = Execution {
            sql: &[],
            params: entry.get(Field::Params),
            duration: duration_micros(entry.get(Field::Duration)),
            time: self.clock.parse(time).map(|stamp| (stamp.unix_micros(), time)),
            user: entry.get(Field::User),
            database: entry.get(Field::Database),
            application: entry.get(Field::Application),
            host: entry.get(Field::RemoteHost),
            error: entry.severity().is_error().then(|| without_position(entry.get(Field::Message))),
            sqlstate: entry.get(Field::SqlState),
            tags: &[],
            is_canceled: entry.is_canceled(),
        };
        let is_execution = entry.event().is_none();
        let event = entry.event().and_then(statement_event);
        if !is_execution && entry.sql().is_empty() {
            event.iter().for_each(|event| digest.stray_events.add(event, None, None));
            return;
        }
        let plan = entry.get(Field::Plan);
        let plan = (!plan.is_empty()).then(|| String::from_utf8_lossy(plan));
        let events = [event, plan.as_ref().map(|text| StatementEvent::Plan { text })];
        let mut add = |key: &GroupKey<'_>, execution: &Execution<'_>| {
            if is_execution {
                digest.add(key, execution);
            }
            events.iter().flatten().for_each(|event| digest.add_event(key, event, execution));
        };
        if entry.is_truncated() {
            let sql = String::from_utf8_lossy(entry.sql());
            return add(&GroupKey::Truncated, &Execution { sql: sql.as_bytes(), ..execution });
        }
        self.with_key(entry.sql(), self.options.placeholders, execution, add);
    }

    /// Passes the group of a statement, and the execution with its SQL.
    fn with_key(
        &mut self,
        original: &[u8],
        style: Option<PlaceholderStyle>,
        execution: Execution<'_>,
        mut add: impl FnMut(&GroupKey<'_>, &Execution<'_>),
    ) {
        let statement = StatementSql::new(original, style);
        match statement.parse(self.options.max_statement_bytes, |sql| self.fingerprint(sql)) {
            Ok(fingerprint) => {
                let sql = statement.bytes();
                let tags = tags(sql);
                add(&GroupKey::Query(fingerprint), &Execution { sql, tags: &tags, ..execution });
            }
            Err(error) if error.kind == ErrorKind::OutOfMemory => exit_out_of_memory(),
            Err(error) => {
                let sql = String::from_utf8_lossy(statement.bytes());
                add(&GroupKey::Unparsed(&error.message), &Execution { sql: sql.as_bytes(), ..execution });
            }
        }
    }

    /// The fingerprint of a text.
    fn fingerprint(&mut self, text: &[u8]) -> Result<u64, Error> {
        match self.fingerprints.look_up(text) {
            Ok(fingerprint) => Ok(fingerprint),
            Err(keys) => Ok(self.fingerprints.parse(pgq::check_utf8(text)?, Some(keys))?.0),
        }
    }
}

/// DO blocks and functions differ by their bodies.
fn of_bodies() -> FingerprintOptions {
    let mut options = FingerprintOptions::default();
    options.function_bodies = true;
    options
}

/// What a message says of a statement; `None` for a plan, which is a field of its own.
fn statement_event(event: Event) -> Option<StatementEvent<'static>> {
    match event {
        Event::TemporaryFile { bytes } => Some(StatementEvent::TemporaryFile { bytes }),
        Event::LockWait => Some(StatementEvent::LockWait),
        Event::LockAcquired { waited } => Some(StatementEvent::LockAcquired { waited }),
        Event::Plan => None,
    }
}

impl Job for DigestWorker {
    type Output = ();

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) {
        self.shared.with_job(self.job, |digest| {
            let _ = data.try_for_each_batch(file, |batch| {
                self.adder.add(digest, batch, report);
                ControlFlow::Continue(())
            });
        });
        report.caches = self.adder.fingerprints.take_stats();
    }
}
