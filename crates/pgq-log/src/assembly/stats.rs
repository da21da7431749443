//! Counts of read and skipped messages.

use crate::assembly::entry::Entry;
use crate::message::field::Field;
use crate::message::kinds::Severity;
use crate::message::text::is_in_unknown_language;

/// Counts of a log, or of part of a log.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct LogStats {
    /// Bytes read.
    pub bytes: u64,
    /// Lines read.
    pub lines: u64,
    /// Messages with a severity.
    pub messages: u64,
    /// Records that the caller used ([`Self::count_record`]).
    pub records: u64,
    /// Records that the caller used, and whose text the log truncated.
    pub truncated: u64,
    /// Records that the caller used, and that have a duration.
    pub with_duration: u64,
    /// Messages that do not concern a statement.
    pub without_statement: u64,
    /// Temporary files that the server removed (log_temp_files).
    pub temporary_files: u64,
    /// Lock waits (log_lock_waits).
    pub lock_waits: u64,
    /// Errors that report the cancellation of a statement.
    pub cancellations: u64,
    /// Parse and bind messages, unless they are selected as records.
    pub parse_bind: u64,
    /// Total duration in microseconds of the parse and bind messages that took at least 10 ms. They are also counted in
    /// `parse_bind`.
    pub slow_preparation_micros: u64,
    /// Plans of auto_explain.
    pub plans: u64,
    /// Plans that do not count as executions, because the log has durations, or the planned statement.
    pub uncounted_plans: u64,
    /// Plans of statements inside functions. These statements are part of the execution that called the function.
    pub nested_plans: u64,
    /// Fetches of further rows from a portal whose execution was logged earlier.
    pub fetches: u64,
    /// Fast-path calls, which have no SQL.
    pub fastpath: u64,
    /// Statements that were logged before they failed. They do not become records, because they are not executions.
    pub failed: u64,
    /// Errors of parallel workers that do not become records, because the leader logs the same error or ended the
    /// worker.
    pub worker_errors: u64,
    /// Errors of parallel workers that may also be counted as errors of their leaders.
    pub unpaired_workers: u64,
    /// Durations on separate lines whose statement is unknown, because the log does not distinguish sessions.
    pub unassigned_durations: u64,
    /// Unselected errors that have a statement.
    pub unselected_errors: u64,
    /// Durations whose statement is not in the log.
    pub orphan_durations: u64,
    /// Statements that were still running at the end of the log. The log lacks their durations.
    pub still_running: u64,
    /// Lines that match a prefix in two ways, because a name contains text that looks like the end of the prefix and
    /// the start of a message.
    pub ambiguous: u64,
    /// Lines whose message is clear, but whose names can be divided in two ways: `a@b@c` with `%u@%d`.
    pub ambiguous_names: u64,
    /// Number of parts of split lines that start with a tab, if the origin of the tab is unclear. The server writes a
    /// tab after each line break of a message, but a line may also have been split before a tab in its text.
    pub unclear_breaks: u64,
    /// Statements that were counted as failed, but may have succeeded. The error after such a statement may be the
    /// error of a later parse or bind of the same SQL. A stderr log without `%i` or `%v` does not show to which of the
    /// two the error belongs.
    pub unclear_failures: u64,
    /// Plans that count as executions, although they may be part of another execution: plans that precede their
    /// file's first duration, and plans that were logged while another statement of the session may have been running.
    pub unclear_plans: u64,
    /// Plans of statements that are logged only by their plan, in a log with durations. This is a lower bound: the
    /// number of plans minus the number of logged executions.
    pub plans_without_execution: u64,
    /// Statements that became records although their duration or error may follow: the memory limit was reached.
    pub given_up: u64,
    /// Fetches that became records, because the log lacks their execution or the name of their portal.
    pub lost_fetches: u64,
    /// Number of records whose time zone is unknown or ambiguous (CST, IST, PST), but whose time was compared with a
    /// limit in a known zone.
    pub ambiguous_zones: u64,
    /// Number of records that a filter rejected.
    pub rejected: u64,
    /// Number of records that lack a field that a filter needs.
    pub missing_field: u64,
    /// Number of records that have every field (user, database, application) for which the filter has exclusions.
    pub named: u64,
    /// Number of records that lack a field for which the filter has exclusions. These exclusions cannot reject the
    /// records.
    pub unnamed: u64,
    /// Lines, rows or objects that do not match the log's format.
    pub unreadable: u64,
    /// Messages that may be about statements, but whose encoding or language is unknown.
    pub unknown_texts: u64,
    /// Lines with no text.
    pub empty: u64,
    /// Lines of other programs in the same envelope.
    pub foreign: u64,
    /// Continuation lines, and labeled parts of messages.
    pub parts: u64,
    /// Messages that were interrupted by another message.
    pub interrupted: u64,
    /// Messages that were too long to be kept. They were skipped in a csvlog or jsonlog, and cut in stderr logs.
    pub too_long: u64,
}

