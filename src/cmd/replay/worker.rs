//! Converts log entries to the steps of a replay. A step is a statement to execute.

use std::ops::ControlFlow;
use std::sync::Arc;

use pgq::ErrorKind;
use pgq::secrets::mask_for_fingerprint;
use pgq_lexer::{first_word, highest_parameter};
use pgq_log::{Clock, Entry, Field, RecordFilter, Verdict, duration_micros, parameter_values, prepared_names};
use xxhash_rust::xxh3::xxh3_128;

use super::command::Command;
use super::step::{Skip, Step};
use crate::run::input::{Data, EscapeStrings};
use crate::run::report::exit_out_of_memory;
use crate::run::statements::{ChunkOutput, ChunkReport, CountedFingerprints, Job, RunOptions, StatementSql};

/// Maximum number of microseconds by which the local time of a zone is behind UTC.
const HALF_A_DAY: i64 = 12 * 3600 * 1_000_000;

/// First words of frequent statements. No later statement of a session depends on these statements, unless they call
/// `set_config`.
const NO_CONTEXT: [&[u8]; 5] = [b"select", b"insert", b"update", b"delete", b"with"];

/// A statement to replay whose session has no number yet.
pub struct Draft {
    /// Hash that identifies the session.
    pub session: u128,
    /// Log time of the entry. If the time zone is unknown, this is the latest possible time. If the log has no time,
    /// this is `None`, and `step.start` is 0.
    pub latest: Option<i64>,
    /// Whether the message is about parsing or binding the statement.
    pub is_unexecuted: bool,
    pub step: Step,
}

/// Drafts from one chunk of a log.
#[derive(Default)]
pub struct Drafts {
    pub list: Vec<Draft>,
    pub bytes: usize,
    /// Number of entries that contain neither a session ID nor a process ID.
    pub without_session: u64,
}

impl ChunkOutput for Drafts {
    fn memory_size(&self) -> usize {
        self.bytes
    }
}

/// Converts log entries to [`Draft`]s.
pub struct PlanWorker {
    options: RunOptions,
    /// In the sessions that this filter selects, statements that change settings or control transactions are always
    /// kept, even if `options.filter` rejects them.
    sessions: Option<Arc<RecordFilter>>,
    clock: Clock,
    fingerprints: CountedFingerprints,
    drafts: Drafts,
}

impl PlanWorker {
    /// Creates a worker. In the sessions that the filter `sessions` selects, statements that change settings or control
    /// transactions are always kept, even if the filter in `options` rejects them.
    pub fn new(options: &RunOptions, sessions: Option<Arc<RecordFilter>>) -> Self {
        Self {
            options: options.clone(),
            sessions,
            clock: Clock::default(),
            fingerprints: CountedFingerprints::new(options),
            drafts: Drafts::default(),
        }
    }

