//! A job of `pgq digest`: computes the fingerprint of each statement, and adds the statement to its group in the
//! digest.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

use pgq::secrets::{MASK, mask_for_fingerprint, mask_message, mask_values};
use pgq::{Error, ErrorKind, PlaceholderStyle};
use pgq_digest::{AHEAD, Digest, Execution, GroupKey, LogMessage, Severity, StatementEvent};
use pgq_log::{Clock, Entry, Event, Field, Records, duration_micros, without_position};

use jiff::tz::TimeZone;

use super::redact::masked_secret_message;
use super::shared::SharedDigests;
use super::tags::tags;
use crate::cmd::zone::{ZoneCounts, Zones};
use crate::run::input::{Data, EscapeStrings, StatementBatch};
use crate::run::report::exit_out_of_memory;
use crate::run::statements::{ChunkReport, CountedFingerprints, Job, RunOptions, StatementSql};

/// Adds statements to a digest.
pub struct DigestWorker {
    shared: Arc<SharedDigests>,
    /// Index of the job.
    job: usize,
    adder: Adder,
}

/// Converts statements to [`Execution`]s, and adds them to a digest.
struct Adder {
    options: RunOptions,
    fingerprints: CountedFingerprints,
    clock: Clock,
    zones: Zones,
    shows_secrets: bool,
}

impl DigestWorker {
    /// `timezone` applies to the log's times that have no zone.
    pub fn new(
        options: &RunOptions,
        timezone: Option<TimeZone>,
        shows_secrets: bool,
        shared: Arc<SharedDigests>,
        job: usize,
    ) -> Self {
        let adder = Adder {
            options: options.clone(),
            fingerprints: CountedFingerprints::new(options),
            clock: Clock::default(),
            zones: Zones::new(timezone),
            shows_secrets,
        };
        Self { shared, job, adder }
    }

    /// Returns how many records have a time in an uncertain zone.
    pub fn zone_counts(&self) -> ZoneCounts {
        self.adder.zones.counts
    }
}

impl Adder {
    /// Returns the log time of an entry in microseconds since 1970. An unknown zone counts as UTC.
    fn time(&mut self, entry: Entry<'_>) -> Option<i64> {
        let stamp = self.clock.parse(entry.get(Field::Time));
        let [micros, _] = self.zones.utc(entry, stamp, None);
        micros.or_else(|| Some(stamp?.unix_micros()))
    }

    fn add(&mut self, digest: &mut Digest, batch: &StatementBatch<'_>) {
        let style = self.options.placeholders_of(batch);
        for index in 0..batch.len() {
            let sql = &batch.bytes[batch.range(index)];
            self.with_key(sql, style, None, Execution::default(), |key, execution| digest.add(key, execution));
        }
    }

    /// Adds the statements of log entries that the filter selects.
    fn add_log(&mut self, digest: &mut Digest, records: &Records, report: &mut ChunkReport) {
        let mut all = records.iter();
        let mut entries = Vec::with_capacity(AHEAD);
        loop {
            let filter = &self.options.filter;
            let selected = all.by_ref().filter(|entry| filter.selects(*entry, &mut report.log));
            entries.extend(selected.take(AHEAD).map(|entry| (entry, None)));
            if entries.is_empty() {
                return;
            }
            for (entry, fingerprint) in &mut entries {
                *fingerprint = self.fingerprint_as_logged(*entry);
            }
            digest.load(entries.iter().filter_map(|(_, fingerprint)| fingerprint.as_ref()?.as_ref().ok().copied()));
            for (entry, fingerprint) in entries.drain(..) {
                self.add_log_entry(digest, entry, fingerprint);
            }
        }
    }