impl LogStats {
    /// Adds the counts of another part of the log.
    pub fn add(&mut self, other: &Self) {
        let Self {
            bytes,
            lines,
            messages,
            records,
            truncated,
            with_duration,
            without_statement,
            temporary_files,
            lock_waits,
            cancellations,
            parse_bind,
            slow_preparation_micros,
            plans,
            uncounted_plans,
            nested_plans,
            fetches,
            fastpath,
            failed,
            worker_errors,
            unpaired_workers,
            unassigned_durations,
            unselected_errors,
            orphan_durations,
            still_running,
            ambiguous,
            ambiguous_names,
            unclear_breaks,
            unclear_failures,
            unclear_plans,
            plans_without_execution,
            given_up,
            lost_fetches,
            ambiguous_zones,
            rejected,
            missing_field,
            named,
            unnamed,
            unreadable,
            unknown_texts,
            empty,
            foreign,
            parts,
            interrupted,
            too_long,
        } = self;
        for (sum, count) in [
            (bytes, other.bytes),
            (lines, other.lines),
            (messages, other.messages),
            (records, other.records),
            (truncated, other.truncated),
            (with_duration, other.with_duration),
            (without_statement, other.without_statement),
            (temporary_files, other.temporary_files),
            (lock_waits, other.lock_waits),
            (cancellations, other.cancellations),
            (parse_bind, other.parse_bind),
            (slow_preparation_micros, other.slow_preparation_micros),
            (plans, other.plans),
            (uncounted_plans, other.uncounted_plans),
            (nested_plans, other.nested_plans),
            (fetches, other.fetches),
            (fastpath, other.fastpath),
            (failed, other.failed),
            (worker_errors, other.worker_errors),
            (unpaired_workers, other.unpaired_workers),
            (unassigned_durations, other.unassigned_durations),
            (unselected_errors, other.unselected_errors),
            (orphan_durations, other.orphan_durations),
            (still_running, other.still_running),
            (ambiguous, other.ambiguous),
            (ambiguous_names, other.ambiguous_names),
            (unclear_breaks, other.unclear_breaks),
            (unclear_failures, other.unclear_failures),
            (unclear_plans, other.unclear_plans),
            (plans_without_execution, other.plans_without_execution),
            (given_up, other.given_up),
            (lost_fetches, other.lost_fetches),
            (ambiguous_zones, other.ambiguous_zones),
            (rejected, other.rejected),
            (missing_field, other.missing_field),
            (named, other.named),
            (unnamed, other.unnamed),
            (unreadable, other.unreadable),
            (unknown_texts, other.unknown_texts),
            (empty, other.empty),
            (foreign, other.foreign),
            (parts, other.parts),
            (interrupted, other.interrupted),
            (too_long, other.too_long),
        ] {
            *sum += count;
        }
    }

    /// Counts a used record.
    pub fn count_record(&mut self, entry: Entry<'_>) {
        self.records += 1;
        self.truncated += u64::from(entry.is_truncated());
        self.with_duration += u64::from(!entry.get(Field::Duration).is_empty());
    }

    /// Counts a message whose translated severity was transliterated to ASCII. Such a severity does not show the
    /// language, so the message counts as one in an unknown language. Exception: a LOG message whose text is in an
    /// unknown language, too, is not counted here, because it is counted when it is complete.
    pub(crate) fn count_in_ascii(&mut self, severity: Severity, text: &[u8]) {
        let is_counted_later = severity == Severity::Log && is_in_unknown_language(text);
        self.unknown_texts += u64::from(!is_counted_later);
    }

    /// Whether more than 1 % of the lines were not understood. The following count as not understood:
    ///
    /// - lines that match no format;
    /// - messages in an unknown encoding or language;
    /// - messages that another message interrupted, except one: if the log is still being written, its last message may
    ///   be incomplete.
    #[must_use]
    pub fn is_poorly_understood(&self) -> bool {
        (self.unreadable + self.unknown_texts + self.interrupted.saturating_sub(1)) * 100 > self.lines
    }