    /// Adds the statement of a log entry as a [`Draft`]. `is_context` is the value of [`Step::is_context`]. `skip` is a
    /// known reason not to send the statement, if any.
    fn add(&mut self, entry: Entry<'_>, is_context: bool, skip: Option<Skip>) {
        let text = |field| String::from_utf8_lossy(entry.get(field)).into_owned();
        let (statement, portal) = prepared_names(entry.get(Field::Heading)).unzip();
        let as_text = |sql| std::str::from_utf8(sql).ok().filter(|sql| !sql.contains('\0'));
        // For an EXECUTE, `entry.sql()` is the SQL of the prepared statement. The replay needs the EXECUTE itself,
        // because it contains the parameters.
        let written = as_text(entry.get(Field::Statement));
        let execute = written.filter(|sql| matches!(Command::of(sql), Command::Execute(_)));
        let query = as_text(entry.sql());
        let sql = execute.or(written.and(query));
        let params = parameter_values(entry.get(Field::Params)).unwrap_or_default().into_iter();
        let params = params.map(|value| value.map(String::from_utf8).transpose()).collect::<Result<Vec<_>, _>>();
        let is_text = sql.is_some() && params.is_ok() && !statement.is_some_and(|name| name.contains('\0'));
        let params = params.unwrap_or_default();
        let is_error = entry.severity().is_error();
        // A PREPARE or CREATE FUNCTION needs no parameter values, because a `$1` in it is a parameter of the prepared
        // statement or function.
        let is_function = matches!(entry.get(Field::CommandTag), b"CREATE FUNCTION" | b"CREATE PROCEDURE");
        let is_prepare = |sql: &&str| first_word(sql.as_bytes()).eq_ignore_ascii_case(b"prepare");
        let has_values = sql.filter(|sql| !is_function && !is_prepare(sql));
        let needed = has_values.map_or(0, |sql| highest_parameter(sql.as_bytes()) as usize);
        // Two kinds of messages do not show whether the client used the extended protocol: messages about a failed
        // statement, and messages with a plan. For these messages, the extended protocol is assumed if the statement
        // has parameters.
        let is_known = !is_error && !entry.get(Field::Heading).is_empty();
        let extended = statement.is_some() || !params.is_empty() || (!is_known && needed > 0);
        let fingerprint = query.and_then(|sql| self.fingerprint(sql));
        let has_prepare = |sql: &str| sql.to_ascii_lowercase().contains("prepare");
        let skip = skip.or(if !matches!(entry.get(Field::BackendType), b"" | b"client backend") {
            Some(Skip::NotOfClient)
        } else if entry.is_truncated() {
            Some(Skip::Truncated)
        } else if !is_text {
            Some(Skip::NotText)
        } else if sql.is_some_and(|sql| sql.len() > self.options.max_statement_bytes) {
            Some(Skip::TooLong)
        } else if statement.is_some_and(|name| name.starts_with("fetch from "))
            || portal.zip(sql).is_some_and(|(portal, sql)| !portal.is_empty() && Command::declares(sql, portal))
        {
            Some(Skip::Fetch)
        } else if extended && (params.len() < needed || params.iter().flatten().any(|param| param.ends_with("..."))) {
            Some(Skip::Parameters)
        } else if entry.get(Field::SqlState) == b"42P05" && !query.is_some_and(has_prepare) {
            Some(Skip::NameTaken)
        } else {
            None
        });
        let time = self.clock.parse(entry.get(Field::Time));
        let id = entry.get(Field::Session);
        self.drafts.without_session += u64::from(id.is_empty() && entry.pid() == 0);
        let process = if id.is_empty() { entry.pid() } else { 0 };
        // Sessions of two servers can have the same ID. Therefore the key also contains the user, the database and the
        // host.
        let names = [id, entry.get(Field::User), entry.get(Field::Database), entry.get(Field::RemoteHost)];
        let session = xxh3_128(&[&process.to_le_bytes()[..], &names.join(&0)].concat());
        let latest = time.map(|time| time.utc_micros().unwrap_or(time.unix_micros() + HALF_A_DAY));
        let duration = duration_micros(entry.get(Field::Duration));
        let step = Step {
            // If there is a duration, the server wrote the message when the statement ended, so the statement started
            // earlier.
            start: time.map_or(0, |time| time.unix_micros().saturating_sub_unsigned(duration.unwrap_or(0))),
            skip,
            is_context,
            fingerprint,
            duration,
            error: is_error.then(|| text(Field::SqlState)),
            user: text(Field::User),
            database: text(Field::Database),
            application: text(Field::Application),
            statement: extended.then(|| statement.unwrap_or_default().to_string()),
            sql: sql.unwrap_or_default().to_string(),
            prepared: execute.and(query.map(String::from)),
            params: if extended { params } else { Vec::new() },
            ..Step::default()
        };
        let is_unexecuted = matches!(entry.get(Field::CommandTag), b"PARSE" | b"BIND");
        self.drafts.bytes += size_of::<Draft>() + step.sql.len() + step.params.len() * 32;
        self.drafts.list.push(Draft { session, latest, is_unexecuted, step });
    }

    /// Returns the fingerprint of SQL, or `None` if it does not parse.
    fn fingerprint(&mut self, sql: &str) -> Option<u64> {
        let masked = mask_for_fingerprint(sql.as_bytes());
        let masked = masked.as_deref().map(|sql| StatementSql::new(sql, None));
        match self.fingerprints.of_statement(&StatementSql::new(sql.as_bytes(), None), masked.as_ref()) {
            Err(error) if error.kind == ErrorKind::OutOfMemory => exit_out_of_memory(),
            found => found.ok(),
        }
    }
}

/// Whether later statements of the session depend on a statement. To save time, parses the statements of
/// [`NO_CONTEXT`] only if they contain `set_config`, or a name with Unicode escapes (`U&"set\005fconfig"`).
fn is_context(sql: &[u8]) -> bool {
    let word = first_word(sql).to_ascii_lowercase();
    let mut names = memchr::memchr_iter(b'_', sql).filter_map(|at| sql.get(at.wrapping_sub(3)..at + 7));
    let is_meant = |name: &[u8]| name.eq_ignore_ascii_case(b"set_config");
    let mut may_call = || names.any(is_meant) || memchr::memmem::find(sql, b"&\"").is_some();
    let text = String::from_utf8_lossy(sql);
    (!NO_CONTEXT.contains(&&*word) || may_call()) && Command::of(&text).is_context(&text)
}

impl Job for PlanWorker {
    type Output = Drafts;

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> Drafts {
        let _ = data.try_for_each_batch(file, EscapeStrings::AsWritten, |batch| {
            let Some(entry) = batch.log else { return ControlFlow::Continue(()) };
            if self.options.filter.selects(entry, &mut report.log) {
                self.add(entry, false, None);
            } else if self.sessions.as_ref().is_some_and(|filter| filter.verdict(entry) == Verdict::Selected) {
                let skip = (!is_context(entry.sql())).then_some(Skip::Rejected);
                // Adds a failed statement even if the filters reject it, because its error may have aborted a
                // transaction block.
                if skip.is_none() || entry.severity().is_error() {
                    self.add(entry, true, skip);
                }
            }
            ControlFlow::Continue(())
        });
        report.caches = self.fingerprints.take_stats();
        std::mem::take(&mut self.drafts)
    }
}
