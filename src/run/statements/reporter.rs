//! Prints the reports of chunks: diagnostics, notices and counts.

use std::sync::Arc;

use pgq_log::{LogStats, counted};

use super::event::{CacheStats, ChunkReport};
use super::options::LogReports;
use crate::run::report::{Diagnostics, Repeats};

/// Prints the reports of chunks.
pub struct EventReporter<'a> {
    diagnostics: &'a Diagnostics,
    reports: LogReports,
    caches: CacheStats,
    /// Name of the current file. If the file is a log, `log` contains the log's counts.
    file: Option<Arc<str>>,
    log: LogStats,
    /// Counts of all logs that were read to their end.
    all: LogStats,
    repeats: Repeats,
}

impl<'a> EventReporter<'a> {
    pub fn new(reports: LogReports, diagnostics: &'a Diagnostics) -> Self {
        Self {
            diagnostics,
            reports,
            caches: CacheStats::default(),
            file: None,
            log: LogStats::default(),
            all: LogStats::default(),
            repeats: diagnostics.repeats(),
        }
    }

    /// Prints the report of a chunk of `file`.
    pub fn report(&mut self, file: Arc<str>, report: &ChunkReport) {
        self.caches.add(report.caches);
        self.diagnostics.print_buffer(&report.diagnostics, &mut self.repeats);
        self.log.add(&report.log);
        self.file = Some(file);
    }

    /// Prints a notice about a file.
    pub fn notice(&self, file: &str, text: &str) {
        self.diagnostics.notice(&format!("{file}: {text}"));
    }

    /// Prints a notice about skipped parts of a script.
    pub fn left_out(&self, file: &str, text: &str) {
        match self.reports.must_be_whole {
            true => self.diagnostics.left_out(&format!("{file}: {text}; the output lacks that (pgq format keeps it)")),
            false => self.notice(file, text),
        }
    }

    /// Prints that a file cannot be read.
    pub fn unreadable(&self, file: &str, problem: &str) {
        self.diagnostics.unreadable(file, problem);
    }

    /// Returns the counts of all logs read to their end.
    pub fn all_logs(&self) -> &LogStats {
        &self.all
    }

    /// Prints the notices and counts of the whole run.
    pub fn finish(&mut self) {
        self.end_of_file();
        match self.all {
            LogStats { records: 0, rejected: 0, missing_field: 1.., .. } => {
                self.diagnostics
                    .notice("no statement of the log has the fields that the filters need (see log_line_prefix)");
            }
            LogStats { records: 0, rejected: 1.., .. } => {
                self.diagnostics.notice("no statement of the log passes the filters");
            }
            LogStats { named: 0, unnamed: 1.., .. } => {
                self.diagnostics
                    .notice("no statement of the log has the field of an --exclude option (see log_line_prefix)");
            }
            _ => {}
        }
        for (count, message) in self.repeats.take_rest() {
            self.diagnostics.notice(&format!("{count} more like this, not shown: {message} (see --all-errors)"));
        }
        let CacheStats { statements, by_text, by_shape } = self.caches;
        if self.reports.stats && statements > 0 {
            let percent = |count: u64| count as f64 * 100.0 / statements as f64;
            self.diagnostics.requested(&format!(
                "of {}, {by_text} ({:.1} %) had a text that was seen before, {by_shape} ({:.1} %) \
                 differed from one in literals and layout alone",
                counted(statements, "statements"),
                percent(by_text),
                percent(by_shape)
            ));
        }
    }

    /// Prints the counts of a log if they were requested. Otherwise, prints a notice if part of the log was not
    /// understood.
    pub fn end_of_file(&mut self) {
        let Some(file) = self.file.take() else { return };
        let (stats, more) = (std::mem::take(&mut self.log), self.repeats.end_of_file());
        if more > 0 {
            let statements = if more == 1 { "statement is" } else { "statements are" };
            self.diagnostics.notice(&format!("{file}: {more} more {statements} not UTF-8"));
        }
        if stats == LogStats::default() {
            return;
        }
        self.all.add(&stats);
        if self.reports.stats {
            self.diagnostics.requested(&format!("{file}: {}", stats.summary()));
            stats.losses().iter().for_each(|losses| {
                self.diagnostics.requested(&format!("{file}: lost or unclear: {losses}"));
            });
        }
        if stats.messages == 0 && stats.unreadable > 0 {
            let lines = counted(stats.unreadable, "lines");
            self.diagnostics.notice(&format!(
                "{file}: none of its {lines} begins as a message of the log (see --from and --log-line-prefix; --column is for tables)"
            ));
        } else if !self.reports.stats
            && let Some(losses) = stats.losses()
        {
            self.diagnostics.notice(&format!("{file}: {losses} (see --stats)"));
        }
        if !self.reports.lenient && (stats.is_poorly_understood() || stats.ambiguous > 0 || stats.too_long > 0) {
            self.diagnostics.poorly_understood();
        }
    }
}