    /// Returns the fingerprint of the statement of an execution. Returns `None` for other entries, and if the statement
    /// is truncated, too long, or not parsed exactly as logged. For example, a statement with a password is masked
    /// first.
    fn fingerprint_as_logged(&mut self, entry: Entry<'_>) -> Option<Result<u64, Error>> {
        let sql = entry.sql();
        let is_as_logged =
            self.options.placeholders.is_none() && !entry.is_truncated() && mask_for_fingerprint(sql).is_none();
        let is_short = !sql.is_empty() && sql.len() <= self.options.max_statement_bytes;
        (is_as_logged && is_short && entry.event().is_none()).then(|| self.fingerprints.of_sql(sql))
    }

    /// Adds the statement of a log entry. `known` is the statement's fingerprint, if known.
    fn add_log_entry(&mut self, digest: &mut Digest, entry: Entry<'_>, known: Option<Result<u64, Error>>) {
        let time = entry.get(Field::Time);
        let is_execution = entry.event().is_none();
        let severity = severity(entry);
        let text = entry.get(Field::Message);
        let mut message = LogMessage {
            severity,
            sqlstate: entry.get(Field::SqlState),
            // Removes the position (`at character 8`) from the message. This is not necessary for the message of a
            // successful execution, because the digest ignores such a message.
            message: if is_execution && !severity.is_error() { text } else { without_position(text) },
            detail: entry.get(Field::Detail),
            hint: entry.get(Field::Hint),
            context: entry.get(Field::Context),
        };
        let may_be_masked = !self.shows_secrets && (!is_execution || severity.is_error()) && severity != Severity::Wait;
        let masked = may_be_masked.then(|| masked_secret_message(entry.sql(), message.message, entry.is_truncated()));
        if let Some(Cow::Owned(masked)) = &masked {
            message.message = masked;
            for part in [&mut message.detail, &mut message.hint, &mut message.context] {
                *part = if part.is_empty() { b"" } else { MASK.as_bytes() };
            }
        }
        let execution = Execution {
            sql: &[],
            params: entry.get(Field::Params),
            duration: duration_micros(entry.get(Field::Duration)),
            time: self.time(entry).map(|micros| (micros, time)),
            user: entry.get(Field::User),
            database: entry.get(Field::Database),
            application: entry.get(Field::Application),
            host: entry.get(Field::RemoteHost),
            error: message.severity.is_error().then_some(&message),
            tags: &[],
            is_canceled: entry.is_canceled(),
        };
        let is_message = matches!(
            entry.event(),
            Some(Event::Message | Event::LockWait { .. } | Event::ServerKilled | Event::ServerStarted)
        );
        // With `--min-duration`, the filter rejects the message about the start of a lock wait, so lock waits are not
        // counted. In this case, a failed lock wait is not counted either. Otherwise, the digest would contain more
        // failed lock waits than lock waits.
        let failed_wait = entry.failed_lock_wait().filter(|_| self.options.filter.min_duration.is_none());
        let failed_wait = failed_wait.map(|waited| StatementEvent::LockFailed { waited });
        let event = entry.event().and_then(statement_event).or(failed_wait);
        if !is_execution && entry.sql().is_empty() {
            event.iter().for_each(|event| digest.stray_events.add(event, None, None));
            match (is_message, message.severity.is_error()) {
                (true, true) => digest.add_error(&execution),
                (true, false) => digest.add_message(&message, &execution, None),
                (false, _) => {}
            }
            return;
        }
        let plan = entry.get(Field::Plan);
        let is_hidden = entry.is_truncated() && !self.shows_secrets;
        let plan = (!plan.is_empty()).then(|| if is_hidden { MASK.into() } else { String::from_utf8_lossy(plan) });
        let events = [event, plan.as_ref().map(|text| StatementEvent::Plan { text })];
        let mut add = |key: &GroupKey<'_>, execution: &Execution<'_>| {
            if is_execution {
                digest.add(key, execution);
            } else if is_message {
                digest.add_message(&message, execution, if let GroupKey::Query(it) = key { Some(*it) } else { None });
            }
            events.iter().flatten().for_each(|event| digest.add_event(key, event, execution));
        };
        if entry.is_truncated() {
            let sql = String::from_utf8_lossy(entry.sql());
            if self.shows_secrets {
                return add(&GroupKey::Truncated, &Execution { sql: sql.as_bytes(), ..execution });
            }
            // Mask all values. The log has cut the statement, and any value may be a secret: the word that shows this,
            // such as `password`, may be in the missing part.
            let sql = mask_values(&sql);
            return add(&GroupKey::Truncated, &Execution { sql: sql.as_bytes(), params: &[], ..execution });
        }
        self.with_key(entry.sql(), self.options.placeholders, known, execution, add);
    }

