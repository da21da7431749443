//! What was read from a log, what was made of it and what was left out, counted.

use crate::entry::{Entry, Part};

/// Counts of one file.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Stats {
    pub bytes: u64,
    pub lines: u64,
    /// Messages with a severity.
    pub messages: u64,
    /// Records handed on.
    pub records: u64,
    /// Of those, with an end missing.
    pub truncated: u64,
    /// Of those, with a duration.
    pub timed: u64,
    /// Messages that say nothing of a statement.
    pub other: u64,
    pub parse_bind: u64,
    pub plans: u64,
    /// Errors with a statement, not asked for.
    pub errors: u64,
    /// Durations of statements that the log does not hold.
    pub durations: u64,
    pub filtered: u64,
    /// Records that lack what a filter asks for.
    pub unknown: u64,
    /// Lines, rows or objects that are none of the format.
    pub unreadable: u64,
    /// Messages whose end was lost to a new one.
    pub cut: u64,
}

impl Stats {
    /// Adds the counts of a further part.
    pub fn add(&mut self, more: &Self) {
        let Self {
            bytes,
            lines,
            messages,
            records,
            truncated,
            timed,
            other,
            parse_bind,
            plans,
            errors,
            durations,
            filtered,
            unknown,
            unreadable,
            cut,
        } = self;
        for (sum, count) in [
            (bytes, more.bytes),
            (lines, more.lines),
            (messages, more.messages),
            (records, more.records),
            (truncated, more.truncated),
            (timed, more.timed),
            (other, more.other),
            (parse_bind, more.parse_bind),
            (plans, more.plans),
            (errors, more.errors),
            (durations, more.durations),
            (filtered, more.filtered),
            (unknown, more.unknown),
            (unreadable, more.unreadable),
            (cut, more.cut),
        ] {
            *sum += count;
        }
    }

    /// Counts a record that is handed on.
    pub fn count(&mut self, entry: Entry<'_>) {
        self.records += 1;
        self.truncated += u64::from(entry.is_truncated());
        self.timed += u64::from(!entry.get(Part::Duration).is_empty());
    }

    /// All of it on a line or two.
    pub fn summary(&self) -> String {
        let skipped = [
            (self.other, "messages without a statement"),
            (self.parse_bind, "parse and bind messages"),
            (self.errors, "statements of errors (--errors takes them)"),
            (self.plans, "plans of auto_explain"),
            (self.durations, "durations of statements not logged"),
            (self.filtered, "records by filters"),
            (self.unknown, "records that lack what a filter asks for"),
            (self.cut, "messages cut by another"),
            (self.unreadable, "lines not understood"),
        ];
        let skipped: Vec<String> =
            skipped.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        let Self { bytes, lines, messages, records, timed, truncated, .. } = self;
        let skipped = if skipped.is_empty() { "nothing".to_string() } else { skipped.join(", ") };
        format!(
            "read {bytes} bytes, {lines} lines, {messages} messages; \
             made {records} records ({timed} with a duration, {truncated} truncated); skipped {skipped}"
        )
    }
}