    /// Describes messages that were lost or may be misread. Returns `None` if all counts are 0.
    #[must_use]
    pub fn losses(&self) -> Option<String> {
        in_words(&[
            (self.unreadable, "lines not understood"),
            (self.unknown_texts, "messages in an unknown encoding or language (see --encoding)"),
            (self.interrupted, "messages interrupted by another"),
            (self.too_long, "messages of more than 64 MB skipped or cut"),
            (self.truncated, "truncated statements"),
            (self.orphan_durations, "durations of statements not logged"),
            (self.unassigned_durations, "durations that the log does not assign to a session"),
            (self.fastpath, "calls by the fast path"),
            (self.ambiguous, "lines that can be read in two ways"),
            (self.ambiguous_names, "lines whose names can be divided in two ways"),
            (self.unclear_breaks, "places where syslog was split, at a tab or a line break"),
            (self.still_running, "statements still running at the end of the log"),
            (self.given_up, "statements whose durations or errors came too late, or not at all"),
            (self.unclear_failures, "errors that may not belong to the statements before them"),
            (self.unclear_plans, "plans that may be part of other executions"),
            (self.plans_without_execution, "plans of statements without a duration, which are not counted"),
            (self.unpaired_workers, "errors of parallel workers that may be counted twice"),
            (
                self.ambiguous_zones,
                "times whose zone is not known (or is CST, IST or PST), which --since and --until may misread: name it \
                 with --timezone",
            ),
            (self.lost_fetches, "fetches that may count as executions"),
        ])
    }

    /// Describes all counts on one line. Every line of the log is counted once: as a message, as a part of a message,
    /// or as a line of another kind.
    #[must_use]
    pub fn summary(&self) -> String {
        let lines = [
            (self.messages, "messages"),
            (self.parts, "further lines of messages"),
            (self.interrupted, "messages interrupted by another"),
            (self.empty, "empty lines"),
            (self.foreign, "lines of other programs"),
            (self.unreadable, "lines not understood"),
        ];
        let noted = [
            (self.plans, "plans of auto_explain"),
            (self.temporary_files, "temporary files"),
            (self.lock_waits, "waits for locks"),
            (self.cancellations, "canceled statements"),
        ];
        let skipped = [
            (self.without_statement, "messages without a statement"),
            (self.parse_bind, "parse and bind messages"),
            (self.unselected_errors, "statements of errors (--errors includes them)"),
            (self.fetches, "fetches of more rows of an execution"),
            (self.fastpath, "calls by the fast path"),
            (self.failed, "statements that failed (logged again with the error)"),
            (self.worker_errors, "errors of parallel workers (logged again by their leaders, or caused by them)"),
            (self.uncounted_plans, "plans of executions (logged by a duration or a statement)"),
            (self.nested_plans, "plans inside of functions"),
            (self.orphan_durations, "durations of statements not logged"),
            (self.unassigned_durations, "durations that the log does not assign to a session"),
            (self.rejected, "records by filters"),
            (self.missing_field, "records without a field that a filter needs"),
        ];
        let Self { bytes, lines: count, records, with_duration, truncated, .. } = self;
        let noted = in_words(&noted).map_or_else(String::new, |noted| format!("; among the messages {noted}"));
        format!(
            "read {}, {}: {}{noted}; made {} ({with_duration} with a duration, {truncated} truncated); skipped {}",
            counted(*bytes, "bytes"),
            counted(*count, "lines"),
            in_words(&lines).unwrap_or_else(|| "no messages".to_string()),
            counted(*records, "records"),
            in_words(&skipped).unwrap_or_else(|| "nothing".to_string())
        )
    }
}

/// Describes the nonzero counts.
fn in_words(counts: &[(u64, &str)]) -> Option<String> {
    let words: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(*count, what)).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Formats a count with a phrase. In the phrase, the first word that ends in `-s` is a plural noun. For the count 1,
/// the function converts that noun to the singular: `1 line not understood`.
///
/// ```
/// use pgq_log::counted;
///
/// assert_eq!([counted(2, "empty lines"), counted(1, "fetches of rows")], ["2 empty lines", "1 fetch of rows"]);
/// ```
#[must_use]
pub fn counted(count: u64, what: &str) -> String {
    let noun = what.split(' ').find(|word| word.ends_with('s')).filter(|_| count == 1).unwrap_or_default();
    let singular = match noun.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => noun.strip_suffix(if noun.ends_with("ches") { "es" } else { "s" }).unwrap_or_default().to_string(),
    };
    format!("{count} {}", what.replacen(noun, &singular, 1))
}