    /// Calls `add` with the key of a statement's group and with the execution of the statement. `known` is the
    /// fingerprint of the statement, if known.
    fn with_key(
        &mut self,
        original: &[u8],
        style: Option<PlaceholderStyle>,
        known: Option<Result<u64, Error>>,
        execution: Execution<'_>,
        mut add: impl FnMut(&GroupKey<'_>, &Execution<'_>),
    ) {
        // Two statements that differ only in passwords are one query. The fingerprints of some statements depend on
        // passwords, so passwords are masked first.
        let masked = if known.is_none() { mask_for_fingerprint(original) } else { None };
        let logged = StatementSql::new(original, style);
        let masked = masked.as_deref().map(|sql| StatementSql::new(sql, style));
        let fingerprint = known.unwrap_or_else(|| self.fingerprints.of_statement(&logged, masked.as_ref()));
        let statement = masked.as_ref().unwrap_or(&logged);
        match fingerprint {
            Ok(fingerprint) => {
                let sql = if self.shows_secrets && masked.is_some() { original } else { statement.bytes() };
                let tags = tags(sql);
                add(&GroupKey::Query(fingerprint), &Execution { sql, tags: &tags, ..execution });
            }
            Err(error) if error.kind == ErrorKind::OutOfMemory => exit_out_of_memory(),
            Err(error) => {
                let sql = String::from_utf8_lossy(if self.shows_secrets { original } else { statement.bytes() });
                let reason = if self.shows_secrets {
                    error.message.as_str().into()
                } else {
                    mask_message(&String::from_utf8_lossy(original), &error.message)
                };
                let tags = tags(sql.as_bytes());
                add(&GroupKey::Unparsed(&reason), &Execution { sql: sql.as_bytes(), tags: &tags, ..execution });
            }
        }
    }
}

/// Returns the event that the digest counts for the statement, such as a temporary file. Returns `None` for a message
/// without such an event. Also returns `None` for a plan, because the caller creates its event from the plan's text.
fn statement_event(event: Event) -> Option<StatementEvent<'static>> {
    match event {
        Event::TemporaryFile { bytes } => Some(StatementEvent::TemporaryFile { bytes }),
        Event::LockWait { .. } => Some(StatementEvent::LockWait),
        Event::LockAcquired { waited } => Some(StatementEvent::LockAcquired { waited }),
        Event::Plan | Event::Message | Event::ServerKilled | Event::ServerStarted => None,
    }
}

impl Job for DigestWorker {
    type Output = ();

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) {
        self.shared.with_job(self.job, |digest| {
            if let Data::Log(records) = data {
                return self.adder.add_log(digest, records, report);
            }
            let escapes = EscapeStrings::Rewritten { initial: false };
            let _ = data.try_for_each_batch(file, escapes, |batch| {
                self.adder.add(digest, batch);
                ControlFlow::Continue(())
            });
        });
        report.caches = self.adder.fingerprints.take_stats();
    }
}

/// Returns the severity under which a message is counted.
fn severity(entry: Entry<'_>) -> Severity {
    match (entry.severity(), entry.event()) {
        (pgq_log::Severity::Panic, _) => Severity::Panic,
        (pgq_log::Severity::Fatal, _) => Severity::Fatal,
        (pgq_log::Severity::Error, _) => Severity::Error,
        (_, Some(Event::ServerKilled | Event::ServerStarted)) => Severity::Server,
        (_, Some(Event::LockWait { .. })) => Severity::Wait,
        _ => Severity::Warning,
    }
}
